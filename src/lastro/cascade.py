"""What leans on evidence that died: lot, certificate, position, report, each with the reason.

Comes in: a store, its data folder, the day. Goes out: a tree for each lot that fell and for each certificate
that the agency cancelled after its use; and marks, only added, of what lost its evidence and has it again.
Nothing is kept of the tree itself: it is asked anew each time, so that it is gone once the evidence revives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path

from lastro.certificates.port import Certificate
from lastro.certificates.states import Move
from lastro.delivery import case_of, report_state
from lastro.desk import settle_companies
from lastro.errors import NotInForce, TextMissing
from lastro.ids import Material, company_of
from lastro.lawkit import library
from lastro.obligations import Position
from lastro.reports import rar_mt
from lastro.stores.postgres import Store
from lastro.stores.postgres import falls as marks
from lastro.stores.postgres.certificates import Certificates, stale_certificates, stale_retired
from lastro.stores.postgres.falls import Mark
from lastro.stores.postgres.reports import reports
from lastro.units import ZERO, Mass


@dataclass(frozen=True)
class FallenReport:
    """A submitted report that says something else than what stands now."""

    norm: str
    entity: str
    year: int
    version: int


@dataclass(frozen=True)
class FallenPosition:
    """A company's position that lost mass: what it falls short by, and the last day to make it good.

    `until` None: the norm sets no day. `deficit` None: it cannot be told (a target is not loaded).
    """

    company: str
    establishments: tuple[str, ...]
    year: int
    norm: str
    material: str
    deficit: Mass | None
    until: date | None
    article: str

    @property
    def name(self) -> str:
        return f"{self.norm}/{self.company}/{self.year}/{self.material}"


@dataclass(frozen=True)
class Fall:
    """One cause, and everything that leans on it: a lot whose evidence died, or a cancelled certificate."""

    cause: str  # "lot" | "cancelled"
    name: str
    reason: str
    entity: str
    norm: str
    year: int
    certificates: tuple[Certificate, ...] = ()
    positions: tuple[FallenPosition, ...] = ()
    reports: tuple[FallenReport, ...] = ()


def cascade(store: Store, *, data: Path, today: date, company: str = "", entity: str = "") -> list[Fall]:
    """Everything that leans on what died, by cause; of one company (root) or one entity where named."""
    fallen = _Fallen(store, data, today)
    found = [*fallen.of_lots(), *fallen.of_cancelled()]
    return [
        one
        for one in found
        if (not entity or one.entity == entity) and (not company or company in companies_of(one))
    ]


def companies_of(fall: Fall) -> set[str]:
    """The companies (roots) that a fall reaches."""
    return {p.company for p in fall.positions} | {company_of(c.holder) for c in fall.certificates if c.holder}


class _Fallen:
    """One look at a store: each position and report is worked out once, however many lots it leans on."""

    def __init__(self, store: Store, data: Path, today: date) -> None:
        self.store, self.data, self.today = store, data, today
        self._settled: dict[tuple[str, int, str], tuple[Position, ...]] = {}
        self._reports: dict[tuple[str, str, int], tuple[FallenReport, ...]] = {}

    def of_lots(self) -> Iterable[Fall]:
        """One fall for each lot of which more was used than stands."""
        dead_lots = marks.dead_lots(self.store)
        if not dead_lots:
            return
        certified: defaultdict[tuple[str, int, str], list[Certificate]] = defaultdict(list)
        for one in stale_certificates(self.store):
            for dead in one.dead:
                certified[dead.access_key, dead.line, one.entity].append(one)
        used: defaultdict[tuple[str, int], set[tuple[str, int, str]]] = defaultdict(set)
        for row, dead in stale_retired(self.store):
            used[dead.access_key, dead.line].add((row.establishment, row.fact.year, row.fact.material.value))
        for key, line, reason, claimant, norm, year in dead_lots:
            yield Fall(
                "lot", f"{key}/{line}", reason, claimant, norm, year,
                certificates=tuple(certified[key, line, claimant]),
                positions=self._positions(norm, used[key, line]),
                reports=self._stale_reports(norm, claimant, year),
            )  # fmt: skip

    def of_cancelled(self) -> Iterable[Fall]:
        """One fall for each certificate that the agency took away after it was used."""
        book = Certificates(self.store)
        for name in marks.cancelled_after_use(self.store):
            one = book.find(name)
            assert one is not None, "what was cancelled is there"
            cancelled = one.done(Move.CANCEL)
            assert cancelled is not None, "what was cancelled was cancelled"
            used = {(one.holder, one.year, material.value) for material in one.materials}
            yield Fall(
                "cancelled", one.number or one.id, cancelled.reason, one.entity, one.norm, one.year,
                certificates=(one,),
                positions=self._positions(one.norm, used),
                reports=self._stale_reports(one.norm, one.entity, one.year),
            )  # fmt: skip

    def _positions(self, norm: str, used: Iterable[tuple[str, int, str]]) -> tuple[FallenPosition, ...]:
        by_position: defaultdict[tuple[str, int, str], set[str]] = defaultdict(set)
        regulation = library.find(norm)
        for establishment, year, material in used:
            group = regulation.group(Material(material)) or material
            by_position[company_of(establishment), year, group].add(establishment)
        return tuple(
            self._position(norm, company, year, group, tuple(sorted(who)))
            for (company, year, group), who in sorted(by_position.items())
        )

    def _position(
        self, norm: str, company: str, year: int, group: str, who: tuple[str, ...]
    ) -> FallenPosition:
        mine = [p for p in self._settle(norm, year, company) if p.material == group]
        balances = [p.balance for p in mine if p.balance is not None]
        short = min((b.mg for b in balances), default=0)
        until, article = self._until(norm, year)
        deficit = Mass(max(0, -short)) if balances else None
        return FallenPosition(company, who, year, norm, group, deficit, until, article)

    def _settle(self, norm: str, year: int, company: str) -> tuple[Position, ...]:
        place = norm, year, company
        if place not in self._settled:
            found = settle_companies(
                self.store, norm, year=year, company=company, data=self.data, today=self.today
            )
            self._settled[place] = tuple(p for _, positions in found for p in positions)
        return self._settled[place]

    def _until(self, norm: str, year: int) -> tuple[date | None, str]:
        """The last day on which what is missing may still be bought, by the norm's own window."""
        regulation = library.find(norm)
        if regulation.certifies is None:
            return None, ""
        try:
            terms = regulation.certifies(regulation.law(date(year, 12, 31)), year=year, on=self.today)
        except (NotInForce, TextMissing):
            return None, ""
        return terms.last_sale, terms.articles.get("window", "")

    @cached_property
    def _submitted(self) -> frozenset[tuple[str, str, int]]:
        with reports(self.store) as memory:
            return frozenset(memory.submitted(rar_mt.KIND))

    def _stale_reports(self, norm: str, entity: str, year: int) -> tuple[FallenReport, ...]:
        place = norm, entity, year
        if place not in self._submitted:
            return ()
        if place not in self._reports:
            case = case_of(self.data, norm=norm, entity=entity, year=year, today=self.today)
            found = report_state(self.store, case)
            last = found.versions[-1].version if found.versions else 0
            self._reports[place] = (FallenReport(*place, last),) if found.stale else ()
        return self._reports[place]


# ── marks ────────────────────────────────────────────────────────────────────────────────────────────


def mark(store: Store, *, data: Path, today: date) -> list[Mark]:
    """Write what lost its evidence since the last look, and what has it again; which marks were added.

    Looking again adds nothing while nothing changed. Two who look at once write one after the other.
    """
    now = _standing(cascade(store, data=data, today=today), today)
    with store.transaction() as db:
        db.execute("select pg_advisory_xact_lock(hashtextextended('lastro/falls', 0))")
        before = marks.latest(store)
        added = [one for place, one in now.items() if _new(one, before.get(place))]
        added += [
            replace(old, stale=False, reason="", deficit_mg=None, until=None, on=today)
            for place, old in before.items()
            if old.stale and place not in now
        ]
        marks.write(db, added)
    return added


def _new(one: Mark, before: Mark | None) -> bool:
    return before is None or before.says != one.says


def _standing(found: Sequence[Fall], today: date) -> Mapping[tuple[str, str], Mark]:
    """One mark for everything that leans on what died, with all its reasons."""
    why: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    told: dict[tuple[str, str], Mark] = {}
    for fall in found:
        for one in _leaning(fall, today):
            place = one.kind, one.name
            why[place].add(f"{fall.name} ({fall.reason})")
            told[place] = one
    return {place: replace(one, reason="; ".join(sorted(why[place]))) for place, one in told.items()}


def _leaning(fall: Fall, today: date) -> Iterable[Mark]:
    for one in fall.certificates:
        parties = tuple(dict.fromkeys(p for p in (one.entity, one.holder) if p))
        yield Mark("certificate", one.id, True, "", parties, None, None, today)
    for at in fall.positions:
        short = at.deficit.mg if at.deficit is not None else None
        until = at.until if at.deficit is None or at.deficit > ZERO else None
        parties = (*at.establishments, fall.entity)
        yield Mark("position", at.name, True, "", parties, short, until, today)
    for report in fall.reports:
        name = f"{report.norm}/{report.entity}/{report.year}"
        yield Mark("report", name, True, "", (report.entity,), None, None, today)
