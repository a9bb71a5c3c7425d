"""A note beside the others of its mass: which of them counts, and what only people can tell.

For: one mass, one lot, however many notes tell it. A note that refers to a sale of the same two parties
counts in its stead (M15, a block like a return). A seller's note and a buyer's note that only look like one
load are a question: the seller's counts, the buyer's waits for two people. Where different entities claim two
notes of one mass, the note that counts is contested (C02) as if both claimed it. All follows from the set of
papers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lastro.evidence.kin import Sale, party_of, summed, twins
from lastro.facts import Finding, Kin
from lastro.findings import finding
from lastro.ids import masked
from lastro.units import Mass


@dataclass(frozen=True)
class Member:
    """One note as its family sees it.

    `sale` is what a twin would know it by, `masses` the milligrams by material that it tells, sale or not;
    `references` the notes it refers to, and `undoes` what it does to some of them (N16, M15), where that
    holds; `claimants` have an admitted claim on it; `blocked` are the codes by which other papers stop it.
    """

    access_key: str
    sale: Sale | None = None
    references: tuple[str, ...] = ()
    undoes: Mapping[str, str] = field(default_factory=dict)
    claimants: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    masses: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """The other notes of a note's mass, and what they ask of people about all of its lines.

    `echo`: another note tells the same mass and stands for it, so that it moved once and not twice.
    """

    kin: tuple[Kin, ...] = ()
    doubts: tuple[Finding, ...] = ()
    echo: bool = False


def family_of(own: Member, others: Iterable[Member]) -> Family:
    """What the notes around it make of a note. Codes: M15 (perhaps told twice), C02 (claimed by another)."""
    known = sorted(others, key=lambda other: other.access_key)
    kin = [one for other in known for one in _relations(own, other)]
    doubts = [doubt for other in known for doubt in _doubts(own, other)]
    doubts += [doubt for other in known for doubt in _too_much(own, other, known)]
    sums = list(_sums(own, known))
    doubts += [doubt for mine, theirs in sums for doubt in _told_in_parts(own, mine, theirs)]
    named = {one.access_key for one in kin}
    parts = {other.access_key for _, theirs in sums for other in theirs}
    kin += [Kin(key, "twin", "M15") for key in sorted(parts - named)]
    echo = any(_stands_for(other, own) for other in known)
    echo = echo or any(_stand_for(theirs, own, mine) for mine, theirs in sums)
    return Family(tuple(kin), tuple(doubts), echo)


_Side = tuple[Member, ...]
"""Notes that one party wrote."""


def _sums(own: Member, known: Sequence[Member]) -> Iterator[tuple[_Side, _Side]]:
    """Where one note tells what several of the other party tell together: a note's side, and the other."""
    alive = [other for other in known if not other.blocked]
    if theirs := summed(own, [other for other in alive if not _linked(own, other)]):
        yield (own,), theirs
    for other in alive:
        if not own.blocked and not _linked(own, other):
            mine = summed(other, [one for one in (own, *alive) if not _linked(one, other)])
            if own in mine:
                yield mine, (other,)


def _stand_for(theirs: _Side, own: Member, mine: _Side) -> bool:
    """Whether of two sides that may be one mass the other stands for it: the claimed, else the seller's."""
    assert own.sale is not None, "what may be one load is a sale"
    claimed = any(other.claimants for other in theirs)
    if own.sale.written_by_buyer:
        return claimed or not own.claimants
    return claimed and not any(one.claimants for one in mine)


def _told_in_parts(own: Member, mine: _Side, theirs: _Side) -> Iterator[Finding]:
    """M15 on the buyer's notes, C02 on the seller's where another entity claims the buyer's."""
    keys, claimants = ", ".join(one.access_key for one in theirs), {w for t in theirs for w in t.claimants}
    where = "chave de acesso"
    assert own.sale is not None, "what may be one load is a sale"
    if not own.sale.written_by_buyer:
        for who in sorted(claimants - own.claimants):
            found = f"{masked(who)} reivindica a mesma massa por {keys}"
            yield finding("C02", where=where, found=found, expected="uma entidade por massa")
    elif claimants:
        rest = ", ".join(one.access_key for one in mine if one is not own)
        said = (
            f"nota do vendedor da massa que esta e {rest} somam"
            if rest
            else "notas do vendedor que somam esta"
        )
        found = f"{keys}: {said}, mesmas partes e material"
        yield finding("M15", where=where, found=found, expected="uma nota por carga")


def _linked(own: Member, other: Member) -> bool:
    """Whether one of two refers to the other: then nothing is left to guess."""
    return other.access_key in own.references or own.access_key in other.references


def _stands_for(other: Member, own: Member) -> bool:
    """Whether of two that may be one the other stands for the mass: who is claimed, else the seller's own."""
    if not _may_be_one(own, other) or other.blocked:
        return False
    assert own.sale is not None, "what may be one load is a sale"
    if own.sale.written_by_buyer:
        return bool(other.claimants) or not own.claimants
    return bool(other.claimants) and not own.claimants


def _relations(own: Member, other: Member) -> Iterator[Kin]:
    if other.access_key in own.references:
        yield Kin(other.access_key, "refers_to", own.undoes.get(other.access_key, ""))
    if own.access_key in other.references:
        yield Kin(other.access_key, "referred_by", other.undoes.get(own.access_key, ""))
    if _may_be_one(own, other):
        yield Kin(other.access_key, "twin", "M15")


def _may_be_one(own: Member, other: Member) -> bool:
    """Whether two notes only look like one load: neither refers to the other."""
    if own.sale is None or other.sale is None or _linked(own, other):
        return False
    return twins(own.sale, other.sale)


def _doubts(own: Member, other: Member) -> Iterator[Finding]:
    where = "chave de acesso"
    if _mutual(own, other):
        if other.claimants and not other.blocked:
            found = f"{other.access_key}: cada uma das duas notas se refere à outra"
            yield finding("M15", where=where, found=found, expected="uma nota por carga")
    elif own.undoes.get(other.access_key) == "M15" and "N10" not in other.blocked:
        yield from _contests(own, other)
    elif _may_be_one(own, other) and not other.blocked and other.claimants:
        assert own.sale is not None, "what may be one load is a sale"
        if own.sale.written_by_buyer:
            found = f"{other.access_key}: nota do vendedor, mesmas partes, material e massa"
            yield finding("M15", where=where, found=found, expected="uma nota por carga")
        else:
            yield from _contests(own, other)


def _mutual(own: Member, other: Member) -> bool:
    """Whether each of two tells the other anew: then neither is the later word, and people say which is."""
    return "M15" == own.undoes.get(other.access_key) == other.undoes.get(own.access_key)


def _too_much(own: Member, first: Member, known: Iterable[Member]) -> Iterator[Finding]:
    """M15 where several notes tell one anew, each a part of it, and together more than it weighs."""
    if own.undoes.get(first.access_key) != "M15" or not first.masses:
        return
    rest = [
        other
        for other in known
        if other.undoes.get(first.access_key) == "M15" and other.claimants and not other.blocked
    ]
    told: Counter[str] = Counter()
    for one in (own, *rest):
        told.update(one.masses)
    if rest and any(mg > first.masses.get(material, 0) for material, mg in told.items()):
        beside = ", ".join(one.access_key for one in rest)
        found = f"{beside}: com esta contam mais massa do que a nota {first.access_key}, a que se referem"
        limit = f"juntas, no máximo {Mass(sum(first.masses.values()))}"
        yield finding("M15", where="chave de acesso", found=found, expected=limit)


def _contests(own: Member, other: Member) -> Iterator[Finding]:
    """C02 for each entity that claims the same mass by the other note, and not by this one."""
    for who in sorted(other.claimants - own.claimants):
        found = f"{masked(who)} reivindica a mesma massa pela nota {other.access_key}"
        yield finding("C02", where="chave de acesso", found=found, expected="uma entidade por massa")


def pair_name(one: str, other: str) -> str:
    """The name under which two companies are held: whoever looks for twins of their notes holds it."""
    return "partes/" + "/".join(sorted((party_of(one), party_of(other))))
