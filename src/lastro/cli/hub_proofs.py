"""Proofs of the hub that a third party checks without asking anybody: of a match, and of a lie."""

from __future__ import annotations

from pathlib import Path

import click

from lastro.cli import hub_files
from lastro.cli.common import Settings, say_json, shared_options
from lastro.cli.hub_rounds import FILE, FITS, accuse, checked, judged_json, member_of, reaching, wire_to
from lastro.custody.decide import lot_named
from lastro.errors import LastroError
from lastro.hub.closing import Closing
from lastro.hub.hub import HubRefuses
from lastro.hub.lines import Said
from lastro.hub.member import NoWord
from lastro.hub.proof import NotProved, check_disclosure, disclose
from lastro.hub.watch import BadAnswer, HubLied, compare, proves_a_lie
from lastro.ids import masked
from lastro.stores.postgres import Store


@click.command("prove")
@click.argument("opened", type=FILE, metavar="ABERTO")
@click.argument("lot", metavar="CHAVE/ITEM")
@reaching
@click.option("--out", type=FILE, required=True, help="Onde gravar a prova, para o órgão.")
@shared_options
def prove(
    settings: Settings,
    opened: Path,
    lot: str,
    entity: str,
    keepers: tuple[str, ...],
    address: str | None,
    out: Path,
) -> int:
    """Faz de um encontro a prova que o órgão confere sem perguntar a ninguém; mostra só este item."""
    told, made = hub_files.read_json(opened), hub_files.own_roster(settings.data)
    with Store.open(settings.data) as store:
        member = member_of(settings, store, entity)
        found = checked(made, store, entity, told, only=lot_named(lot))
        if not found:
            raise LastroError(f"{opened}: o item {lot} não está entre os abertos.")
        try:
            transcripts = member.transcripts(wire_to(address, keepers), found[0].line)
        except (NoWord, HubRefuses, BadAnswer) as no:
            raise LastroError(f"Sem a palavra de todos os guardiões não há prova: {no}") from no
    proof = disclose(made, found[0].line, transcripts=transcripts, seen=found[0].seen)
    check_disclosure(made, proof)
    hub_files.write_json(out, proof)
    click.echo(f"Prova gravada em {out}; confere-se com lastro hub check {out}")
    return 0


@click.command("check")
@click.argument("file", type=FILE, metavar="PROVA")
@shared_options
def check(settings: Settings, file: Path) -> int:
    """Confere, sem rede, a prova de um encontro: quem reivindicou quanto de que item."""
    made = hub_files.own_roster(settings.data)
    try:
        line, claims, judged = check_disclosure(made, hub_files.read_json(file))
    except NotProved as wrong:
        click.echo(f"Não prova: {wrong}")
        return 1
    if settings.as_json:
        say_json(judged_json(line.key, line.line, judged))
        return 0
    click.echo(f"Provado: nota {line.key}, item {line.line}, massa {judged.line_mass or 'sem acordo'}.")
    for claim in claims:
        what = f"reivindicou {claim.asked}" if claim.said is Said.CLAIMS else "retirou o que reivindicava"
        click.echo(f"  {masked(claim.entity)} {what}, pelo verificador {masked(claim.verifier)}")
    click.echo(f"As reivindicações {FITS[judged.fit.value]}.")
    return 0


@click.command("compare")
@click.argument("closings", type=FILE, nargs=2, metavar="FECHAMENTO FECHAMENTO")
@shared_options
def compare_(settings: Settings, closings: tuple[Path, Path]) -> int:
    """Compara dois fechamentos que o centro assinou: do mesmo tamanho, têm de ser iguais."""
    made, read = hub_files.own_roster(settings.data), []
    for path in closings:
        try:
            one = Closing.of_note(path.read_text("utf-8"))
        except (OSError, ValueError) as wrong:
            raise LastroError(f"{path}: não é um fechamento do centro.") from wrong
        if not one.good(made.hub):
            raise LastroError(f"{path}: não está assinado pelo centro deste rol.")
        read.append(one)
    try:
        compare(made, *read)
    except HubLied as lie:
        return accuse(settings, lie)
    same = read[0].size == read[1].size
    click.echo("Iguais." if same else "De tamanhos diferentes: compare os do mesmo tamanho.")
    return 0


@click.command("accuse")
@click.argument("file", type=FILE, metavar="PROVA")
@shared_options
def accuse_(settings: Settings, file: Path) -> int:
    """Confere, sem rede, a prova de que o centro mentiu: o que mente está assinado por ele."""
    told, made = hub_files.read_json(file), hub_files.own_roster(settings.data)
    try:
        kind, evidence = str(told["kind"]), dict(told["evidence"])
    except (KeyError, TypeError, ValueError) as wrong:
        raise LastroError(f"{file}: não é a prova de uma mentira do centro.") from wrong
    proved = proves_a_lie(made, kind, evidence)
    click.echo(f"Provado: o centro mentiu ({kind})." if proved else "Não prova que o centro tenha mentido.")
    return 0 if proved else 1


VERBS = (prove, check, compare_, accuse_)
