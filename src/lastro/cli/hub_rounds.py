"""What a member and its verifier do at the hub: the day's round, the dossier, what was opened and entered."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from lastro.cli import hub_files
from lastro.cli.common import CNPJ, Settings, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.hub.dossier import Case, CaseOpened, check_opened, line_of, open_cases
from lastro.hub.match import Judged
from lastro.hub.member import Member
from lastro.hub.people import Roster
from lastro.hub.proof import NotProved
from lastro.hub.watch import HubLied
from lastro.ids import masked
from lastro.stores.postgres import Store
from lastro.stores.postgres.hub_custody import enter_found, statements
from lastro.stores.postgres.hub_member import PostgresMember

FILE = click.Path(path_type=Path, dir_okay=False)
FITS = {
    "alone": "são de uma só entidade", "fits": "cabem no item", "exceeds": "não cabem no item",
    "contents": "são de conteúdos diferentes", "unreadable": "vêm com um pacote que não se abre",
}  # fmt: skip


def reaching(function: Any) -> Any:
    for option in (
        click.option("--entity", type=CNPJ, required=True, help="Entidade gestora."),
        click.option("--keeper", "keepers", multiple=True, metavar="NOME=ENDEREÇO", help="Cada guardião."),
        click.option("--hub", "address", envvar="LASTRO_HUB", help="Endereço do centro."),
    ):
        function = option(function)
    return function


def wire_to(address: str | None, keepers: Sequence[str]) -> Any:
    from lastro.connectors.hub import HomeLine, HttpWire
    from lastro.connectors.identity import tls
    from lastro.connectors.transport import HttpsLine

    pairs = [one.partition("=") for one in keepers]
    if not all(name and url for name, _, url in pairs):
        raise LastroError("Um guardião escreve-se NOME=ENDEREÇO, como orgao=https://guardiao.example.")
    line = HomeLine(HttpsLine(tls(None)))
    return HttpWire(line, hub=address or "", keepers={name: url for name, _, url in pairs})


def member_of(settings: Settings, store: Store, entity: str) -> Member:
    made, role = hub_files.own_roster(settings.data), hub_files.role_of(settings.data, "member", entity)
    if made.member(entity) is None:
        raise LastroError(f"{masked(entity)} não está no rol; peça que a ponham.")
    shelf = PostgresMember(store, entity)
    return Member(made, entity=entity, secret=role.secrets["signs"], shelf=shelf, draw=os.urandom)


@click.command("send")
@reaching
@click.option("--verifier", type=CNPJ, help="O verificador que abre (padrão: o único do rol).")
@shared_options
def send(
    settings: Settings, entity: str, keepers: tuple[str, ...], address: str | None, verifier: str | None
) -> int:
    """A ronda do dia: prepara os lotes, envia os que esperam e ouve o que se encontrou."""
    made = hub_files.own_roster(settings.data)
    names = [one.name for one in made.verifiers]
    if verifier is None and len(names) != 1:
        raise LastroError("O rol tem mais de um verificador; diga qual com --verifier.")
    if not address:
        raise LastroError("Falta o endereço do centro (--hub ou LASTRO_HUB).")
    with Store.open(settings.data) as store:
        member = member_of(settings, store, entity)
        said = statements(store, entity=entity, verifier=verifier or names[0])
        try:
            done = member.work(wire_to(address, keepers), said, day=settings.today)
        except HubLied as lie:
            return accuse(settings, lie)
    if settings.as_json:
        say_json(asdict(done))
    else:
        click.echo(f"Lotes: {done.made} feitos, {done.sent} enviados, {done.heard} respondidos.")
        click.echo(f"Itens que outra parte também reivindica, nas respostas de hoje: {done.met}.")
        for wait in done.waits:
            click.echo(f"Espera: {wait}")
    return 1 if done.waits else 0


def accuse(settings: Settings, lie: HubLied) -> int:
    path = hub_files.folder(settings.data) / f"prova-contra-o-centro-{lie.kind}.json"
    hub_files.write_json(path, {"kind": lie.kind, "evidence": lie.evidence})
    click.echo(f"{lie} A prova, assinada por ele, está em {path}: mostre-a aos outros e ao órgão.", err=True)
    return 1


@click.command("matches")
@click.option("--entity", type=CNPJ, required=True, help="Entidade gestora.")
@click.option("--out", type=FILE, help="Grava o dossiê, para o seu verificador e ninguém mais.")
@shared_options
def matches(settings: Settings, entity: str, out: Path | None) -> int:
    """Mostra os itens que outra parte também reivindica, ainda fechados; grava o dossiê do verificador."""
    with Store.open(settings.data) as store:
        met = PostgresMember(store, entity).meetings()
        cases = [Case(line, opens, tuple(held)) for line, opens, held in met]
    if out:
        hub_files.write_json(out, {"cases": [one.to_json() for one in cases]})
    for one in cases:
        if settings.as_json:
            say_json({"access_key": one.line.key, "line": one.line.line, "entries": len(one.held)})
    if not settings.as_json:
        table(
            ["chave de acesso", "item", "entradas"],
            [(one.line.key, one.line.line, len(one.held)) for one in cases],
            right=(1, 2),
            whole=(0,),
        )
        click.echo("Com o dossiê (--out), o verificador abre: lastro hub open ARQUIVO.")
    return 0


@click.command("open")
@click.argument("dossier", type=FILE, metavar="DOSSIÊ")
@click.option("--verifier", type=CNPJ, help="Qual verificador, se há mais de um nesta pasta.")
@click.option("--out", type=FILE, help="Grava o que se abriu, para devolver à entidade.")
@shared_options
def open_(settings: Settings, dossier: Path, verifier: str | None, out: Path | None) -> int:
    """Como verificador, abre os pacotes de um dossiê e diz se as massas cabem em cada item."""
    made, role = (
        hub_files.own_roster(settings.data),
        hub_files.role_of(settings.data, "verifier", verifier or ""),
    )
    try:
        cases = [Case.of_json(one) for one in hub_files.read_json(dossier)["cases"]]
    except (KeyError, TypeError, ValueError) as wrong:
        raise LastroError(f"{dossier}: não é um dossiê de lastro hub matches.") from wrong
    opened = open_cases(made, cases, verifier=role.name, key=role.secrets["seals"])
    if out:
        hub_files.write_json(out, {"verifier": role.name, "opened": [one.to_json() for one in opened]})
    _show(settings, opened)
    return 1 if any(one.judged.contested for one in opened) else 0


def _show(settings: Settings, opened: Sequence[CaseOpened]) -> None:
    if settings.as_json:
        for one in opened:
            say_json(judged_json(one.line.key, one.line.line, one.judged))
        return
    table(
        ["chave de acesso", "item", "massa do item", "reivindicam", "resultado"],
        [
            (
                *(one.line.key, one.line.line, one.judged.line_mass or "—"),
                "; ".join(f"{masked(who)} {mass}" for who, mass in one.judged.asked.items()),
                FITS[one.judged.fit.value],
            )
            for one in opened
        ],
        right=(1, 2),
        whole=(0,),
    )


def judged_json(key: str, line: int, judged: Judged) -> dict[str, Any]:
    return {
        "access_key": key,
        "line": line,
        "fit": judged.fit.value,
        "line_mg": judged.line_mass.mg if judged.line_mass else None,
        "asked_mg": {who: mass.mg for who, mass in judged.asked.items()},
        "faults": list(judged.faults),
    }


def checked(
    made: Roster, store: Store, entity: str, told: Any, *, only: tuple[str, int] | None = None
) -> list[CaseOpened]:
    """What a verifier gave back, recomputed with one's own secrets. Raises LastroError."""
    known = {line: (opens, held) for line, opens, held in PostgresMember(store, entity).meetings()}
    found = []
    try:
        for one in told["opened"]:
            line = line_of(one)
            if only is not None and (line.key, line.line) != only:
                continue
            if line not in known:
                raise LastroError(f"O item {line.line} de {line.key} não é um dos que se encontraram.")
            opens, held = known[line]
            found.append(check_opened(made, one, secret=opens, known=held))
    except NotProved as wrong:
        raise LastroError(f"{wrong} Grave o dossiê de novo e peça ao verificador que o abra.") from wrong
    except (KeyError, TypeError, ValueError) as wrong:
        raise LastroError("O arquivo não é o que lastro hub open grava.") from wrong
    return found


@click.command("settle")
@click.argument("opened", type=FILE, metavar="ABERTO")
@click.option("--entity", type=CNPJ, required=True, help="Entidade gestora.")
@shared_options
def settle(settings: Settings, opened: Path, entity: str) -> int:
    """Dá entrada no que o verificador abriu: o que não cabe fica contestado até que se decida."""
    told, made = hub_files.read_json(opened), hub_files.own_roster(settings.data)
    with Store.open(settings.data) as store:
        read = checked(made, store, entity, told)
        verifier = str(told.get("verifier", ""))
        changed = enter_found(store, read, verifier=verifier, on=settings.today)
    _show(settings, read)
    if not settings.as_json:
        click.echo(f"{changed} itens mudaram; os contestados: lastro lots --contested")
    return 0


VERBS = (send, matches, open_, settle)
