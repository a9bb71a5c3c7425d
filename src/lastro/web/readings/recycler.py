"""What a recycler sees: the loads said to have come to it, their manifests and certificates, what differs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from lastro.custody.loads import WHOLE
from lastro.custody.versions import certified_of, loads_of
from lastro.errors import LastroError
from lastro.facts import Beside, Document
from lastro.filings import Kind, Subject
from lastro.lawkit.glossary import label
from lastro.stores.postgres import cases as store
from lastro.stores.postgres.cases import HandedNote
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.filings import Filings
from lastro.units import Mass, portuguese, total
from lastro.web import office
from lastro.web.readings.cases import mass_by_line
from lastro.web.readings.documents import shown_party
from lastro.web.readings.loads import Receipt, receipt_of
from lastro.web.readings.sample import portuguese_cut

TO_CONFIRM, CONFIRMED, DIFFERENT, DENIED = "a confirmar", "confirmada", "confirmada, outra massa", "negada"
_ALL_FATES = ("recycling", "maybe", "", "no")


@dataclass(frozen=True)
class Load:
    """One load that notes say this recycler bought, with the papers beside it and what it said itself.

    Masses are None where no paper tells one. `shared`: a manifest of it goes with other notes too, so its
    mass is not this note's alone, and no difference is told. `entities` are those that handed the note in.
    """

    key: str
    number: str
    issued_on: date
    seller: str
    seller_id: str
    materials: str
    mass: Mass | None
    manifests: tuple[Beside, ...]
    certificates: tuple[Beside, ...]
    entities: tuple[str, ...]
    shared: bool = False
    receipt: Receipt | None = None

    @property
    def manifest_mass(self) -> Mass | None:
        return _sum(self.manifests)

    @property
    def certificate_mass(self) -> Mass | None:
        return _sum(self.certificates)

    @property
    def manifest_numbers(self) -> str:
        return ", ".join(one.number for one in self.manifests)

    @property
    def certificate_numbers(self) -> str:
        return ", ".join(one.number for one in self.certificates)

    @property
    def state(self) -> str:
        if self.receipt is None:
            return TO_CONFIRM
        if self.receipt.denied:
            return DENIED
        return CONFIRMED if self.receipt.received == self.mass else DIFFERENT

    @property
    def papers(self) -> str:
        """What is there and what is missing."""
        if not self.manifests:
            return "sem MTR"
        if not self.certificates:
            return "sem CDF" if any(one.state == "received" for one in self.manifests) else "MTR em aberto"
        return "MTR e CDF"

    @property
    def difference(self) -> str:
        """What the manifest received less or more than the note, in kilograms and percent; empty: unknown."""
        return apart(self.manifest_mass, self.mass) if not self.shared else "MTR de mais de uma nota"

    @property
    def own_difference(self) -> str:
        """What the recycler itself says came, against the note."""
        return apart(self.receipt.received, self.mass) if self.receipt else ""


def apart(told: Mass | None, stated: Mass | None) -> str:
    """How far a mass is from what a note states, in kilograms and percent of it, exact or cut (…)."""
    if told is None or stated is None:
        return ""
    mg = told.mg - stated.mg
    if not mg:
        return "nenhuma"
    sign = "+" if mg > 0 else "-"
    percent = f" ({_percent(mg, stated.mg)})" if stated.mg else ""
    return f"{sign}{Mass(abs(mg))}{percent}"


def _percent(part: int, whole: int) -> str:
    return f"{'+' if part > 0 else ''}{portuguese_cut(Fraction(part * 100, whole), most=2)}%"


def _sum(papers: Sequence[Beside]) -> Mass | None:
    masses = [one.mass for one in papers]
    known = [mass for mass in masses if mass is not None]
    return total(known) if known and len(known) == len(masses) else None


def loads(recycler: str) -> list[Load]:
    """The loads that came to a recycler by the notes known here, the latest first."""
    with custody(office.store()) as memory:
        notes = store.bought_by(memory.db, recycler)
        by_key: defaultdict[str, list[HandedNote]] = defaultdict(list)
        for note in notes:
            by_key[note.key].append(note)
        keys = sorted(by_key)
        views = memory.key_views(keys) if keys else {}
    said = receipts(recycler)
    found = [_load(by_key[key], views[key].papers, said.get(key)) for key in keys]
    several = Counter(paper.number for one in found for paper in one.manifests)
    found = [replace(one, shared=any(several[paper.number] > 1 for paper in one.manifests)) for one in found]
    return sorted(found, key=lambda one: (one.issued_on, one.key), reverse=True)


def load(recycler: str, key: str) -> Load | None:
    """One load of a recycler; None where no note of that key says it bought."""
    return next((one for one in loads(recycler) if one.key == key), None)


def _load(notes: Sequence[HandedNote], papers: Iterable[Beside], receipt: Receipt | None) -> Load:
    invoice = notes[0].document.invoice
    assert invoice is not None, "notes are read as invoices"
    masses = mass_by_line(notes)
    every = tuple(papers)
    kinds = sorted({label(line.material.value) for n in notes for line in n.lines if line.material})
    key = notes[0].key
    return Load(
        key=key,
        number=portuguese(str(int(key[25:34]))),
        issued_on=invoice.issued_on,
        seller=office.name_of(invoice.seller) or shown_party(invoice.seller),
        seller_id=shown_party(invoice.seller),
        materials=", ".join(kinds),
        mass=total(masses.values()) if masses else None,
        manifests=tuple(one for one in every if one.kind == "mtr"),
        certificates=tuple(one for one in every if one.kind == "cdf"),
        entities=tuple(sorted({note.entity for note in notes})),
        receipt=receipt,
    )


# ── what the recycler says ───────────────────────────────────────────────────────────────────────────


def receipts(recycler: str) -> dict[str, Receipt]:
    """The latest word of a recycler on each load, by key."""
    filed = Filings(office.store(), sees=recycler).standing(Kind.RECEIPT, party=recycler)
    return {one.key: one for one in sorted(map(receipt_of, filed), key=lambda one: one.id)}


def say(
    load: Load,
    *,
    recycler: str,
    received: Mass | None,
    received_on: date | None,
    reason: str,
    by: str,
    on: date,
) -> None:
    """Keep what the recycler says of a load: what came, or that nothing did (None). Raises LastroError.

    Each entity that handed the note in is told; its verifier reads it there.
    """
    if received is None and not reason.strip():
        raise LastroError("Escreva por que a carga não é sua: não chegou, foi devolvida, não a compraram.")
    if received is not None and load.mass is not None and received < load.mass and not reason.strip():
        raise LastroError("Chegou menos do que a nota diz: escreva por quê (umidade, rejeito, balança).")
    if received_on is not None and received_on > on:
        raise LastroError("O dia do recebimento ainda não chegou; confira a data.")
    body = {
        "received_mg": received.mg if received is not None else None,
        "stated_mg": load.mass.mg if load.mass is not None else None,
        "received_on": received_on.isoformat() if received_on else None,
        "reason": reason.strip(),
    }
    filings = Filings(office.store(), sees=recycler)
    for entity in load.entities:
        subject = Subject(Kind.RECEIPT, recycler, name=f"{load.key}/{entity}")
        last = filings.latest(subject)
        filings.add(subject, body, by=by, on=on, after=last.version if last else 0, addressee=entity)


# ── certificates ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Certificate:
    """One certificate of destination: what it certifies, what its manifests received, what notes say.

    `running` is what was certified up to this one in its year; None from the first whose mass is not known.
    """

    number: str
    declared_on: date | None
    period: str
    generator: str
    manifests: int
    certified: Mass | None
    received: Mass | None
    missing: int
    noted: Mass | None
    running: Mass | None = None

    @property
    def listed(self) -> str:
        """How many manifests it lists, and of how many the mass received is not known here."""
        missing = f", {self.missing} sem massa conhecida aqui" if self.missing else ""
        return f"{self.manifests}{missing}"

    @property
    def difference(self) -> str:
        return apart(self.certified, self.received)


def certificates(recycler: str, known: Sequence[Load]) -> list[Certificate]:
    """The certificates that this recycler declared, oldest first, with their running sum by year.

    `known` are its loads. A manifest that a certificate lists and nobody handed in is missing, not nil.
    """
    with custody(office.store()) as memory:
        papers = store.papers_to(memory.db, recycler)
    received = _received(papers)
    every = [d.destination for d in papers if d.destination is not None]
    told = {one.number: one for one in every}
    found = []
    for certified in certified_of(every):
        if not certified.alive:
            continue
        paper = told[certified.number]
        listed = [received.get(number) for number in paper.manifests]
        masses = [mass for mass in listed if mass is not None]
        noted = [one.mass for one in known if certified.number in {c.number for c in one.certificates}]
        weighed = [mass for mass in noted if mass is not None]
        found.append(
            Certificate(
                number=paper.number,
                declared_on=paper.declared_on,
                period=f"{_day(paper.period_from)} a {_day(paper.period_to)}",
                generator=office.name_of(paper.generator) or shown_party(paper.generator),
                manifests=len(paper.manifests),
                certified=certified.mass(WHOLE, fates=_ALL_FATES),
                received=total(masses) if masses and len(masses) == len(listed) else None,
                missing=len(listed) - len(masses),
                noted=total(weighed) if weighed and len(weighed) == len(noted) else None,
            )
        )
    return _with_sums(sorted(found, key=lambda one: (one.declared_on or date.min, one.number)))


def _received(papers: Iterable[Document]) -> dict[str, Mass]:
    """What was received under each manifest, by each of its numbers."""
    found = {}
    for load in loads_of(d.manifest for d in papers if d.manifest is not None):
        mass = load.received(WHOLE)
        if mass is not None:
            found.update(dict.fromkeys(load.numbers, mass))
    return found


def _with_sums(rows: Iterable[Certificate]) -> list[Certificate]:
    made, sums = [], dict[int, Mass | None]()
    for one in rows:
        year = one.declared_on.year if one.declared_on else 0
        before = sums.get(year, Mass(0))
        sums[year] = None if before is None or one.certified is None else before + one.certified
        made.append(replace(one, running=sums[year]))
    return made


def _day(on: date | None) -> str:
    return f"{on:%d/%m/%Y}" if on else "—"
