"""`lastro fetch`: brings new documents and answers from SEFAZ and SINIR."""

from __future__ import annotations

import functools
import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lastro.cli.common import CNPJ, YEAR, Settings, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.facts import Outcome, Reached, Status
from lastro.ids import UF_BY_CODE, masked

if TYPE_CHECKING:
    from lastro.connectors.faults import Wait
    from lastro.connectors.identity import Identity
    from lastro.connectors.packets import Packet
    from lastro.connectors.patience import Clock
    from lastro.connectors.sefaz_distribution import Step
    from lastro.connectors.sinir import Manifests
    from lastro.fetching import Heard, Outside
    from lastro.pipeline import Desk
    from lastro.stores.postgres import Store

_WORDS = {
    Status.AUTHORISED: "autorizada", Status.CANCELLED: "cancelada", Status.DENIED: "denegada",
    Status.UNAUTHORISED: "não consta", Status.UNKNOWN: "a resposta não diz",
}  # fmt: skip

p12_option = click.option(
    "--p12",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="LASTRO_P12",
    required=True,
    help="Certificado de quem pergunta (PKCS#12); a senha vem de LASTRO_P12_PASSWORD ou é pedida.",
)
address_option = click.option("--address", default="", help="Outro endereço; só num depósito de teste.")


@click.group("fetch")
def command() -> None:
    """Busca documentos e respostas na SEFAZ e no SINIR."""


# ── documents ────────────────────────────────────────────────────────────────────────────────────────


@command.command("nfe")
@click.option("--entity", type=CNPJ, required=True, help="Entidade gestora para quem se busca.")
@click.option("--establishment", type=CNPJ, help="De quem são os documentos (padrão: a própria entidade).")
@click.option("--uf", type=click.Choice(sorted(UF_BY_CODE.values())), default="MT", help="UF de quem pede.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Pasta onde pôr os arquivos.")
@click.option("--norm", metavar="NORMA", help="Sem --out: a norma sob a qual dar entrada.")
@click.option("--year", type=YEAR, help="Sem --out: o ano da meta (padrão: o ano de hoje).")
@p12_option
@address_option
@shared_options
def nfe(
    settings: Settings,
    entity: str,
    establishment: str | None,
    uf: str,
    out: Path | None,
    norm: str | None,
    year: int | None,
    p12: Path,
    address: str,
) -> int:
    """Traz as notas e os eventos novos de um estabelecimento: para uma pasta, ou direto para a entrada."""
    from lastro.connectors.faults import Wait
    from lastro.fetching import Outside, documents, into_folder
    from lastro.stores.postgres import Store

    identity, clock = _identity(p12), _clock()
    outside = Outside(settings.data, clock, address)
    whose = establishment or entity
    brought = Brought()
    with Store.open(settings.data) as store:
        entering = None if out else Entering(store, settings, _desk(store, settings, entity, norm, year))
        stand = into_folder(out) if out else entering.stand if entering else None
        assert stand is not None, "documents go into a folder or into the store"
        try:
            for step in documents(store, outside, identity, establishment=whose, uf=uf, stand=stand):
                brought.add(step)
        except Wait as early:
            brought.too_early(early)
    brought.show(whose, settings)
    return max(entering.show() if entering else 0, brought.code)


def _desk(store: Store, settings: Settings, entity: str, norm: str | None, year: int | None) -> Desk:
    """Where an entity's documents are judged and counted."""
    from lastro.cli.enter import admitting
    from lastro.custody.port import For
    from lastro.desk import desk_of

    whom = For(entity, admitting(norm).norm.path, year or settings.today.year)
    return desk_of(store, whom, data=settings.data, today=settings.today)


class Entering:
    """Documents that are handed in as they come."""

    def __init__(self, store: Store, settings: Settings, desk: Desk) -> None:
        from lastro.cli.verify import Summary
        from lastro.stores.postgres.custody import custody

        self._settings, self._desk = settings, desk
        self._remember = functools.partial(custody, store)
        self._summary = Summary()

    def stand(self, packets: Sequence[Packet]) -> None:
        """Judge, count and post these documents, and tell what became of each."""
        from lastro.engine.local import LocalEngine
        from lastro.evidence import document_json
        from lastro.fetching import as_sources
        from lastro.pipeline import answers, enter

        on = self._settings.today
        stream = enter(
            as_sources(packets), desk=self._desk, remember=self._remember, engine=LocalEngine(1), on=on
        )
        for document, verdict in answers(list(stream), whom=self._desk.whom, remember=self._remember):
            self._summary.add(document, verdict)
            if self._settings.as_json:
                say_json(document_json(document, verdict, lang=self._settings.lang))

    def show(self) -> int:
        """Write the tables of what was handed in; 1 if something was refused."""
        if not self._settings.as_json:
            click.echo()
            self._summary.show(self._settings.lang)
        return 1 if self._summary.outcomes[Outcome.REFUSED] else 0


@dataclass
class Brought:
    """What came so far, by kind, and how far that is."""

    kinds: Counter[str] = field(default_factory=Counter)
    reached: Reached = field(default_factory=Reached)
    code: int = 0

    def add(self, step: Step) -> None:
        """Count one step; what went wrong in it is told at once."""
        self.kinds.update(packet.kind for packet in step.packets)
        self.reached = step.reached
        if step.said:
            self.code = 1
            click.echo(step.said, err=True)

    def too_early(self, told: Wait) -> None:
        """Nothing may be asked yet: that is an answer, and it falls short."""
        self.code = 1
        self.reached = replace(self.reached, not_before=told.until)
        click.echo(str(told), err=True)

    def show(self, establishment: str, settings: Settings) -> None:
        """Say what came, and from when on more can be asked for."""
        reached, until = self.reached, self.reached.not_before
        if settings.as_json:
            say_json(
                {
                    "establishment": establishment,
                    "brought": dict(sorted(self.kinds.items())),
                    "last_nsu": reached.last_nsu,
                    "highest_nsu": reached.highest_nsu,
                    "missing": list(reached.missing),
                    "not_before": until.isoformat() if until else None,
                }
            )
            return
        click.echo(f"{masked(establishment)}: {self.kinds.total()} documentos novos.")
        if self.kinds:
            table(("Tipo", "Número"), sorted(self.kinds.items()), right=(1,))
        if reached.highest_nsu:
            click.echo(f"Último NSU {reached.last_nsu}, de {reached.highest_nsu}.")
        if self.kinds["resNFe"]:
            click.echo(
                "resNFe é só o resumo: sem itens nem massa. A nota inteira vem depois que o destinatário "
                "manifesta a ciência da operação."
            )
        if reached.missing:
            click.echo(f"Faltam {len(reached.missing)} números, que serão pedidos de novo.")
        if until:
            click.echo(f"A SEFAZ aceita novo pedido a partir de {until:%d/%m/%Y %H:%M} UTC.")


# ── the standing of keys ─────────────────────────────────────────────────────────────────────────────


@command.command("status")
@click.argument("keys", metavar="CHAVE…", nargs=-1)
@click.option("--entity", type=CNPJ, help="Entidade cujas notas ainda não confirmadas se consultam.")
@click.option("--most", type=click.IntRange(1, 1000), default=100, help="Com --entity: quantas no máximo.")
@p12_option
@address_option
@shared_options
def status(
    settings: Settings, keys: tuple[str, ...], entity: str | None, most: int, p12: Path, address: str
) -> int:
    """Pergunta à SEFAZ a situação de notas; a resposta confirma (sai N18) ou derruba o que o arquivo diz."""
    from lastro.cli.enter import fallen_of, stale_of
    from lastro.fetching import Outside, readable, standing_of
    from lastro.stores.postgres import Store, fetched
    from lastro.stores.postgres.custody import custody

    if not keys and not entity:
        raise LastroError("Diga as chaves, ou --entity para as notas dela que ainda não foram confirmadas.")
    identity = _identity(p12)
    outside = Outside(settings.data, _clock(), address)
    with Store.open(settings.data) as store:
        asked = readable([*keys, *(fetched.unconfirmed(store, entity=entity, most=most) if entity else ())])
        with custody(store) as memory:
            before = fallen_of(memory)
        found = list(standing_of(store, outside, identity, asked, today=settings.today))
        with custody(store) as memory:
            fallen = stale_of(memory, {one.access_key for one in found}, before=before)
    for line in fallen:
        click.echo(line, err=True)
    if settings.as_json:
        for one in found:
            say_json(_status_json(one))
    else:
        table(("Chave", "Situação na SEFAZ", "Resposta"), [_status_row(one) for one in found], whole=(0,))
    good = all(one.consulted and one.consulted.says is Status.AUTHORISED for one in found)
    return 0 if good else 1


def _status_json(one: Heard) -> dict[str, Any]:
    answer = one.consulted
    known = answer is not None and answer.says is not Status.UNKNOWN
    return {
        "access_key": one.access_key,
        "status": (answer.says if answer else Status.UNKNOWN).value,
        "status_source": "sefaz" if known else None,
        "cstat": answer.status if answer else None,
        "reason": answer.reason if answer else None,
        "asked_at": answer.asked_at.isoformat() if answer else None,
        "problem": one.problem or None,
    }


def _status_row(one: Heard) -> tuple[str, str, str]:
    answer = one.consulted
    if answer is None:
        return one.access_key, "sem resposta", one.problem
    return one.access_key, _WORDS[answer.says], f"{answer.status} {answer.reason}"


# ── manifests ────────────────────────────────────────────────────────────────────────────────────────


@command.command("mtr")
@click.argument("numbers", metavar="NÚMERO…", nargs=-1)
@click.option("--system", type=click.Choice(["sinir", "sigor"]), default="sinir", help="Onde está o MTR.")
@click.option("--lists", is_flag=True, help="Traz também as listas do sistema (resíduos, unidades …).")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Pasta.")
@address_option
@shared_options
def mtr(
    settings: Settings, numbers: tuple[str, ...], system: str, lists: bool, out: Path, address: str
) -> int:
    """Traz manifestos de transporte de resíduos, como o sistema os dá, para uma pasta.

    O acesso vem do ambiente: LASTRO_SINIR_TOKEN (token de integração) ou LASTRO_SINIR_USER,
    LASTRO_SINIR_PASSWORD e LASTRO_SINIR_UNIT.
    """
    from lastro.connectors.keep import keep
    from lastro.connectors.sinir import LISTS
    from lastro.fetching import Outside

    if not numbers and not lists:
        raise LastroError("Diga o número de um MTR, ou --lists.")
    outside = Outside(settings.data, _clock(), address)
    service = _manifests(system, outside)
    rows: list[dict[str, Any]] = []
    for number in dict.fromkeys(numbers):
        got = service.manifest(number)
        path = "" if got.problem else str(keep(out, f"mtr-{number}.json", got.body))
        rows.append({"number": number, "file": path or None, "problem": got.problem or None})
    for name in LISTS if lists else ():
        path = str(keep(out, f"{system}-{name.lower()}.json", service.listed(name)))
        rows.append({"list": name, "file": path, "problem": None})
    if settings.as_json:
        for row in rows:
            say_json(row)
    else:
        table(
            ("MTR ou lista", "Arquivo", "Problema"),
            [(r.get("number") or r.get("list"), r["file"] or "", r["problem"] or "") for r in rows],
        )
    return 1 if any(row["problem"] for row in rows) else 0


def _manifests(system: str, outside: Outside) -> Manifests:
    """The service, with what opens it taken from the environment."""
    from lastro.connectors import addresses
    from lastro.connectors.sinir import Manifests, Secret

    env = {name: os.environ.get(f"LASTRO_SINIR_{name}", "").strip() for name in ("TOKEN", "USER", "UNIT")}
    password = os.environ.get("LASTRO_SINIR_PASSWORD", "")
    if not env["TOKEN"] and not (env["USER"] and password and env["UNIT"]):
        raise LastroError(
            "Falta o acesso ao MTR: LASTRO_SINIR_TOKEN (token de integração, gerado no site do SINIR), ou "
            "LASTRO_SINIR_USER, LASTRO_SINIR_PASSWORD e LASTRO_SINIR_UNIT onde o sistema ainda os aceita."
        )
    secret = Secret(integration=env["TOKEN"], user=env["USER"], password=password, unit=env["UNIT"])
    base = outside.at(addresses.manifests(system))
    return Manifests(system, base=base, secret=secret, line=outside.line(), clock=outside.clock)


# ── who asks, and when ───────────────────────────────────────────────────────────────────────────────


def _identity(path: Path) -> Identity:
    """The certificate of a PKCS#12 file; its password is never taken from the command line."""
    from lastro.connectors.identity import PASSWORD_VARIABLE, open_p12

    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise LastroError(f"{path}: não se consegue ler o certificado ({wrong.strerror}).") from wrong
    password = os.environ.get(PASSWORD_VARIABLE)
    if password is None:
        password = click.prompt(f"Senha de {path.name}", hide_input=True, err=True)
    return open_p12(path.name, data, password)


def _clock() -> Clock:
    """The real clock: doors may look at it."""
    from lastro.connectors.patience import Clock

    return Clock(now=lambda: datetime.now(UTC), sleep=time.sleep, jitter=random.random)
