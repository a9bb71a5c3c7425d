"""What recyclers said of loads that came to them, or did not, and what the verifier found of that."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from lastro.errors import LastroError
from lastro.facts import Lot
from lastro.filings import Filing, Kind, Subject
from lastro.stores.postgres.filings import Filings
from lastro.stores.postgres.sampling import Samples
from lastro.stores.postgres.view import HeldLot
from lastro.units import Mass
from lastro.web import office

HOLDS, UNFOUNDED = "holds", "unfounded"
"""What a verifier may find of a denial: the load is not proved, or it is after all."""


@dataclass(frozen=True)
class Receipt:
    """What a recycler said of one load: what it weighed, or that it never came (None)."""

    id: int
    key: str
    recycler: str
    entity: str
    received: Mass | None
    stated: Mass | None
    received_on: date | None
    reason: str
    by: str
    on: date
    version: int

    @property
    def denied(self) -> bool:
        return self.received is None

    @property
    def short(self) -> bool:
        """Whether less came than the note states."""
        return self.received is not None and self.stated is not None and self.received < self.stated

    @property
    def asks(self) -> bool:
        """Whether a verifier should look at it."""
        return self.denied or self.short


@dataclass(frozen=True)
class Looked:
    """What a verifier's person found of a receipt: `receipt` is the version that was looked at."""

    finding: str
    reason: str
    by: str
    on: date
    receipt: int


def receipt_of(filed: Filing) -> Receipt:
    """A filing as the receipt it is."""
    body, key = filed.body, filed.subject.name.partition("/")[0]
    return Receipt(
        id=filed.id,
        key=key,
        recycler=filed.subject.party,
        entity=filed.addressee,
        received=Mass(int(body["received_mg"])) if body.get("received_mg") is not None else None,
        stated=Mass(int(body["stated_mg"])) if body.get("stated_mg") is not None else None,
        received_on=date.fromisoformat(body["received_on"]) if body.get("received_on") else None,
        reason=str(body.get("reason", "")),
        by=filed.by,
        on=filed.on,
        version=filed.version,
    )


def receipts(entities: Collection[str]) -> list[Receipt]:
    """What recyclers told these entities, the latest word on each load, the latest first."""
    if not entities:
        return []
    found = Filings(office.store(), sees=entities).standing(Kind.RECEIPT)
    return [receipt_of(filed) for filed in found if filed.addressee in entities]


def looked(verifier: str) -> dict[tuple[str, str, str], Looked]:
    """What a verifier found of receipts, by key, recycler and entity."""
    found = {}
    for filed in Filings(office.store(), sees=verifier).standing(Kind.LOOKED, party=verifier):
        key, recycler, entity = filed.subject.name.split("/")
        found[key, recycler, entity] = _looked(filed)
    return found


def _looked(filed: Filing) -> Looked:
    body = filed.body
    return Looked(str(body["finding"]), str(body["reason"]), filed.by, filed.on, int(body["receipt"]))


@dataclass(frozen=True)
class Told:
    """A receipt as the entity reads it, with what its verifier found of it (None: nothing yet)."""

    receipt: Receipt
    opinion: Looked | None

    @property
    def answer(self) -> str:
        if self.receipt.denied:
            return "não recebeu"
        return "recebeu menos" if self.receipt.short else "recebeu"

    @property
    def found(self) -> str:
        """The verifier's opinion in words; empty where none is needed."""
        if self.opinion is None:
            return "espera o parecer do verificador" if self.receipt.asks else ""
        stale = "" if self.opinion.receipt == self.receipt.id else " (o comprador mudou a resposta depois)"
        said = "massa não comprovada" if self.opinion.finding == HOLDS else "massa comprovada"
        return f"{said}: {self.opinion.reason}{stale}"


def told(entity: str) -> list[Told]:
    """What buyers said of the loads that an entity handed in, and what verifiers found of that."""
    opinions = {
        tuple(filed.subject.name.split("/")): _looked(filed)
        for filed in reversed(Filings(office.store(), sees=entity).standing(Kind.LOOKED, addressee=entity))
    }
    return [Told(one, opinions.get((one.key, one.recycler, one.entity))) for one in receipts([entity])]


def waiting(entities: Collection[str], *, verifier: str) -> list[Receipt]:
    """The receipts that ask a verifier something and were not looked at since they were last changed."""
    answered = {at: one.receipt for at, one in looked(verifier).items()}
    return [
        one
        for one in receipts(entities)
        if one.asks and answered.get((one.key, one.recycler, one.entity)) != one.id
    ]


def look(receipt: Receipt, *, verifier: str, finding: str, reason: str, by: str, on: date) -> None:
    """Keep what a verifier's person found of a receipt; the entity may read it. Raises LastroError."""
    if finding not in (HOLDS, UNFOUNDED):
        raise LastroError("Diga se a massa da carga fica comprovada ou não.")
    if not reason.strip():
        raise LastroError("Escreva o que você conferiu: o ticket da balança, o MTR, o CDF ou a visita.")
    subject = Subject(Kind.LOOKED, verifier, name=f"{receipt.key}/{receipt.recycler}/{receipt.entity}")
    filings = Filings(office.store(), sees=verifier)
    last = filings.latest(subject)
    filings.add(
        subject,
        {"finding": finding, "reason": reason.strip(), "receipt": receipt.id},
        by=by,
        on=on,
        after=last.version if last else 0,
        addressee=receipt.entity,
    )


# ── what stays out of a homologation ─────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Unproved:
    """A lot that a verifier does not homologate for now, and why."""

    lot: HeldLot
    why: str


def to_homologate(entity: str, year: int, *, verifier: str) -> tuple[list[Lot], list[Unproved]]:
    """The lots of a year that wait for a statement: those that go in, and those that stay out and why.

    Out stay loads that their buyer denies or weighed short until somebody looked, those found unproved, and
    those in which the check by hand found less than was entered.
    """
    waits = {one.key: "o comprador nega a carga ou pesou menos; falta o seu parecer"
             for one in waiting([entity], verifier=verifier)}  # fmt: skip
    found = {at[0]: one.reason for at, one in looked(verifier).items()
             if at[2] == entity and one.finding == HOLDS}  # fmt: skip
    norm = office.default_norm()
    sampled = Samples(office.store(), verifier=verifier, entity=entity, norm=norm, year=year).standing()
    checks = sampled.checks if sampled else {}
    into, out = [], []
    for held in office.store().lots(entity=entity, year=year):
        if held.homologated or not held.mass or held.book != "TARGET":
            continue
        key, item = held.lot.access_key, (held.lot.access_key, held.lot.line)
        check = checks.get(item)
        if key in waits:
            out.append(Unproved(held, waits[key]))
        elif key in found:
            out.append(Unproved(held, f"massa não comprovada: {found[key]}"))
        elif check is not None and check.right < held.mass:
            out.append(Unproved(held, f"conferida à mão: comprova-se {check.right}; {check.reason}"))
        else:
            into.append(held.lot)
    return into, out
