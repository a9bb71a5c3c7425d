"""What was moved from seller to buyer, in PostgreSQL: a cache by which notes are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from lastro.custody.chain import Explained, Sale, Upstream
from lastro.custody.chain_findings import doubts, limits
from lastro.custody.count import KeyView
from lastro.custody.port import Kept, Place, Trade
from lastro.custody.similar import Sold, Twin
from lastro.evidence.kin import party_of
from lastro.evidence.mentions import SLIP
from lastro.ids import Material
from lastro.stores.postgres.paper_names import plain_plate
from lastro.units import Mass, exact

Connection = psycopg.Connection[Any]

_NO_SALE = {"M09", "M15"}
"""Findings of a line that moved nothing from seller to buyer: no sale, or the second note of one mass."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ComparedNotes:
    """The part of custody's memory in which notes are compared."""

    db: Connection

    def hold_comparing(self) -> None:
        """Be the only one that compares notes until the transaction ends; taken after keys, before chains."""
        self.db.execute("select pg_advisory_xact_lock(hashtextextended('lastro/sold', 0))")

    def write_sold(self, keys: Sequence[str], sold: Sequence[Sold]) -> None:
        """What the lines of these keys moved, no more and no less; what others say of them stays."""
        with self.db.cursor() as cursor:
            cursor.execute(
                """delete from sold s where access_key = any(%s) and not exists (
                     select 1 from unnest(%s::text[], %s::int[]) as kept (access_key, line)
                     where (kept.access_key, kept.line) = (s.access_key, s.line))""",
                [list(keys), [one.access_key for one in sold], [one.line for one in sold]],
            )
            cursor.executemany(
                """insert into sold (access_key, line, at, day, seller, buyer, writer, material, mass_mg,
                                     value_cents, claimed, collects, credited_mg, waits, plates, slips)
                   values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
                   on conflict (access_key, line) do update
                   set (at, day, seller, buyer, writer, material, mass_mg, value_cents, claimed, collects,
                        credited_mg, waits, plates, slips)
                     = (excluded.at, excluded.day, excluded.seller, excluded.buyer, excluded.writer,
                        excluded.material, excluded.mass_mg, excluded.value_cents, excluded.claimed,
                        excluded.collects, excluded.credited_mg, excluded.waits, excluded.plates,
                        excluded.slips)""",
                [
                    (*astuple(one)[:7], one.material.value, *astuple(one)[8:14], [*one.plates], [*one.slips])
                    for one in sold
                ],
            )

    def sold(self, keys: Sequence[str]) -> list[Kept]:
        """What is kept of the lines of these keys."""
        return self._kept("select * from sold where access_key = any(%s)", [list(keys)])

    def sold_like(self, sold: Sequence[Sold], *, within_mg: int, days: int) -> list[Kept]:
        """The sales between the same two, of the same material, near in mass and day to any of these."""
        return self._kept(
            """select distinct on (s.access_key, s.line) s.*
               from unnest(%(low)s::text[], %(high)s::text[], %(material)s::text[], %(mass)s::bigint[],
                           %(day)s::date[]) as w (low, high, material, mass_mg, day)
               join sold s using (low, high, material)
               where s.mass_mg between w.mass_mg - %(within)s and w.mass_mg + %(within)s
                 and s.day between w.day - %(days)s and w.day + %(days)s
               order by s.access_key, s.line""",
            {
                "low": [one.pair[0] for one in sold],
                "high": [one.pair[1] for one in sold],
                "material": [one.material.value for one in sold],
                "mass": [one.mass_mg for one in sold],
                "day": [one.day for one in sold],
                "within": within_mg,
                "days": days,
            },
        )

    def sold_that_day(self, sold: Sequence[Sold], *, days: int) -> list[Kept]:
        """All sales between the same two, of the same material, so near in days to any of these."""
        return self._kept(
            """select distinct on (s.access_key, s.line) s.*
               from (select distinct * from unnest(%s::text[], %s::text[], %s::text[], %s::date[]))
                    as w (low, high, material, day)
               join sold s on (s.low, s.high, s.material) = (w.low, w.high, w.material)
                and s.day between w.day - %s and w.day + %s
               order by s.access_key, s.line""",
            [
                [one.pair[0] for one in sold],
                [one.pair[1] for one in sold],
                [one.material.value for one in sold],
                [one.day for one in sold],
                days,
                days,
            ],
        )

    def write_twins(self, twins: Mapping[Sale, tuple[Twin, ...]]) -> None:
        """Keep which notes look like each of these lines."""
        self._update(
            "update sold set twins = %s where (access_key, line) = (%s, %s)",
            [
                (Jsonb([[t.access_key, t.line, t.said] for t in found]), *sale)
                for sale, found in twins.items()
            ],
        )

    def write_credited(self, credited: Mapping[Sale, tuple[int, bool]]) -> None:
        """Keep what stands of each of these lines by itself, and whether it waits for people."""
        self._update(
            "update sold set (credited_mg, waits) = (%s, %s) where (access_key, line) = (%s, %s)",
            [(mg, waits, *sale) for sale, (mg, waits) in credited.items()],
        )

    def write_upstream(self, upstream: Mapping[Sale, Upstream]) -> None:
        """Keep what of each of these lines was counted at an earlier sale, or has no known origin."""
        self._update(
            """update sold set (upstream_mg, unknown_mg, early) = (%s, %s, %s)
               where (access_key, line) = (%s, %s)""",
            [
                (
                    *(one.counted.mg, one.unknown.mg),
                    Jsonb([[e.access_key, e.mass.mg, e.late] for e in one.early]),
                    *sale,
                )
                for sale, one in upstream.items()
            ],
        )

    def compared(
        self, views: Mapping[str, KeyView], answers: Mapping[str, Sequence[Mapping[str, Any]]]
    ) -> dict[str, KeyView]:
        """The views with what their lines moved, and what comparing them with other notes made of each line.

        `answers` are those on the documents of each key, with the claimants' registry of then.
        """
        kept: defaultdict[str, list[Kept]] = defaultdict(list)
        for one in self.sold(list(views)):
            kept[one.sold.access_key].append(one)
        return {
            key: replace(
                view,
                sold=sold_of(key, answers[key]),
                doubts=_added(
                    view.doubts, kept[key], partial(doubts, known=[kin.access_key for kin in view.family])
                ),
                limits=_added(view.limits, kept[key], limits),
            )
            for key, view in views.items()
        }

    def trading(self, at: Iterable[Place]) -> dict[Place, Trade]:
        """What each of these parties does with a material, as far as is known."""
        rows = self._rows(
            """select w.material, w.party,
                      exists (select 1 from sold where material = w.material and seller = w.party) as sells,
                      exists (select 1 from sold where material = w.material and buyer = w.party) as buys
               from unnest(%s::text[], %s::text[]) as w (material, party)""",
            _places(at),
        )
        return {(Material(row["material"]), row["party"]): Trade(row["sells"], row["buys"]) for row in rows}

    def partners(self, *, of_sellers: Iterable[Place], of_buyers: Iterable[Place]) -> set[Place]:
        """To whom these sell, and from whom those buy."""
        rows = self._rows(
            """select distinct s.material, s.buyer as party
               from unnest(%s::text[], %s::text[]) as w (material, party)
               join sold s on s.material = w.material and s.seller = w.party
               union
               select distinct s.material, s.seller
               from unnest(%s::text[], %s::text[]) as w (material, party)
               join sold s on s.material = w.material and s.buyer = w.party""",
            [*_places(of_sellers), *_places(of_buyers)],
        )
        return {(Material(row["material"]), row["party"]) for row in rows}

    def sold_around(self, traders: Iterable[Place], *, sellers: Iterable[Place]) -> list[Kept]:
        """All sales by or to these traders, and of those sellers what something was said of."""
        return self._kept(
            """select s.* from unnest(%s::text[], %s::text[]) as w (material, party)
               join sold s on s.material = w.material and s.seller = w.party
               union
               select s.* from unnest(%s::text[], %s::text[]) as w (material, party)
               join sold s on s.material = w.material and s.buyer = w.party
               union
               select s.* from unnest(%s::text[], %s::text[]) as w (material, party)
               join sold s on s.material = w.material and s.seller = w.party
               where s.upstream_mg > 0 or s.unknown_mg > 0""",
            [*_places(of := list(traders)), *_places(of), *_places(sellers)],
        )

    def every_sold(self) -> list[Kept]:
        """All that is kept of what was moved."""
        return self._kept("select * from sold", [])

    def resold(self) -> list[Kept]:
        """The sales of which a part was counted at an earlier one or has no known origin, oldest first."""
        return self._kept(
            """select * from sold where upstream_mg > 0 or unknown_mg > 0
               order by day, at, access_key, line""",
            [],
        )

    def _kept(self, query: str, values: Any) -> list[Kept]:
        return [_kept(row) for row in self._rows(query, values)]

    def _rows(self, query: str, values: Any) -> list[dict[str, Any]]:
        with self.db.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query, values).fetchall()

    def _update(self, query: str, rows: Sequence[tuple[Any, ...]]) -> None:
        with self.db.cursor() as cursor:
            cursor.executemany(query, rows)


Said = TypeVar("Said")


def _added(
    known: Mapping[int, tuple[Said, ...]],
    kept: Iterable[Kept],
    say: Callable[[Kept], tuple[Said, ...]],
) -> dict[int, tuple[Said, ...]]:
    """By line, what is known with what comparing adds."""
    found = dict(known)
    for one in kept:
        if said := say(one):
            found[one.sold.line] = (*found.get(one.sold.line, ()), *said)
    return found


def _places(at: Iterable[Place]) -> list[list[str]]:
    wanted = sorted(set(at))
    return [[material.value for material, _ in wanted], [party for _, party in wanted]]


def _kept(row: Mapping[str, Any]) -> Kept:
    return Kept(
        Sold(
            access_key=row["access_key"],
            line=row["line"],
            at=row["at"],
            day=row["day"],
            seller=row["seller"],
            buyer=row["buyer"],
            writer=row["writer"],
            material=Material(row["material"]),
            mass_mg=row["mass_mg"],
            value_cents=row["value_cents"],
            claimed=row["claimed"],
            collects=row["collects"],
            credited_mg=row["credited_mg"],
            waits=row["waits"],
            plates=tuple(row["plates"]),
            slips=tuple(row["slips"]),
        ),
        tuple(Twin(*twin) for twin in row["twins"]),
        Upstream(
            Mass(row["upstream_mg"]),
            Mass(row["unknown_mg"]),
            tuple(Explained(key, Mass(mg), late) for key, mg, late in row["early"]),
        ),
    )


# ── what a note's lines moved ────────────────────────────────────────────────────────────────────────


def sold_of(key: str, answers: Iterable[Mapping[str, Any]]) -> tuple[Sold, ...]:
    """What the lines of a note moved, by the answers on its authentic contents; the least if they differ."""
    found: dict[int, Sold] = {}
    for row in answers:
        if row["authentic"] and row["issued_on"]:
            for line in row["lines"]:
                sold = _sold(key, row, line)
                if sold is not None:
                    known = found.get(sold.line)
                    found[sold.line] = sold if known is None else min(known, sold, key=_least)
    return tuple(found[line] for line in sorted(found))


def _least(sold: Sold) -> tuple[int, str]:
    return sold.mass_mg, repr(sold)


def _sold(key: str, row: Mapping[str, Any], line: Mapping[str, Any]) -> Sold | None:
    """One line, where it is known what it weighs and the note is a sale between two companies or persons."""
    if not (line["material"] and line["mass_mg"]) or _NO_SALE & {f["code"] for f in line.get("findings", ())}:
        return None
    issuer, recipient = party_of(row["issuer"]), party_of(row["recipient"])
    if not issuer or not recipient or issuer == recipient:
        return None
    turned = row["direction"] == "0"
    return Sold(
        access_key=key,
        line=line["line"],
        at=_second(row["issued_at"], row["issued_on"]),
        day=row["issued_on"],
        seller=recipient if turned else issuer,
        buyer=issuer if turned else recipient,
        writer=issuer,
        material=Material(line["material"]),
        mass_mg=line["mass_mg"],
        value_cents=_cents(row["goods"] or (), line["line"]),
        collects=bool(row["collects"]),
        plates=tuple(plate for plate in map(plain_plate, row["plates"] or ()) if plate),
        slips=tuple(one.removeprefix(SLIP) for one in row["mentions"] or () if one.startswith(SLIP)),
    )


def _second(written: str | None, day: date) -> int:
    """The second that a note bears, in UTC; where only its day is known, that day's first."""
    try:
        at = datetime.fromisoformat(written or day.isoformat())
    except ValueError:
        at = datetime(day.year, day.month, day.day)
    return ((at if at.tzinfo else at.replace(tzinfo=UTC)) - _EPOCH) // timedelta(seconds=1)


def _cents(goods: Iterable[Mapping[str, Any]], line: int) -> int | None:
    value = next((one["value"] for one in goods if one["number"] == line), "")
    try:
        return int(exact(value) * 100)
    except ValueError:
        return None
