"""Whose results a report tells: the establishments on the entity's list in the year, and what they declared.

Everyone listed at any time of the year is shown. Placed mass is told once among all entities: an
establishment that changed entity belongs to the one it was with last in the year.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from lastro.facts import CompanyFacts, Retired
from lastro.ids import company_of, uf_of
from lastro.obligations.positions import Fallen, without_fallen
from lastro.registry.columns import BY_NAME
from lastro.registry.records import Membership, Period, record
from lastro.reports.cells import Source, digest_of
from lastro.reports.standing import Declared, Standing


@dataclass(frozen=True)
class Adherent:
    """One stay of an establishment on the entity's list."""

    membership: Membership
    sources: tuple[Source, ...]

    @property
    def establishment(self) -> str:
        return self.membership.establishment


@dataclass(frozen=True)
class Members:
    """The list of an entity in a year, and the declarations of placed mass that belong to it."""

    standing: Standing
    base_year: int

    @cached_property
    def year(self) -> Period:
        return Period(date(self.standing.year, 1, 1), date(self.standing.year, 12, 31))

    @cached_property
    def _all(self) -> list[tuple[Membership, Mapping[str, Any]]]:
        rows = self.standing.registry.tables["members"]
        found = [(record("members", row), row) for row in rows]
        return [(m, row) for m, row in found if m.period.meets(self.year)]

    @cached_property
    def listed(self) -> tuple[Adherent, ...]:
        """Every stay on the list that shares a day with the year, by establishment and first day."""
        mine = [(m, row) for m, row in self._all if m.entity == self.standing.entity]
        return tuple(
            Adherent(m, (registry_source(self.standing, "members", row),))
            for m, row in sorted(mine, key=lambda one: (one[0].establishment, one[0].period.start))
        )

    @cached_property
    def _last(self) -> dict[str, str]:
        """The entity each establishment was with last in the year."""
        last: dict[str, tuple[date, date, str]] = {}
        for m, _ in self._all:
            stay = (min(m.period.end or date.max, self.year.end or date.max), m.period.start, m.entity)
            last[m.establishment] = max(last.get(m.establishment, stay), stay)
        return {establishment: stay[2] for establishment, stay in last.items()}

    @cached_property
    def own(self) -> frozenset[str]:
        """The establishments whose placed mass this report tells."""
        return frozenset(e for e, entity in self._last.items() if entity == self.standing.entity)

    @cached_property
    def companies(self) -> tuple[str, ...]:
        """The companies of those establishments, in order."""
        return tuple(sorted({company_of(e) for e in self.own}))

    @cached_property
    def shared(self) -> tuple[str, ...]:
        """Companies that declared as a whole, with establishments in two entities: not to be told apart."""
        wide = {
            d.company for d in self.standing.declared if d.establishment is None and d.year == self.base_year
        }
        return tuple(
            company
            for company in self.companies
            if company in wide and len({self._last[e] for e in self._last if company_of(e) == company}) > 1
        )

    def declared(self, company: str) -> tuple[Declared, ...]:
        """What a company declared that this report tells: as a whole, or of its establishments here."""
        if company in self.shared:
            return ()
        return tuple(
            d
            for d in self.standing.declared
            if d.company == company and (d.establishment is None or d.establishment in self.own)
        )

    @cached_property
    def of_base_year(self) -> tuple[Declared, ...]:
        """The declarations of placed mass that the report adds up."""
        return tuple(d for c in self.companies for d in self.declared(c) if d.year == self.base_year)

    @cached_property
    def silent(self) -> tuple[str, ...]:
        """Establishments of which nothing was declared for the base year: not zero, missing."""
        told = {d.establishment or d.company for d in self.of_base_year} | set(self.shared)
        return tuple(sorted(e for e in self.own if e not in told and company_of(e) not in told))

    def facts(self) -> Iterator[CompanyFacts]:
        """What the report knows of each company: its own declarations here, and the mass retired here for it
        that still counts.
        """
        registry, year = self.standing.registry, self.standing.year
        retired: dict[str, list[Retired]] = {}
        for moved in self.standing.retired:
            place = moved.municipality
            fact = Retired(year, moved.material, uf_of(place) or "", place, moved.origin, moved.mass)
            retired.setdefault(company_of(moved.establishment), []).append(fact)
        fell = self._fell()
        for company in sorted({*self.companies, *retired}):
            rows = self.declared(company) if company in self.companies else ()
            yield CompanyFacts(
                cnpj=company,
                size=registry.size(company, year) or "",
                scheme=registry.scheme(company, year) or "",
                placed=tuple(p for d in rows for p in d.placements),
                retired=without_fallen(retired.get(company, ()), fell.get(company, ())),
            )

    def _fell(self) -> Mapping[str, Sequence[Fallen]]:
        """What was retired here for each company of lots whose evidence fell later."""
        found: dict[str, list[Fallen]] = {}
        for one in self.standing.fallen:
            place = one.municipality
            fact = Retired(self.standing.year, one.material, uf_of(place) or "", place, one.origin, one.mass)
            found.setdefault(company_of(one.establishment), []).append(Fallen(fact, one.lot))
        return found

    def source(self, rows: Sequence[Declared]) -> tuple[Source, ...]:
        """The declarations behind a number, by their numbers; their masses are told by none of them."""
        if not rows:
            return ()
        numbers = sorted(d.number for d in rows)
        digest = digest_of(sorted(d.digest for d in rows))
        return (Source("declaration", where={"numbers": numbers}, count=len(numbers), digest=digest),)


def registry_source(standing: Standing, table: str, row: Mapping[str, Any]) -> Source:
    """The row of the registry that says so, by its number, with a digest of what it says."""
    key = json.dumps([row[name] for name in BY_NAME[table].key], ensure_ascii=False)
    number = standing.row_numbers.get(table, {}).get(key)
    where = {} if number is None else {"numbers": [number]}
    return Source("registry", ref=table, where=where, digest=digest_of(dict(row)))


def party_source(standing: Standing, cnpj: str) -> tuple[Source, ...]:
    """The registry's row on a party, if there is one."""
    rows = (row for row in standing.registry.tables["parties"] if row["cnpj"] == cnpj)
    return tuple(registry_source(standing, "parties", row) for row in rows)
