"""`lastro log`: the public log of what happened to certificates, signed, proved and served as files."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import click

from lastro.cli.common import Settings, say_json, shared_options
from lastro.cli.public_keys import make_key, own_key, signer_of
from lastro.errors import LastroError
from lastro.publiclog.leaves import Policy, Proof, wrong
from lastro.publiclog.notes import read
from lastro.publiclog.tiles import files
from lastro.stores.postgres import Store
from lastro.stores.postgres.public_log import PublicLog


@click.group("log")
def command() -> None:
    """Registro público: cada emissão, passagem, uso e cancelamento de certificado, em ordem que não muda."""


@command.command("begin")
@click.option("--origin", required=True, help="O nome do registro, como registro.orgao.example/certificados.")
@shared_options
def begin(settings: Settings, origin: str) -> int:
    """Faz a chave do registro, uma vez, e mostra a parte pública, que testemunhas e leitores guardam."""
    signer, _ = make_key(settings.data, "log", origin)
    click.echo(signer.text)
    return 0


@command.command("close")
@shared_options
def close(settings: Settings) -> int:
    """Leva ao registro o que espera e mostra o fechamento assinado."""
    name, secret = own_key(settings.data, "log")
    with Store.open(settings.data) as store:
        note = PublicLog(store, name).integrate(secret, os.urandom)
    if settings.as_json:
        say_json({"checkpoint": note, "size": read(note).size})
    else:
        click.echo(note, nl=False)
    return 0


@command.command("files")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="PASTA")
@shared_options
def served(settings: Settings, folder: Path) -> int:
    """Grava o registro como arquivos que qualquer servidor de páginas serve; os prontos não mudam mais."""
    name, _ = own_key(settings.data, "log")
    with Store.open(settings.data) as store:
        log = PublicLog(store, name)
        note = log.checkpoint()
        if not note:
            raise LastroError("O registro não tem fechamento ainda: faça-o com lastro log close.")
        leaves = log.leaves(read(note).size)
    for path, data in files(leaves):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.write_bytes(data)
    part = folder / "checkpoint.part"
    part.write_text(note, "utf-8")
    part.replace(folder / "checkpoint")
    click.echo(f"{len(leaves)} folhas em {folder}; o fechamento está em {folder / 'checkpoint'}.")
    return 0


@command.command("prove")
@click.argument("certificate", metavar="NÚMERO")
@click.option("--out", type=click.Path(path_type=Path), help="Onde gravar as provas (padrão: mostra).")
@shared_options
def prove(settings: Settings, certificate: str, out: Path | None) -> int:
    """Prova que os movimentos de um certificado estão no registro; mostra os campos, a quem pode vê-los."""
    name, _ = own_key(settings.data, "log")
    with Store.open(settings.data) as store:
        found = [proof.as_json() for proof in PublicLog(store, name).proofs(certificate)]
    if not found:
        raise LastroError(
            f"Nenhum movimento de {certificate} está no registro. Confira o número, e se lastro log close "
            "correu depois da emissão."
        )
    text = json.dumps(found, ensure_ascii=False, indent=1)
    if out is None:
        click.echo(text)
    else:
        out.write_text(text + "\n", "utf-8")
        click.echo(f"{len(found)} provas em {out}. Conferem-se com lastro log check, sem rede.")
    return 0


@command.command("check")
@click.argument("proofs", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="PROVAS")
@click.option("--log", "log_key", required=True, help="A chave pública do registro (lastro log begin).")
@click.option("--witness", "witnesses", multiple=True, help="A chave de uma testemunha; pode repetir.")
@click.option("--needed", type=click.IntRange(0), default=0, help="Quantas testemunhas se pedem.")
@click.option("--note", type=click.Path(path_type=Path, exists=True), help="O fechamento com testemunhas.")
@shared_options
def check(
    settings: Settings,
    proofs: Path,
    log_key: str,
    witnesses: tuple[str, ...],
    needed: int,
    note: Path | None,
) -> int:
    """Confere provas sem rede: cada movimento está no registro, e os campos são os que ele compromete."""
    policy = Policy(signer_of(log_key), tuple(map(signer_of, witnesses)), needed)
    try:
        found = [Proof.of_json(said) for said in json.loads(proofs.read_text("utf-8"))]
    except (OSError, ValueError, TypeError) as bad:
        raise LastroError(f"{proofs}: não são provas do registro, como as de lastro log prove.") from bad
    if note is not None:
        kept = note.read_text("utf-8")
        found = [replace(proof, note=kept) for proof in found]
    told = [(proof, wrong(proof, policy)) for proof in found]
    if settings.as_json:
        say_json([{"move": p.fields.get("move"), "index": p.index, "wrong": why} for p, why in told])
    for proof, why in [] if settings.as_json else told:
        what = f"{proof.fields.get('move')} de {proof.fields.get('number')}, folha {proof.index}"
        click.echo(f"Não prova ({what}): {why}." if why else f"No registro: {what}.")
    return 1 if any(why for _, why in told) or not told else 0
