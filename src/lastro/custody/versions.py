"""What several papers about one load say together: versions of a manifest, of a certificate, second lorries.

A manifest may be handed in before and after its receipt, after a change, after its cancellation, by its
national and by its state's number; files come in any order, so what it is follows from the set of versions:
cancelled if one says so, else received if one says so, for the smallest mass that one says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeVar

from lastro.custody.loads import Certified, Load, Part, part_of
from lastro.facts import Finding
from lastro.findings import finding
from lastro.ids import company_of
from lastro.tables.sinir import folded, state_of
from lastro.units import Mass, total
from lastro.waste import DestinationCertificate, Manifest

Paper = TypeVar("Paper", Manifest, DestinationCertificate)


def loads_of(manifests: Iterable[Manifest]) -> tuple[Load, ...]:
    """The loads that manifests stand for, each once, in the order of their numbers."""
    groups = _joined(manifests, lambda m: [f"{n}/{company_of(m.generator)}" for n in _numbers(m)])
    loads = [_load(versions) for versions in groups]
    return tuple(sorted(_with_complements(loads), key=lambda load: load.name))


def _numbers(manifest: Manifest) -> list[str]:
    return [n for n in (manifest.number, manifest.state_number) if n]


def _load(versions: Sequence[Manifest]) -> Load:
    states = {state_of(one.situation) for one in versions}
    state = next((s for s in ("cancelled", "received") if s in states), "open")
    told = [one for one in versions if state_of(one.situation) == state] or list(versions)
    parts = sorted({tuple(part_of(r) for r in one.residues) for one in told}, key=repr)
    one = min(told, key=repr)
    load = Load(
        numbers=frozenset(n for v in versions for n in _numbers(v)),
        generator=company_of(one.generator),
        destination=company_of(one.destination),
        state=state,
        step=_step(one.kind),
        began_on=_first(v.issued_on for v in versions),
        shipped_on=_first(v.shipped_on for v in versions),
        received_on=_first(v.received_on for v in told),
        plates=frozenset(v.plate for v in versions if v.plate),
        versions=tuple(parts),
        certificates=frozenset(v.certificate for v in told if v.certificate),
        mentions=frozenset(m for v in versions for m in v.mentions),
        complements=max(v.complements for v in versions),
    )
    return replace(load, doubts=tuple(_changed(load, amended=any(v.amended for v in versions))))


def _changed(load: Load, *, amended: bool) -> Iterable[Finding]:
    """C09: what was received was changed, or two versions say two things of it."""
    versions = len(_said(load.versions))
    if load.state == "received" and (amended or versions > 1):
        said = "massa alterada depois do recebimento" if amended else f"{versions} versões"
        yield finding("C09", where=f"MTR {load.name}", found=f"MTR {load.name}: {said}", expected="uma só")


def _said(versions: Iterable[tuple[Part, ...]]) -> set[tuple[object, ...]]:
    """What versions tell of masses and materials; that one leaves out a treatment makes no other version."""
    return {tuple(sorted((*sorted(p.materials), str(p.received)) for p in parts)) for parts in versions}


def _step(kind: str) -> str:
    words = folded(kind)
    if "LOGISTICA REVERSA" not in words and not words.startswith("LR"):
        return ""
    return "origin" if "ORIGEM" in words else "process"


def _first(days: Iterable[date | None]) -> date | None:
    return min((day for day in days if day is not None), default=None)


def _with_complements(loads: Sequence[Load]) -> list[Load]:
    """Loads with those that repeat them for a second lorry made one: their mass is not there twice."""
    by_number = {(number, load.parties): load for load in loads for number in load.numbers}
    groups: defaultdict[str, list[Load]] = defaultdict(list)
    for load in loads:
        first = by_number.get((load.complements, load.parties), load) if load.complements else load
        if "cancelled" in (first.state, load.state):
            first = load
        groups[first.key].append(load)
    return [_one(group, key) for key, group in groups.items()]


def _one(group: Sequence[Load], key: str) -> Load:
    if len(group) == 1:
        return group[0]
    first = next(load for load in group if load.key == key)
    rest = sorted((load for load in group if load is not first), key=lambda load: load.name)
    parts = [min(load.versions, key=repr) for load in (first, *rest)]
    return replace(
        first,
        numbers=frozenset(n for load in group for n in load.numbers),
        state="received" if all(load.state == "received" for load in group) else "open",
        plates=frozenset(p for load in group for p in load.plates),
        certificates=frozenset(c for load in group for c in load.certificates),
        mentions=frozenset(m for load in group for m in load.mentions),
        doubts=tuple(d for load in (first, *rest) for d in load.doubts),
        versions=(_several_lorries(parts),),
    )


def _several_lorries(lorries: Sequence[tuple[Part, ...]]) -> tuple[Part, ...]:
    """The parts of one load on several lorries: added up, but never above what the first was sent with,
    unless one lorry alone brought more.
    """
    materials = sorted({part.materials for parts in lorries for part in parts}, key=sorted)
    out = []
    for kind in materials:
        mine = [[part for part in parts if part.materials == kind] for parts in lorries]
        sums = [_sum([p.received for p in parts]) for parts in mine if parts]
        sent = _sum([p.indicated for p in mine[0]]) if mine[0] else None
        received = _sum(sums)
        if received is not None and sent is not None:
            most = max(sent.mg, *(one.mg for one in sums if one is not None))
            received = Mass(min(received.mg, most))
        fates = {p.fate for parts in mine for p in parts}
        out.append(Part(kind, sent, received, fates.pop() if len(fates) == 1 else ""))
    return tuple(out)


def _sum(masses: Iterable[Mass | None]) -> Mass | None:
    found = list(masses)
    known = [one for one in found if one is not None]
    return total(known) if found and len(known) == len(found) else None


def certified_of(certificates: Iterable[DestinationCertificate]) -> tuple[Certified, ...]:
    """The CDFs, each once, in the order of their numbers."""
    groups = _joined(certificates, lambda c: [f"{c.number}/{company_of(c.destination)}"])
    return tuple(sorted((_certified(group) for group in groups), key=lambda c: (c.number, c.destination)))


def _certified(versions: Sequence[DestinationCertificate]) -> Certified:
    one = min(versions, key=repr)
    parts = sorted({tuple(part_of(r) for r in v.residues) for v in versions if v.residues}, key=repr)
    doubts: tuple[Finding, ...] = ()
    if len(_said(parts)) > 1:
        found = f"CDF {one.number}: {len(_said(parts))} versões"
        doubts = (finding("C09", where=f"CDF {one.number}", found=found, expected="uma só"),)
    return Certified(
        number=one.number,
        generator=company_of(one.generator),
        destination=company_of(one.destination),
        alive=all("CANCEL" not in folded(v.situation) for v in versions),
        period=(
            _first(v.period_from for v in versions),
            max((v.period_to for v in versions if v.period_to), default=None),
        ),
        manifests=frozenset(n for v in versions for n in v.manifests),
        versions=tuple(parts),
        doubts=doubts,
    )


def _joined(papers: Iterable[Paper], names: Callable[[Paper], list[str]]) -> list[list[Paper]]:
    """Papers that share a name, directly or through others, together; equal ones once."""
    kept: list[Paper] = sorted(set(papers), key=repr)
    leads: dict[str, str] = {}

    def lead(name: str) -> str:
        while leads.setdefault(name, name) != name:
            name = leads[name]
        return name

    groups: defaultdict[str, list[Paper]] = defaultdict(list)
    for paper in kept:
        first, *rest = names(paper) or [repr(paper)]
        for other in rest:
            leads[lead(other)] = lead(first)
    for paper in kept:
        groups[lead((names(paper) or [repr(paper)])[0])].append(paper)
    return list(groups.values())
