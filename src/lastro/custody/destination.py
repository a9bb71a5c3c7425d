"""Notes, the manifests (MTR) under which their loads travelled, and the certificates (CDF) of their end.

A link is a proof only where a paper names another by its number: the note its manifest, the manifest its note
or its certificate, the certificate its manifests; and only between papers of the same two companies. What
fits by parties, day, material and mass alone is a candidate: it is named to people and never counts by
itself.

What a line counts is the smallest of what the note says, of its part of what was received under its
manifests, and of that in what their certificates certify (decision 8). Parts of what is not enough go pro
rata, so that no load is refused for another's sake. All follows from the set of papers, in any order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from lastro.custody.capacity import Capacities, carries, granted_of
from lastro.custody.count import Limit
from lastro.custody.links import Goods, Links, Note, link
from lastro.custody.loads import WHOLE, Load, pool_of
from lastro.custody.versions import certified_of, loads_of
from lastro.facts import Beside, Finding, Severity
from lastro.findings import finding
from lastro.units import Mass, total
from lastro.waste import DestinationCertificate, Manifest

CONFIRM_DAYS = 10
"""A receiver confirms within so many days (Portaria MMA 280/2020); a note's date may be off by as much."""


@dataclass(frozen=True)
class Destined:
    """What papers beside a note make of it, by line: see `KeyView`."""

    limits: Mapping[int, tuple[Limit, ...]] = field(default_factory=dict)
    doubts: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)
    notices: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)
    papers: tuple[Beside, ...] = ()


def destinations(
    notes: Iterable[Note],
    manifests: Iterable[Manifest],
    certificates: Iterable[DestinationCertificate],
) -> dict[str, Destined]:
    """What the papers make of each note, by access key; a note that no paper touches is left out.

    Codes: C05 to C12. Of the notes only those may be given that are authentic and neither cancelled nor
    returned.
    """
    known = sorted(set(notes), key=lambda note: note.access_key)
    links = link(known, loads_of(manifests), certified_of(certificates))
    caps = Capacities(links)
    masses = {step: granted_of(links, caps, step) for step in ("origin", "process", "")}
    found = {}
    for note in known:
        mine = links.of(note)
        if mine or note in links.candidates or note in links.unfound:
            found[note.access_key] = _destined(note, mine, links, caps, masses)
    return found


def _destined(
    note: Note,
    loads: Sequence[Load],
    links: Links,
    caps: Capacities,
    masses: Mapping[str, Mapping[tuple[str, int], Mass]],
) -> Destined:
    limits: defaultdict[int, list[Limit]] = defaultdict(list)
    doubts: dict[int, tuple[Finding, ...]] = {}
    about = tuple(_doubts_of_note(note, loads, links))
    for goods in note.goods:
        for step, given in masses.items():
            mass = given.get((note.access_key, goods.line))
            if mass is not None and mass < goods.mass:
                of_step = [load for load in loads if load.step == step]
                limits[goods.line].append(_limit(goods, mass, of_step, caps))
        not_listed = [load for load in loads if links.not_listed(load)]
        if not_listed:
            limits[goods.line].append(_uncertified(not_listed[0]))
        asked = about + tuple(_doubts_of_goods(goods, loads, links))
        if asked:
            doubts[goods.line] = tuple(dict.fromkeys(asked))
    notices = tuple(_notices(note, loads, links))
    return Destined(
        {line: tuple(found) for line, found in limits.items()},
        doubts,
        {0: notices} if notices else {},
        tuple(_beside(loads, links)),
    )


def _limit(goods: Goods, mass: Mass, loads: Sequence[Load], caps: Capacities) -> Limit:
    """C08, C07 or C12: what of a line the papers leave; where nothing is left, the line is refused."""
    told = [caps.of(load, caps.pool(load, goods.material)) for load in loads if carries(load, goods)]
    codes = {cap[1] for cap in told if cap is not None}
    code = next((c for c in ("C12", "C07") if c in codes), "C08")
    names = ", ".join(load.name for load in loads)
    what = {"C07": "certificados", "C08": "recebidos", "C12": "reciclados"}[code]
    seen = finding(
        code,
        where=f"item {goods.line}",
        found=f"{mass} {what} (MTR {names})",
        expected=f"{goods.mass} da nota",
        severity=None if mass else Severity.REFUSE,
    )
    return Limit(mass, seen)


def _uncertified(load: Load) -> Limit:
    """C06: the manifest names a certificate that is known and does not list it, nor does any other."""
    number = min(load.certificates)
    return Limit(
        Mass(0),
        finding(
            "C06",
            where=f"MTR {load.name}",
            found=f"MTR {load.name}, que diz estar no CDF {number}",
            expected=f"MTR na lista do CDF {number}",
            severity=Severity.REFUSE,
        ),
    )


def _doubts_of_note(note: Note, loads: Sequence[Load], links: Links) -> Iterable[Finding]:
    """C09 and C10 of its manifests and certificates, C05 where only candidates are known."""
    for load in loads:
        yield from load.doubts
        yield from _days(note, load, links)
        for certificate in links.certificates_of(load):
            yield from certificate.doubts
    candidates = links.candidates.get(note, ())
    if candidates:
        names = ", ".join(load.name for load in candidates[:3])
        more = f" e mais {len(candidates) - 3}" if len(candidates) > 3 else ""
        yield finding(
            "C05",
            where="MTR da nota",
            found=f"talvez MTR {names}{more}",
            expected="o número do MTR na nota ou no arquivo de lotes",
            severity=Severity.REVIEW,
        )


def _days(note: Note, load: Load, links: Links) -> Iterable[Finding]:
    """C10: shipped after it was received, a note far from its load, or a receipt outside the CDF's period."""
    shipped, received, around = load.shipped_on, load.received_on, timedelta(days=CONFIRM_DAYS)
    where = f"MTR {load.name}"
    if shipped and received and received < shipped:
        yield finding(
            "C10", where=where, found=f"{where}: recebido em {received}, antes de sair em {shipped}"
        )
    first = min((day for day in (load.began_on, shipped, received) if day), default=None)
    last = received or shipped or load.began_on
    if first and last and not first - around <= note.issued_on <= max(first, last) + around:
        said = f"{where}: de {first} a {last}; nota de {note.issued_on}"
        yield finding("C10", where=where, found=said, expected=f"até {CONFIRM_DAYS} dias de diferença")
    for certificate in links.certificates_of(load):
        begin, end = certificate.period
        if received and ((begin and received < begin) or (end and received > end)):
            said = f"CDF {certificate.number}: de {begin} a {end}; {where} recebido em {received}"
            yield finding("C10", where=f"CDF {certificate.number}", found=said)


def _doubts_of_goods(goods: Goods, loads: Sequence[Load], links: Links) -> Iterable[Finding]:
    """C11 where no manifest of the note carries the material; C12 where a person must tell the treatment."""
    where = f"item {goods.line}"
    if loads and not any(carries(load, goods) for load in loads):
        names = ", ".join(load.name for load in loads)
        yield finding("C11", where=where, found=f"MTR {names}: outro resíduo", expected=goods.material.value)
    for load in loads:
        for certificate in links.certificates_of(load):
            if certificate.materials and goods.material not in certificate.materials:
                said = f"CDF {certificate.number}: outro resíduo"
                yield finding("C11", where=where, found=said, expected=goods.material.value)
            pool = pool_of(goods.material, exact_=links.exact[load.key])
            if certificate.fates(pool) & {"maybe", ""}:
                said = f"CDF {certificate.number}: tratamento a confirmar"
                yield finding("C12", where=where, found=said, severity=Severity.REVIEW)


def _notices(note: Note, loads: Sequence[Load], links: Links) -> Iterable[Finding]:
    """C05 for each number that leads nowhere; C12 where a manifest already tells another treatment."""
    for number, why in links.unfound.get(note, ()):
        yield finding("C05", where="MTR da nota", found=f"MTR {number}: {why}", expected="o MTR desta carga")
    for load in loads:
        fates = {part.fate for parts in load.versions for part in parts}
        if "no" in fates and not links.certificates_of(load):
            yield finding("C12", where=f"MTR {load.name}", found=f"MTR {load.name}", expected="reciclagem")


def _beside(loads: Sequence[Load], links: Links) -> Iterable[Beside]:
    seen = set()
    for load in loads:
        parts = [load.received(pool) for pool in sorted(links.pools_of(load))]
        known = [mass for mass in parts if mass is not None]
        yield Beside(
            "mtr", load.name, load.state, total(known) if known and len(known) == len(parts) else None
        )
        for certificate in links.certificates_of(load):
            if certificate.number not in seen:
                seen.add(certificate.number)
                mass = certificate.mass(WHOLE, fates=("recycling", "maybe", "", "no"))
                yield Beside("cdf", certificate.number, "issued", mass)
