"""An entity's operators: until when each is homologated, what it lacks, and what that costs in kilograms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from lastro.custody.port import For
from lastro.filings import Filing, Kind
from lastro.lawkit import Regulation, library
from lastro.registry.records import Vetting, anniversary
from lastro.stores.postgres.filings import Filings
from lastro.units import Mass, total
from lastro.web import office
from lastro.web.readings import documents

PAPERS = {
    "cnpj_ok": ("cartão CNPJ", "art59-I"),
    "registrations_ok": ("inscrições estadual e municipal", "art59-II"),
    "licence_ok": ("licença ambiental", "art59-III"),
    "permit_ok": ("alvará", "art59-IV"),
}
"""The four papers of a homologation, as the registry names them, with the provision behind each."""

_CNPJ = 14
"""A person has no homologation: only establishments are operators here."""

WITHOUT = frozenset({"P03", "P04"})
"""The findings that a homologation in order cures."""


@dataclass(frozen=True)
class Operator:
    """One operator of an entity in a year.

    `valid_to` is the last day of the homologation that stands today (None: none does); `last` that of the
    one that ended last. `counted` is the year's mass that counts; `lost` what does not for want of one.
    """

    cnpj: str
    name: str
    origin: str
    valid_to: date | None
    days_left: int | None
    last: date | None
    lacks: tuple[str, ...]
    counted: Mass
    lost: Mass
    handed: int

    @property
    def state(self) -> str:
        """How it stands today, in a word."""
        if self.valid_to is not None:
            return "homologado"
        return "falta papel" if self.lacks else "vencido" if self.last else "sem homologação"


def last_day(vetting: Vetting, *, years: int | None) -> date | None:
    """The last day of a homologation: of its own row, or the one to which the norm lets it stand."""
    ends = [vetting.period.end] if vetting.period.end else []
    if years is not None:
        ends.append(anniversary(vetting.period.start, years=years))
    return min(ends, default=None)


def vetting_years(norm: str, on: date) -> int | None:
    """How long a norm lets a homologation stand; None where it asks for none."""
    regulation: Regulation = library.find(norm)
    return regulation.vets(regulation.law(on)) if regulation.vets is not None else None


def articles(norm: str) -> list[tuple[str, str, str]]:
    """The papers with their names and articles; without articles under a norm that asks for none."""
    named = library.find(norm).norm
    found = vetting_years(norm, office.today()) is not None
    return [(key, words, named.cite((one,)) if found else "") for key, (words, one) in PAPERS.items()]


def operators(whom: For) -> list[Operator]:
    """Every operator the entity vetted or whose notes it handed in for the year; who ends first first."""
    known, today = office.registry(), office.today()
    years = vetting_years(whom.norm, today)
    mine: defaultdict[str, list[Vetting]] = defaultdict(list)
    for operator in {str(r["operator"]) for r in known.tables["vettings"] if r["entity"] == whom.entity}:
        mine[operator] = [v for v in known.vettings(operator) if v.entity == whom.entity]
    counted, lost = _masses(whom)
    handed = _handed(whom.entity)
    everyone = {*mine, *(who for who in (*counted, *lost) if len(who) == _CNPJ), *handed}
    made = [
        _operator(who, mine.get(who, []), years, today, counted, lost, len(handed.get(who, ())))
        for who in everyone
    ]
    return sorted(made, key=lambda one: (one.valid_to or date.min, -one.lost.mg, one.name, one.cnpj))


def _operator(
    who: str,
    vettings: list[Vetting],
    years: int | None,
    today: date,
    counted: dict[str, list[Mass]],
    lost: dict[str, list[Mass]],
    handed: int,
) -> Operator:
    origin = office.registry().origin(who, today)
    standing = [v for v in vettings if v.holds(today, years=years)]
    valid_to = max((last_day(v, years=years) or date.max for v in standing), default=None)
    latest = max(vettings, key=lambda v: v.period.start, default=None)
    lacking = latest is not None and not standing and latest.period.holds(today)
    return Operator(
        cnpj=who, name=office.name_of(who), origin=origin.value if origin else "",
        valid_to=valid_to, days_left=(valid_to - today).days if valid_to else None,
        last=max((day for v in vettings if v.complete and (day := last_day(v, years=years))), default=None),
        lacks=tuple(PAPERS[p][0] for p in PAPERS if lacking and latest and not getattr(latest, p)),
        counted=total(counted.get(who, [])), lost=total(lost.get(who, [])), handed=handed,
    )  # fmt: skip


def _masses(whom: For) -> tuple[dict[str, list[Mass]], dict[str, list[Mass]]]:
    """By operator, the masses that count and those that wait for a homologation."""
    counted: defaultdict[str, list[Mass]] = defaultdict(list)
    lost: defaultdict[str, list[Mass]] = defaultdict(list)
    for row in documents.rows(whom):
        if row.kind == "nfe" and row.parties:
            counted[row.parties[0]].append(row.mass)
            if any(code in WITHOUT for code, _ in row.codes):
                lost[row.parties[0]].append(row.waiting)
    return {who: found for who, found in counted.items() if any(found)}, dict(lost)


def _handed(entity: str) -> dict[str, list[Filing]]:
    """By operator, the papers that it sent to the entity."""
    found: defaultdict[str, list[Filing]] = defaultdict(list)
    for one in Filings(office.store(), sees=entity).standing(Kind.VETTING, addressee=entity):
        found[one.subject.party].append(one)
    return dict(found)


@dataclass(frozen=True)
class Past:
    """One homologation of an operator by this entity, with its last day and what it lacks."""

    vetting: Vetting
    last: date | None
    lacks: tuple[str, ...]
    holds: bool


@dataclass(frozen=True)
class Shown:
    """Everything the entity knows of one operator."""

    operator: Operator
    history: tuple[Past, ...]
    papers: tuple[Filing, ...]


def one(whom: For, cnpj: str) -> Shown | None:
    """One operator of the entity; None if it is none of its."""
    found = next((o for o in operators(whom) if o.cnpj == cnpj), None)
    if found is None:
        return None
    today = office.today()
    years = vetting_years(whom.norm, today)
    history = [
        Past(
            v,
            last_day(v, years=years),
            tuple(words for key, (words, _) in PAPERS.items() if not getattr(v, key)),
            v.holds(today, years=years),
        )
        for v in office.registry().vettings(cnpj)
        if v.entity == whom.entity
    ]
    papers = _handed(whom.entity).get(cnpj, [])
    return Shown(found, tuple(reversed(history)), tuple(papers))
