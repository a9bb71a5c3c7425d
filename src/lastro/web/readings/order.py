"""Whether an establishment is in order today: what is known here, handed to each norm that has an answer.

What the fee staff know is tax data and reaches nobody else (`tax`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from lastro.desk import settle_companies
from lastro.filings import Filing, Kind, Subject
from lastro.ids import company_of
from lastro.lawkit import Regulation, library
from lastro.lawkit.order import Check, Cover, Delivered, Known, Quarter, Stated, in_order
from lastro.registry import Registry
from lastro.reports import rar_mt
from lastro.stores.postgres.filings import Filings
from lastro.stores.postgres.registry import placed
from lastro.stores.postgres.reports import reports
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.translating import said

AGENCY, FEES = "agency", "fees"
LOOKED_BACK = 2
"""How many ended years are looked at: the one that is still proved, and the one before."""

WORDS = {
    True: gettext_noop("em dia"),
    False: gettext_noop("não está em dia"),
    None: gettext_noop("não se sabe"),
}
TONES = {True: "good", False: "bad", None: "asks"}
Positions = Mapping[int, Mapping[str, tuple[tuple[str, bool | None], ...]]]


@dataclass(frozen=True)
class Part:
    """What one norm answers."""

    regulation: Regulation
    checks: tuple[Check, ...]

    @property
    def met(self) -> bool | None:
        return in_order(self.checks)

    @property
    def tax(self) -> bool:
        """Whether it is the fee staff's to state and to notify; all else is the agency's."""
        return self.regulation.charges is not None


@dataclass(frozen=True)
class Answer:
    """The one answer about an establishment, and what it is made of."""

    cnpj: str
    name: str
    on: date
    listed: bool
    parts: tuple[Part, ...]

    @property
    def met(self) -> bool | None:
        return in_order(tuple(check for part in self.parts for check in part.checks))

    @property
    def words(self) -> str:
        return said(WORDS[self.met])

    @property
    def tone(self) -> str:
        return TONES[self.met]

    @property
    def lacks(self) -> tuple[Check, ...]:
        """What a notice would be about."""
        return tuple(c for part in self.parts for c in part.checks if c.counts and c.met is False)


def norms(*, tax: bool) -> list[Regulation]:
    """The norms in force that say whether one is in order; those that charge a fee only for the fee staff."""
    held = [r for r in library.every() if r.orders is not None and r.norm.status == "in_force"]
    return [r for r in held if tax or r.charges is None]


def answer(cnpj: str, *, tax: bool) -> Answer:
    """Everything that is known here of one establishment, judged today."""
    return next(iter(answers([cnpj], tax=tax, company=company_of(cnpj))))


def answers(cnpjs: Iterable[str], *, tax: bool, company: str | None = None) -> list[Answer]:
    """The answers about some establishments, in their order; `company` narrows what is settled to one."""
    wanted, today, registry = list(cnpjs), office.today(), office.registry()
    regulations = norms(tax=tax)
    targets = next((r for r in regulations if r.settles is not None), None)
    positions = _positions(targets, company=company) if targets else {}
    declared = placed(office.store(), company=company, as_of=today)
    stated, plans, fees = _stated(tax=tax), own_plans(), _fees() if tax else {}
    delivered: dict[tuple[str, int], date | None] = {}
    found = []
    for cnpj in wanted:
        root = company_of(cnpj)
        known = _known(
            registry, cnpj, positions=positions, delivered=delivered, alone=cnpj in plans, fees=fees,
            declared=frozenset(one.year for one in declared.get(root, ())),
            stated=stated.get(cnpj, {}), norm=targets,
        )  # fmt: skip
        parts = tuple(Part(r, r.orders(r.law(today), known)) for r in regulations if r.orders is not None)
        found.append(Answer(cnpj, office.name_of(cnpj), today, registry.party(cnpj) is not None, parts))
    return found


def _known(
    registry: Registry,
    cnpj: str,
    *,
    positions: Positions,
    delivered: dict[tuple[str, int], date | None],
    alone: bool,
    fees: Mapping[str, tuple[Filing | None, tuple[Quarter, ...]]],
    declared: frozenset[int],
    stated: Mapping[str, Stated],
    norm: Regulation | None,
) -> Known:
    party, today, root = registry.party(cnpj), office.today(), company_of(cnpj)
    years = range(today.year - LOOKED_BACK, today.year + 1)
    sizes = {year: size for year in years if (size := registry.size(root, year))}
    entry, quarters = fees.get(cnpj, (None, ()))
    return Known(
        cnpj=cnpj,
        on=today,
        sizes=sizes,
        licence_to=party.licence_valid_to if party else None,
        covers=tuple(_covers(registry, cnpj)),
        alone=alone,
        reports=tuple(_reports(registry, cnpj, norm, delivered)) if norm else (),
        declared=declared,
        positions={year: by.get(root, ()) for year, by in positions.items()},
        registered_on=_day(entry, "registered_on"),
        began=_began(entry),
        quarters=quarters,
        stated=stated,
    )


def _covers(registry: Registry, cnpj: str) -> Iterable[Cover]:
    ends = {(str(t["term"]), str(t["entity"])): t.get("to") for t in registry.tables["terms"]}
    for one in registry.memberships(cnpj):
        end = ends.get((one.term, one.entity))
        yield Cover(
            one.entity, office.name_of(one.entity) or one.entity, one.period.start, one.period.end,
            one.term, date.fromisoformat(str(end)) if end else None,
        )  # fmt: skip


def own_plans() -> frozenset[str]:
    """Whose own plan came in and was accepted, as it stands now."""
    seen = Filings(office.store(), sees=AGENCY)
    plans = [o for o in seen.standing(Kind.DOCUMENT, addressee=AGENCY) if o.subject.name.startswith("plan")]
    accepted = {o.subject.name for o in seen.standing(Kind.REVIEW) if o.body.get("to") == "accepted"}
    return frozenset(one.subject.party for one in plans if review_name(one) in accepted)


def review_name(filing: Filing) -> str:
    """How the analysis of a version is named: a new version asks for a new one."""
    return f"filing-{filing.id}"


def _reports(
    registry: Registry, cnpj: str, norm: Regulation, kept: dict[tuple[str, int], date | None]
) -> Iterable[Delivered]:
    """The report of each year by the entities that the establishment belonged to, or by itself."""
    for year in range(office.today().year - LOOKED_BACK, office.today().year):
        first, last = date(year, 1, 1), date(year, 12, 31)
        during = [
            m for m in registry.memberships(cnpj)
            if m.period.start <= last and (m.period.end is None or m.period.end >= first)
        ]  # fmt: skip
        for entity in sorted({m.entity for m in during}):
            yield Delivered(year, office.name_of(entity) or entity, _report(entity, year, norm, kept))
        own = None if during else _report(cnpj, year, norm, kept)
        if own is not None:
            yield Delivered(year, office.name_of(cnpj) or cnpj, own)


def _report(who: str, year: int, norm: Regulation, kept: dict[tuple[str, int], date | None]) -> date | None:
    if (who, year) not in kept:
        with reports(office.store()) as memory:
            versions = memory.versions(rar_mt.KIND, norm.norm.path, who, year)
        kept[who, year] = versions[0].submitted_on if versions else None
    return kept[who, year]


def _positions(regulation: Regulation, *, company: str | None) -> Positions:
    today = office.today()
    found: dict[int, dict[str, tuple[tuple[str, bool | None], ...]]] = {}
    for year in range(today.year - LOOKED_BACK, today.year):
        settled = settle_companies(
            office.store(), regulation.norm.path, year=year, company=company,
            data=office.site().data, today=today,
        )  # fmt: skip
        found[year] = {facts.cnpj: tuple((p.material, p.met) for p in made) for facts, made in settled}
    return found


# ── what the agency states from elsewhere ────────────────────────────────────────────────────────────


def _stated(*, tax: bool) -> dict[str, dict[str, Stated]]:
    seen = Filings(office.store(), sees=(AGENCY, FEES) if tax else AGENCY)
    found: defaultdict[str, dict[str, Stated]] = defaultdict(dict)
    for one in reversed(seen.standing(Kind.STATED)):
        cnpj, _, key = one.subject.name.partition("/")
        found[cnpj][key] = Stated(
            one.body["met"] is True, str(one.body["source"]), date.fromisoformat(str(one.body["seen_on"]))
        )
    return found


def state(cnpj: str, check: Check, *, norm: str, who: str, met: bool, source: str, by: str) -> Filing:
    """The agency says what it knows of something that can't be told here, and from where."""
    subject = Subject(Kind.STATED, who, norm=norm, name=f"{cnpj}/{check.key}")
    mine = Filings(office.store(), sees=who)
    last = mine.latest(subject)
    body = {"met": met, "source": source, "seen_on": office.today().isoformat()}
    return mine.add(
        subject, body, by=by, on=office.today(), after=last.version if last else 0, addressee=cnpj
    )


# ── the register and the fee ─────────────────────────────────────────────────────────────────────────


def _fees() -> dict[str, tuple[Filing | None, tuple[Quarter, ...]]]:
    """Of everybody in the register or charged: the entry, and the quarters as they stand."""
    seen = Filings(office.store(), sees=FEES)
    entries = {one.subject.name: one for one in seen.standing(Kind.ENTRY, party=FEES)}
    settled = {
        (one.subject.name.partition("/")[0], one.subject.period)
        for one in seen.standing(Kind.COLLECTION, party=FEES)
        if one.body["state"] == "paid"
    }
    quarters: defaultdict[str, list[Quarter]] = defaultdict(list)
    for charge in seen.standing(Kind.CHARGE, party=FEES):
        who, told = charge.subject.name, charge.body["answer"]
        paid = (who, charge.subject.period) in settled or told["amount_brl"] == "0.00"
        due = date.fromisoformat(told["due"])
        quarters[who].append(Quarter(told["year"], told["quarter"], due, paid))
    return {who: (entries.get(who), tuple(quarters[who])) for who in (*entries, *quarters)}


def _day(filing: Filing | None, name: str) -> date | None:
    text = filing.body.get(name) if filing else None
    return date.fromisoformat(str(text)) if text else None


def _began(entry: Filing | None) -> date | None:
    rows: Sequence[Mapping[str, str]] = entry.body.get("activities", ()) if entry else ()
    return min((date.fromisoformat(row["began"]) for row in rows), default=None)
