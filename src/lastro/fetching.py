"""What it is for: to bring documents and answers from SEFAZ and SINIR, and let them weigh in a store.
What comes in: a store, its data folder, who asks and with what, a clock.
What goes out: the documents of each step once they stand, the answers about each key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Protocol

from lastro import desk, trust
from lastro.connectors import addresses
from lastro.connectors.faults import Unanswered, Wait
from lastro.connectors.identity import Identity, tls
from lastro.connectors.keep import keep
from lastro.connectors.packets import Packet
from lastro.connectors.patience import Clock
from lastro.connectors.sefaz_distribution import Step, asker, pull
from lastro.connectors.sefaz_status import Told, ask_status
from lastro.connectors.transport import HttpsLine, Line
from lastro.errors import LastroError
from lastro.evidence import Source
from lastro.evidence.consulted import Consulted
from lastro.ids import UF_BY_CODE, AccessKey, company_of, masked
from lastro.stores.postgres import Store, fetched

_PRODUCTION = "1"
_TOGETHER = 20


@dataclass(frozen=True)
class Outside:
    """How the world is reached from one data folder: whom it trusts, where a test stands in for a service.

    `address` replaces the table's only where every root is of a test; and only there: a real store asks real
    services, and a test never does (decision 13).
    """

    data: Path
    clock: Clock
    address: str = ""

    def line(self, identity: Identity | None = None) -> Line:
        """A line by the system's roots and the store's own. Raises LastroError for an expired identity."""
        if identity is not None:
            identity.expect_valid(self.clock.now())
        return HttpsLine(tls(identity, roots=trust.load(self.data / "trust").certificates))

    def at(self, official: str) -> str:
        """Where a service is: as the table says, or as the test says. Raises LastroError for a mixture."""
        is_test = trust.load(self.data / "trust").kind == "test"
        if is_test and not self.address:
            raise LastroError(
                "Este depósito confia em raízes de teste e não fala com os serviços de verdade; diga o "
                "endereço do serviço de teste (--address), ou use um depósito com raízes reais."
            )
        if self.address and not is_test:
            raise LastroError(
                "Outro endereço (--address) só vale num depósito de teste: o que a SEFAZ e o SINIR respondem "
                "pesa na prova, e só eles podem responder."
            )
        if self.address and not self.address.startswith("https://"):
            raise LastroError("O endereço começa com https://.")
        return self.address or official


# ── documents of an establishment ────────────────────────────────────────────────────────────────────

Keep = Callable[[Sequence[Packet]], None]
"""Makes documents stand: in a folder, or in the store."""


def documents(
    store: Store, outside: Outside, identity: Identity, *, establishment: str, uf: str, stand: Keep
) -> Iterator[Step]:
    """Bring an establishment's new documents; each step is given once its documents and its number stand.

    Killed anywhere, the next run brings again at most what one answer held. Raises Wait where SEFAZ must not
    be asked yet, LastroError where the certificate is of another company.
    """
    if identity.cnpj and company_of(identity.cnpj) != company_of(establishment):
        raise LastroError(
            f"O certificado é de {masked(identity.cnpj)}; a SEFAZ só entrega os documentos de "
            f"{masked(establishment)} a quem mostra um certificado da mesma empresa."
        )
    codes = {name: code for code, name in UF_BY_CODE.items()}
    ask = asker(
        establishment,
        uf_code=codes[uf],
        line=outside.line(identity),
        address=outside.at(addresses.distribution()),
        clock=outside.clock,
    )
    with fetched.alone(store, establishment):
        start = fetched.position(store, establishment, environment=_PRODUCTION)
        for step in pull(ask, start=start, clock=outside.clock):
            stand(step.packets)
            fetched.say_position(store, establishment, step.reached, environment=_PRODUCTION)
            yield step


def named(packet: Packet) -> str:
    """The file name of a document: its number and what SEFAZ calls it."""
    number = f"{packet.nsu:015d}" if packet.nsu >= 0 else hashlib.sha256(packet.data).hexdigest()[:16]
    return f"nsu-{number}-{packet.kind}.xml"


def into_folder(folder: Path) -> Keep:
    """Documents laid down as files."""

    def stand(packets: Sequence[Packet]) -> None:
        for packet in packets:
            keep(folder, named(packet), packet.data)

    return stand


def as_sources(packets: Iterable[Packet]) -> Iterator[Source]:
    """Documents as they are handed in."""
    for packet in packets:
        yield Source(named(packet), None, packet.data)


# ── the standing of keys ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Heard:
    """What asking about one key gave: an answer, or why there is none."""

    access_key: str
    consulted: Consulted | None = None
    problem: str = ""


class Asker(Protocol):
    """Asks one authority about one key."""

    def __call__(self, access_key: str, *, line: Line, address: str, clock: Clock) -> Told: ...


def readable(keys: Iterable[str]) -> list[str]:
    """The keys that can be asked about, each once. Raises LastroError for what is none, or another model."""
    found: dict[str, None] = {}
    for text in keys:
        try:
            key = AccessKey.parse(text.strip().upper())
        except ValueError as wrong:
            raise LastroError(f"{text[:60]!r} não é uma chave de acesso (44 caracteres).") from wrong
        if not key.right_digit:
            raise LastroError(f"{key}: o dígito verificador da chave não confere.")
        if key.model != "55":
            raise LastroError(f"{key}: modelo {key.model}; só se consulta a NF-e (modelo 55).")
        found[key.text] = None
    return list(found)


def standing_of(
    store: Store,
    outside: Outside,
    identity: Identity,
    keys: Sequence[str],
    *,
    today: date,
    ask: Asker = ask_status,
) -> Iterator[Heard]:
    """Ask SEFAZ about keys, let the answers weigh, and give each outcome once it stands.

    An authority that is down is left alone for the rest of the call; one that complains of use (656) for the
    hour it asks for, in later calls too.
    """
    line, company = outside.line(identity), company_of(identity.cnpj)
    for address, some in groupby(sorted(keys, key=_authority), key=lambda key: outside.at(_authority(key))):
        waiting: list[Told] = []
        problem = _paused(store, outside, address, company)
        for key in some:
            if problem:
                yield Heard(key, problem=problem)
                continue
            try:
                waiting.append(ask(key, line=line, address=address, clock=outside.clock))
            except Wait as locked:
                fetched.say_pause(store, address, company=company, until=locked.until)
                problem = str(locked)
                yield Heard(key, problem=problem)
            except Unanswered as wrong:
                problem = str(wrong) if wrong.again else ""
                yield Heard(key, problem=str(wrong))
            if len(waiting) >= _TOGETHER:
                yield from _weigh(store, outside, waiting, address, today)
                waiting = []
        yield from _weigh(store, outside, waiting, address, today)


def _paused(store: Store, outside: Outside, address: str, company: str) -> str:
    """Why an authority must not be asked now; empty when it may."""
    until = fetched.paused_until(store, address, company=company)
    if until is None or until <= outside.clock.now():
        return ""
    return f"A SEFAZ acusou consumo indevido (656); pergunte de novo a partir de {until:%d/%m/%Y %H:%M} UTC."


def _authority(key: str) -> str:
    return addresses.of_key(key)


def _weigh(
    store: Store, outside: Outside, told: Sequence[Told], address: str, today: date
) -> Iterator[Heard]:
    """Keep answers with their bytes, and judge again what leans on them."""
    if not told:
        return
    by_digest: Mapping[str, Told] = {hashlib.sha256(one.body).hexdigest(): one for one in told}
    desk.tell_answers(
        store,
        {digest: one.consulted for digest, one in by_digest.items()},
        address=address,
        files={digest: one.body for digest, one in by_digest.items()},
        data=outside.data,
        today=today,
    )
    for one in told:
        yield Heard(one.consulted.access_key, one.consulted)
