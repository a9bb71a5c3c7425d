"""The registry itself: rows in, answers on a day out.

An answer is about the day asked, so a vetting that lapsed later still holds for a note from before.
What the registry does not know is None, which is neither yes nor no.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from lastro.ids import Material, Origin, company_of
from lastro.registry.records import (
    Contract,
    Membership,
    Party,
    Period,
    Role,
    Size,
    Term,
    Vetting,
    anniversary,
    record,
)

TABLES = ("parties", "roles", "vettings", "terms", "members", "contracts", "sizes")

_BARRING = ("certificates", "collective", "structuring")
"""Schemes, the one that bars most first: with two in one year, the stricter answer stands."""


class Registry:
    """Parties, roles, vettings, terms, members, contracts and sizes, as known in one state of the registry.

    `tables` maps a table's name to its checked rows (see `lastro.registry.read`). `vetting_years` is how
    long the norm lets a vetting stand (art. 59); the registry knows no number of a law by itself, so
    without it a vetting stands as long as its own row says.
    """

    def __init__(
        self, tables: Mapping[str, Iterable[Mapping[str, Any]]], *, vetting_years: int | None = None
    ) -> None:
        self.tables: dict[str, tuple[Mapping[str, Any], ...]] = {t: tuple(tables.get(t, ())) for t in TABLES}
        self._vetting_years = vetting_years
        made = {name: [record(name, row) for row in rows] for name, rows in self.tables.items()}
        self._parties: dict[str, Party] = {p.cnpj: p for p in made["parties"]}
        self._roles: dict[str, list[Role]] = _by(made["roles"], lambda r: r.cnpj)
        self._vettings: dict[tuple[str, str], list[Vetting]] = _by(
            made["vettings"], lambda v: (v.operator, v.entity)
        )
        self._terms: dict[tuple[str, str], Term] = {(t.term, t.entity): t for t in made["terms"]}
        self._members: dict[str, list[Membership]] = _by(
            made["members"], lambda m: company_of(m.establishment)
        )
        self._contracts: dict[str, list[Contract]] = _by(made["contracts"], lambda c: c.entity)
        self._sizes: dict[tuple[str, int], Size] = {(s.company, s.year): s for s in made["sizes"]}

    def under(self, *, vetting_years: int) -> Registry:
        """The same registry, read under a norm that lets a vetting stand so many years."""
        return Registry(self.tables, vetting_years=vetting_years)

    @cached_property
    def version(self) -> str:
        """A digest of the rows: the same rows in another order have the same version (decision 3)."""
        rows = sorted(
            json.dumps([name, dict(row)], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
            for name, rows in self.tables.items()
            for row in rows
        )
        text = "\n".join([f"vetting_years={self._vetting_years}", *rows])
        return hashlib.sha256(text.encode()).hexdigest()

    # ── parties ──────────────────────────────────────────────────────────────────────────────────────

    def party(self, cnpj: str) -> Party | None:
        """What is known of one establishment or person."""
        return self._parties.get(cnpj)

    def listed(self, cnpj: str) -> bool | None:
        """Whether an establishment is on its company's list (P06); None where no company of that root is."""
        if cnpj in self._parties or cnpj in self._roles:
            return True
        return False if company_of(cnpj) in self._companies else None

    @cached_property
    def _companies(self) -> frozenset[str]:
        return frozenset(company_of(c) for c in (*self._parties, *self._roles) if len(c) == 14)

    def municipality(self, cnpj: str) -> str | None:
        """The IBGE code of the municipality where the party stands, or None if not known."""
        party = self._parties.get(cnpj)
        return party.municipality if party else None

    def materials(self, company: str) -> frozenset[Material] | None:
        """The materials that a company's establishments are registered with; None where none names any."""
        root = company_of(company)
        named = {m for p in self._parties.values() if company_of(p.cnpj) == root for m in p.materials}
        return frozenset(Material(m) for m in named) or None

    def licence_valid(self, cnpj: str, on: date) -> bool | None:
        """Whether the party's environmental licence stands on a day; None when its last day is not known."""
        party = self._parties.get(cnpj)
        if party is None or party.licence_valid_to is None:
            return None
        return on <= party.licence_valid_to

    def closed(self, cnpj: str, on: date) -> bool:
        """Whether the party was closed on that day or before; an unknown party is not known to be closed."""
        party = self._parties.get(cnpj)
        return bool(party and party.closed_on and party.closed_on <= on)

    @cached_property
    def _vettings_of(self) -> dict[str, list[Vetting]]:
        every = [vetting for rows in self._vettings.values() for vetting in rows]
        found: dict[str, list[Vetting]] = _by(every, lambda v: v.operator)
        return found

    def changes(self, cnpj: str) -> tuple[date, ...]:
        """The days on which an answer about a party may change; from one to the next all stay alike."""
        party = self._parties.get(cnpj)
        vettings = self._vettings_of.get(cnpj, [])
        periods = [r.period for r in self._roles.get(cnpj, ())] + [v.period for v in vettings]
        last = [p.end for p in periods] + [party.licence_valid_to if party else None]
        if self._vetting_years is not None:
            last += [anniversary(v.period.start, years=self._vetting_years) for v in vettings]
        days = {p.start for p in periods} | {_next(day) for day in last if day is not None}
        if party and party.closed_on:
            days.add(party.closed_on)
        return tuple(sorted(days))

    # ── roles ────────────────────────────────────────────────────────────────────────────────────────

    def roles(self, cnpj: str, on: date) -> tuple[str, ...]:
        """The roles a party has on a day, in alphabetical order."""
        return tuple(sorted({r.role for r in self._roles.get(cnpj, ()) if r.period.holds(on)}))

    def is_recycler(self, cnpj: str, on: date) -> bool | None:
        """Whether the party brings material back into production on a day (art. 58); None = unknown party."""
        if cnpj not in self._parties and cnpj not in self._roles:
            return None
        return "recycler" in self.roles(cnpj, on)

    def origin(self, operator: str, on: date) -> Origin | None:
        """Which of the origins of arts. 27 and 28 the operator's material has on a day.

        None when the operator has none, or when two rows of the day disagree: then the lot must say.
        """
        found = {
            r.origin
            for r in self._roles.get(operator, ())
            if r.role == "operator" and r.origin is not None and r.period.holds(on)
        }
        return found.pop() if len(found) == 1 else None

    # ── vetting (Decreto MT 1.455/2025, art. 59) ─────────────────────────────────────────────────────

    def vettings_at(self, operator: str, entity: str, on: date) -> int:
        """How many vettings of this operator by this entity count on a day; more than one is P04."""
        rows = self._vettings.get((operator, entity), ())
        return sum(v.holds(on, years=self._vetting_years) for v in rows)

    def vetted(self, operator: str, entity: str, on: date) -> bool:
        """Whether the entity had vetted the operator on that day, with all four papers of art. 59."""
        return self.vettings_at(operator, entity, on) > 0

    def vettings(self, operator: str) -> tuple[Vetting, ...]:
        """Every vetting of an operator, by any entity, oldest first."""
        found = [v for (who, _), rows in self._vettings.items() if who == operator for v in rows]
        return tuple(sorted(found, key=lambda v: (v.period.start, v.entity)))

    # ── members, verifiers, sizes ────────────────────────────────────────────────────────────────────

    def memberships(self, who: str, on: date | None = None) -> tuple[Membership, ...]:
        """Memberships of an establishment (14 characters) or a whole company (8), on a day or ever."""
        rows = self._members.get(company_of(who), ())
        found = [m for m in rows if m.establishment.startswith(who) and (on is None or m.period.holds(on))]
        return tuple(sorted(found, key=lambda m: (m.period.start, m.establishment, m.entity)))

    def is_member(self, establishment: str, entity: str, on: date) -> bool:
        """Whether the establishment belonged to the entity on that day."""
        return any(m.entity == entity for m in self.memberships(establishment, on))

    def held_by_another(self, establishment: str, entity: str, days: Iterable[date]) -> str | None:
        """The other entity of which the establishment was a member on one of some days (P08), the first by
        name; None if there is none, or if it was a member of this one too."""
        found = {m.entity for on in days for m in self.memberships(establishment, on)}
        return min(found) if found and entity not in found else None

    def terms_of(self, entity: str, on: date) -> tuple[Term, ...]:
        """The terms of commitment of an entity that are in force on a day, by their names."""
        found = [t for t in self._terms.values() if t.entity == entity and t.period.holds(on)]
        return tuple(sorted(found, key=lambda t: t.term))

    def verifier_for(self, entity: str, on: date) -> tuple[str, ...]:
        """The verifiers under contract with the entity on a day; an entity is never its own verifier."""
        found = {c.verifier for c in self._contracts.get(entity, ()) if c.period.holds(on)}
        return tuple(sorted(v for v in found if v != entity))

    def size(self, company: str, year: int) -> str | None:
        """The company's size class in that very year; another year says nothing of it."""
        row = self._sizes.get((company_of(company), year))
        return row.size if row else None

    def scheme(self, company: str, year: int) -> str | None:
        """How the company complied in a year: structuring, certificates, collective or individual.

        A membership says it in its own row; else a term run by certificates makes it `certificates`
        (art. 49) and any other term `collective`. A company that is known and member of nothing went alone;
        of a company that is not known at all nothing is said.
        """
        calendar = Period(date(year, 1, 1), date(year, 12, 31))
        kinds = {self._kind(m) for m in self.memberships(company_of(company)) if m.period.meets(calendar)}
        if kinds:
            return min(kinds, key=_BARRING.index)
        root = company_of(company)
        known = any(company_of(c) == root for c in (*self._parties, *self._roles))
        return "individual" if known else None

    def _kind(self, member: Membership) -> str:
        if member.scheme:
            return member.scheme
        term = self._terms.get((member.term, member.entity))
        return "certificates" if term and term.certificates_allowed else "collective"

    # ── what a person sees ───────────────────────────────────────────────────────────────────────────

    def show(self, cnpj: str, on: date) -> dict[str, Any]:
        """All that is known of a party on a day, as plain data for a screen; unknown things are None."""
        party = self._parties.get(cnpj)
        return {
            "cnpj": cnpj,
            "on": on.isoformat(),
            "known": party is not None or cnpj in self._roles,
            "name": party.name if party else None,
            "municipality": self.municipality(cnpj),
            "uf": party.uf if party else None,
            "closed": self.closed(cnpj, on),
            "closed_on": _iso(party.closed_on) if party else None,
            "licence_number": (party.licence_number or None) if party else None,
            "licence_valid_to": _iso(party.licence_valid_to) if party else None,
            "licence_valid": self.licence_valid(cnpj, on),
            "roles": list(self.roles(cnpj, on)),
            "origin": origin.value if (origin := self.origin(cnpj, on)) else None,
            "vettings": [self._shown_vetting(v, on) for v in self.vettings(cnpj)],
            "memberships": [
                {"entity": m.entity, "term": m.term or None, **_dates(m.period), "scheme": self._kind(m)}
                for m in self.memberships(cnpj, on)
            ],
            "verifiers": list(self.verifier_for(cnpj, on)),
            "size": self.size(cnpj, on.year),
            "scheme": self.scheme(cnpj, on.year) if self.memberships(cnpj) else None,
            "registry_version": self.version,
        }

    def _shown_vetting(self, vetting: Vetting, on: date) -> dict[str, Any]:
        papers = {
            "cnpj": vetting.cnpj_ok,
            "registrations": vetting.registrations_ok,
            "licence": vetting.licence_ok,
            "permit": vetting.permit_ok,
        }
        return {
            "entity": vetting.entity,
            **_dates(vetting.period),
            "papers": papers,
            "counts": vetting.holds(on, years=self._vetting_years),
        }


def _by(rows: Iterable[Any], key: Any) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def _next(day: date) -> date:
    """The day after; of the last day there is, itself."""
    return day + timedelta(days=1) if day < date.max else day


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _dates(period: Period) -> dict[str, str | None]:
    return {"from": period.start.isoformat(), "to": _iso(period.end)}
