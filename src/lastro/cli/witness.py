"""`lastro witness`: look at a public log and sign what it says, if it took nothing back."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from lastro.cli.common import Settings, shared_options
from lastro.cli.private_files import write_text
from lastro.cli.public_keys import folder, make_key, signer_of
from lastro.connectors.public_log import reader
from lastro.errors import LastroError
from lastro.publiclog.watch import witness


@click.command("witness")
@click.argument("source", metavar="ENDEREÇO|PASTA")
@click.option("--log", "log_key", required=True, help="A chave pública do registro (lastro log begin).")
@click.option("--name", required=True, help="O nome desta testemunha, como testemunha.federacao.example.")
@click.option("--out", type=click.Path(path_type=Path), help="Onde gravar o fechamento com a assinatura.")
@shared_options
def command(settings: Settings, source: str, log_key: str, name: str, out: Path | None) -> int:
    """Testemunha: confere que o registro guarda tudo o que já mostrou, e então assina o fechamento.

    A chave faz-se na primeira vez. O que se viu fica na pasta dos dados; quando o registro mente, fica
    também a prova, com os dois fechamentos que ele assinou.
    """
    (mine, secret), log = make_key(settings.data, "witness", name), signer_of(log_key)
    kept = folder(settings.data) / f"seen-{log.id.hex()}.txt"
    last = kept.read_text("utf-8") if kept.exists() else ""
    try:
        done = witness(reader(source), log=log, name=name, secret=secret, last=last, at=int(time.time()))
    except OSError as silent:
        raise LastroError(
            f"{source} não respondeu ({silent}). Nada foi assinado; tente mais tarde."
        ) from silent
    if done.fault is not None:
        proof = kept.with_name(f"prova-{done.fault.kind.replace(' ', '-')}-{log.id.hex()}.json")
        write_text(proof, json.dumps(done.fault.as_json(), ensure_ascii=False, indent=1) + "\n")
        click.echo(f"Não assinado: {done.fault.said}. A prova está em {proof}.")
        return 1
    write_text(kept, done.note)
    if out is not None:
        out.write_text(done.note, "utf-8")
    click.echo(done.note, nl=False)
    click.echo(f"Assinado por {mine.text}", err=True)
    return 0
