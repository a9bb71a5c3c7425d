"""A company's year: does it comply, by when, what does it lack, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lastro.desk import settle_companies
from lastro.errors import NotInForce, TextMissing
from lastro.ids import company_of
from lastro.lawkit import Regulation, library
from lastro.lawkit.glossary import capital, label
from lastro.obligations import Position, undeclared
from lastro.stores.postgres.view import RetiredFor
from lastro.units import Mass
from lastro.web import office
from lastro.web.readings.dashboard import report_due, thousandths


@dataclass(frozen=True)
class Shown:
    """One position, with what is lacking or left over and how long its bars are."""

    position: Position
    name: str
    lacks: Mass | None
    surplus: Mass | None
    done: int
    owed: int


@dataclass(frozen=True)
class Year:
    """What a company is told for a year under a norm."""

    regulation: Regulation
    year: int
    positions: tuple[Shown, ...]
    undeclared: tuple[str, ...]
    retired: tuple[RetiredFor, ...]
    report_due: date | None
    size: str
    scheme: str
    base_year: int | None = None
    """The year whose placed mass the targets are reckoned on."""
    declared: bool = False
    """Whether anything was declared of what the norm asks about, also where no target can be told yet."""

    @property
    def complies(self) -> bool | None:
        """Whether every position is met; None when one can't be told and none is short."""
        found = {shown.position.met for shown in self.positions}
        if not found:
            return None
        return False if False in found else None if None in found else True


def norms() -> list[Regulation]:
    """The norms in force that set targets."""
    return [r for r in library.every() if r.settles is not None and r.norm.status == "in_force"]


def under_any(establishment: str, regulations: list[Regulation], year: int) -> Year:
    """The company's year under the first norm of which something of it is known; else under the last."""
    for regulation in [r for r in regulations if answers(r, year)] or regulations:
        found = year_of(establishment, regulation, year)
        if any(shown.position.base is not None or shown.position.achieved.mg for shown in found.positions):
            break
    return found


def year_of(establishment: str, regulation: Regulation, year: int) -> Year:
    """Everything a company's page shows."""
    root, store = company_of(establishment), office.store()
    settled = settle_companies(
        store, regulation.norm.path, year=year, company=root, data=office.site().data, today=office.today()
    )
    known = office.registry()
    positions: tuple[Position, ...] = ()
    silent: tuple[str, ...] = ()
    base, declared = _base_year(regulation, year), False
    for facts, found in settled:
        positions, silent = found, undeclared(regulation, facts, year=year)
        declared = any(one.base is not None for one in found) or any(
            regulation.group(one.material) and (one.year < year if base is None else one.year == base)
            for one in facts.placed
        )
    shown = tuple(_shown(p) for p in positions)
    return Year(
        regulation=regulation,
        year=year,
        positions=shown,
        undeclared=silent,
        retired=tuple(store.retired(company=root, year=year)),
        report_due=report_due(regulation.norm.path, year),
        size=known.size(root, year) or "",
        scheme=known.scheme(root, year) or "",
        base_year=base,
        declared=declared,
    )


def answers(regulation: Regulation, year: int) -> bool:
    """Whether a norm says anything of a year: it does not of one that ended before the norm was in force."""
    try:
        _reckoned_on(regulation, year)
    except NotInForce:
        return False
    except TextMissing:
        return True
    return True


def _base_year(regulation: Regulation, year: int) -> int | None:
    """The year whose placed mass a norm reckons a year's targets on, where it has a rule that says so."""
    try:
        return _reckoned_on(regulation, year)
    except (NotInForce, TextMissing):
        return None


def _reckoned_on(regulation: Regulation, year: int) -> int | None:
    rule = regulation.rules.get("base_year")
    if rule is None or set(rule.inputs) != {"year"}:  # another norm's base year hangs on more than the year
        return None
    return int(rule(regulation.law(date(year, 12, 31)), year=year))


def _shown(position: Position) -> Shown:
    balance, owed = position.balance, position.obligation_mass
    most = max(position.achieved.mg, owed.mg if owed else 0, 1)
    short = balance is not None and balance.mg < 0
    return Shown(
        position=position,
        name=capital(label(position.material)),
        lacks=Mass(-balance.mg) if balance is not None and short else None,
        surplus=balance if balance is not None and not short else None,
        done=thousandths(position.achieved.mg, most),
        owed=thousandths(owed.mg, most) if owed else 0,
    )
