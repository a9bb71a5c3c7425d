"""An entity's year at a glance: documents, cures, pools, contests, the report's deadline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from lastro.custody.port import For
from lastro.errors import NotInForce, TextMissing
from lastro.facts import Outcome
from lastro.lawkit import library
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.view import Pool
from lastro.units import Mass, total
from lastro.web import office
from lastro.web.readings import documents


@dataclass(frozen=True)
class Bar:
    """One row of a chart: what it shows, and where each part of the bar begins and ends, of a thousand."""

    label: str
    value: object
    parts: tuple[tuple[str, int, int], ...]  # class, from, width


@dataclass(frozen=True)
class Panel:
    """What the first page of an entity shows."""

    standing: documents.Standing
    by_outcome: tuple[Bar, ...]
    pools: tuple[tuple[Pool, Bar], ...]
    verified: Mass
    homologated: Mass
    contested: int
    report_due: date | None
    days_left: int | None


def panel(whom: For) -> Panel:
    """Everything that the panel of a claimant shows for a norm and a year."""
    standing = documents.standing(whom)
    pools = office.store().pools(entity=whom.entity, year=whom.year)
    with custody(office.store()) as memory:
        contested = len(memory.standing(state="contested", entity=whom.entity))
    due = report_due(whom.norm, whom.year)
    return Panel(
        standing=standing,
        by_outcome=_by_outcome(standing),
        pools=_with_bars(pools),
        verified=total(pool.verified for pool in pools),
        homologated=total(pool.homologated for pool in pools),
        contested=contested,
        report_due=due,
        days_left=(due - office.today()).days if due else None,
    )


def report_due(norm: str, year: int) -> date | None:
    """The last day of the annual report of a year, where the norm sets one and was in force."""
    regulation = library.find(norm)
    rule = regulation.rules.get("report_due")
    if rule is None:
        return None
    try:
        due: date = rule(regulation.law(date(year, 12, 31)), year=year)
    except (NotInForce, TextMissing):
        return None
    return due


_TONES = {Outcome.ADMITTED: "good", Outcome.REVIEW: "asks", Outcome.REFUSED: "bad"}


def _by_outcome(standing: documents.Standing) -> tuple[Bar, ...]:
    most = max([*standing.outcomes.values(), 1])
    return tuple(
        Bar(outcome.value, n, ((_TONES[outcome], 0, thousandths(n, most)),))
        for outcome, n in standing.outcomes.items()
    )


def _with_bars(pools: Sequence[Pool]) -> tuple[tuple[Pool, Bar], ...]:
    most = max([pool.verified.mg for pool in pools] + [1])
    rows = []
    for pool in pools:
        ready, whole = thousandths(pool.homologated.mg, most), thousandths(pool.verified.mg, most)
        parts = (("good", 0, ready), ("asks", ready, whole - ready))
        rows.append((pool, Bar(pool.material.value, pool.verified, parts)))
    return tuple(rows)


def thousandths(part: int, whole: int) -> int:
    """How long a bar is drawn, of a thousand; what is there at all is seen."""
    return 0 if part <= 0 else max(4, part * 1000 // whole)
