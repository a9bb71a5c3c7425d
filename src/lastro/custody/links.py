"""Which note goes with which manifest and certificate: by what they name, and else only perhaps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from lastro.custody.loads import WHOLE, Certified, Load, pool_of
from lastro.ids import Material
from lastro.units import Mass, total

NUMBER_DAYS = 60
"""A manifest that names a note by its bare number means one issued within so many days of it."""

NEAR_DAYS = 3
"""How far apart a note and a manifest may be dated to be thought of as one load."""

TOLERANCE = Fraction(1, 10)
"""How far a note's mass may be from its manifest's for that: scrap leaves by estimate."""


@dataclass(frozen=True)
class Goods:
    """One line of a note that weighs something of a material."""

    line: int
    material: Material
    mass: Mass


@dataclass(frozen=True)
class Note:
    """What matching looks at in a note that is alive; `parties` are the roots of the two companies.

    `named` are the manifests that it names itself, or that a claimant named for it.
    """

    access_key: str
    issued_on: date
    parties: frozenset[str]
    goods: tuple[Goods, ...]
    named: frozenset[str] = frozenset()
    plates: frozenset[str] = frozenset()

    @property
    def number(self) -> str:
        """The note's number, without zeros in front."""
        return self.access_key[25:34].lstrip("0")


@dataclass(frozen=True)
class Links:
    """Who goes with whom. `exact` says of each load whether its mass is told by material."""

    notes: tuple[Note, ...]
    loads: tuple[Load, ...]
    certificates: tuple[Certified, ...]
    by_note: Mapping[Note, tuple[Load, ...]]
    by_load: Mapping[str, tuple[Note, ...]]
    listed: Mapping[str, tuple[Certified, ...]]
    candidates: Mapping[Note, tuple[Load, ...]]
    unfound: Mapping[Note, tuple[tuple[str, str], ...]]
    exact: Mapping[str, bool]

    def of(self, note: Note) -> tuple[Load, ...]:
        return self.by_note.get(note, ())

    def notes_of(self, load: Load) -> tuple[Note, ...]:
        return self.by_load.get(load.key, ())

    def certificates_of(self, load: Load) -> tuple[Certified, ...]:
        """The living certificates that list a load."""
        return self.listed.get(load.key, ())

    def on(self, certificate: Certified) -> list[Load]:
        return [load for load in self.loads if certificate in self.certificates_of(load)]

    def not_listed(self, load: Load) -> bool:
        """Whether every certificate that a load names is known and alive, and none at all lists the load."""
        known = {c.number for c in self.certificates if c.alive and c.destination == load.destination}
        named = load.certificates
        return bool(named) and named <= known and not self.certificates_of(load)

    def asked_of(self, load: Load, pool: str, exact: Mapping[str, bool]) -> Mass:
        """What the notes of a load weigh of a pool."""
        return total(
            goods.mass
            for note in self.notes_of(load)
            for goods in note.goods
            if pool_of(goods.material, exact_=exact[load.key]) == pool
        )

    def pools_of(self, load: Load) -> set[str]:
        return {m.value for m in load.materials} if self.exact[load.key] and load.materials else {WHOLE}


def link(notes: Sequence[Note], loads: Sequence[Load], certificates: Sequence[Certified]) -> Links:
    """Link what names each other, between papers of the same two companies; the rest are candidates."""
    alive = [load for load in loads if load.state != "cancelled"]
    every = (*alive, *_told_by_certificates(notes, loads, certificates))
    near = _by_parties(every)
    by_note = {note: mine for note in notes if (mine := _loads_of(note, near.get(note.parties, ())))}
    by_load: defaultdict[str, list[Note]] = defaultdict(list)
    for note, mine in by_note.items():
        for load in mine:
            by_load[load.key].append(note)
    listed = {load.key: found for load in every if (found := _listing(load, certificates))}
    unfound = {note: gone for note in notes if (gone := _unfound(note, by_note.get(note, ()), loads))}
    free = _by_parties(load for load in alive if load.key not in by_load)
    return Links(
        notes=tuple(notes),
        loads=every,
        certificates=tuple(certificates),
        by_note=by_note,
        by_load={name: tuple(found) for name, found in by_load.items()},
        listed=listed,
        candidates={
            note: fits
            for note in notes
            if note not in by_note
            and not note.named
            and (fits := tuple(one for one in free.get(note.parties, ()) if _near(note, one)))
        },
        unfound=unfound,
        exact=_exact(every, listed),
    )


def _told_by_certificates(
    notes: Sequence[Note], loads: Sequence[Load], certificates: Sequence[Certified]
) -> list[Load]:
    """Manifests that a note names and a living certificate lists, though nobody handed them in."""
    known = {number for load in loads for number in load.numbers}
    named = {number for note in notes for number in note.named} - known
    found = {}
    for certificate in certificates:
        for number in sorted(named & certificate.manifests) if certificate.alive else ():
            found[number, certificate.generator, certificate.destination] = Load(
                numbers=frozenset((number,)),
                generator=certificate.generator,
                destination=certificate.destination,
                state="unseen",
                step="",
                began_on=None,
                shipped_on=None,
                received_on=None,
                plates=frozenset(),
                versions=(),
            )
    return [found[at] for at in sorted(found)]


def _by_parties(loads: Iterable[Load]) -> dict[frozenset[str], list[Load]]:
    found: defaultdict[frozenset[str], list[Load]] = defaultdict(list)
    for load in loads:
        found[load.parties].append(load)
    return found


def _loads_of(note: Note, loads: Sequence[Load]) -> tuple[Load, ...]:
    return tuple(load for load in loads if _named(note, load))


def _named(note: Note, load: Load) -> bool:
    if note.named & load.numbers or note.access_key in load.mentions:
        return True
    days = [day for day in (load.began_on, load.shipped_on, load.received_on) if day]
    return note.number in load.mentions and any(_within(note.issued_on, day, NUMBER_DAYS) for day in days)


def _within(one: date, other: date, days: int) -> bool:
    return abs(one - other) <= timedelta(days=days)


def _listing(load: Load, certificates: Sequence[Certified]) -> tuple[Certified, ...]:
    return tuple(
        certificate
        for certificate in certificates
        if certificate.alive
        and (certificate.manifests & load.numbers or _by_name(load, certificate))
        and (certificate.generator, certificate.destination) == (load.generator, load.destination)
    )


def _by_name(load: Load, certificate: Certified) -> bool:
    """Whether a load names a certificate of which no list of manifests is known."""
    return not certificate.manifests and certificate.number in load.certificates


def _unfound(note: Note, mine: Sequence[Load], loads: Sequence[Load]) -> tuple[tuple[str, str], ...]:
    """The manifests that a note names and that are not there for it, each with why."""
    seen = {number for load in mine if load.state != "unseen" for number in load.numbers}
    found = []
    for number in sorted(note.named - seen):
        same = [load for load in loads if number in load.numbers]
        legs = [load for load in same if load.step and load.parties & note.parties]
        if legs:
            continue
        ours = [load for load in same if load.parties == note.parties]
        why = "não foi entregue" if not same else "cancelado" if ours else "de outras empresas"
        found.append((number, why))
    return tuple(found)


def _near(note: Note, load: Load) -> bool:
    """Whether a load could be the note's: parties, day, material and mass fit, and no plate is another."""
    days = [day for day in (load.shipped_on or load.began_on, load.received_on) if day]
    if not any(_within(note.issued_on, day, NEAR_DAYS) for day in days):
        return False
    if note.plates and load.plates and not note.plates & load.plates:
        return False
    return any(_alike(load, material, mass) for material, mass in _by_material(note).items())


def _by_material(note: Note) -> dict[Material, Mass]:
    found: defaultdict[Material, int] = defaultdict(int)
    for goods in note.goods:
        found[goods.material] += goods.mass.mg
    return {material: Mass(mg) for material, mg in found.items()}


def _alike(load: Load, material: Material, mass: Mass) -> bool:
    if load.materials and material not in load.materials:
        return False
    pool = pool_of(material, exact_=load.exact and bool(load.materials))
    received = load.received(pool)
    told = received if received is not None else load.indicated(pool)
    return told is not None and abs(told.mg - mass.mg) <= TOLERANCE * max(told.mg, mass.mg)


def _exact(loads: Sequence[Load], listed: Mapping[str, tuple[Certified, ...]]) -> dict[str, bool]:
    """Loads that share certificates, directly or through others, tell masses by material all or none."""
    found = {load.key: load.exact for load in loads}
    while True:
        vague = {
            certificate
            for load in loads
            for certificate in listed.get(load.key, ())
            if not (certificate.exact and found[load.key])
        }
        change = {
            load.key for load in loads if found[load.key] and vague.intersection(listed.get(load.key, ()))
        }
        if not change:
            return found
        found.update(dict.fromkeys(change, False))
