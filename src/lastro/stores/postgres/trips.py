"""The loads around a load in PostgreSQL: of the same lorry, the same two firms, the same seller's month."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import psycopg

from lastro.custody.destination import Destined
from lastro.custody.links import Note
from lastro.custody.trips import ROUND_DAYS, Trip, doubtful
from lastro.facts import Finding
from lastro.stores.postgres import papers
from lastro.units import Mass

Connection = psycopg.Connection[Any]

_SELLER = """case when {0}.record #>> '{{invoice,direction}}' = '0' and {0}.recipient not in ('', {0}.issuer)
             then {0}.recipient else {0}.issuer end"""
_BUYER = """case when {0}.record #>> '{{invoice,direction}}' = '0' then {0}.issuer else {0}.recipient end"""

_AROUND = f"""
    select o.access_key from document d join named n using (sha256, ordinal)
    join named m on m.name = n.name join document o on (o.sha256, o.ordinal) = (m.sha256, m.ordinal)
    where d.access_key = any(%(keys)s) and d.kind = 'nfe' and o.kind = 'nfe'
      and n.name like 'placa/%%' and o.issued_on = d.issued_on
    union
    select o.access_key from document d
    join document o on o.kind = 'nfe' and {papers.low("d")} = {papers.low("o")}
     and {papers.high("d")} = {papers.high("o")}
     and o.issued_on between d.issued_on - {ROUND_DAYS} and d.issued_on + {ROUND_DAYS}
    where d.access_key = any(%(keys)s) and d.kind = 'nfe'
      and left({_SELLER.format("d")}, 8) <> left({_SELLER.format("o")}, 8)
"""
"""Loads of the same lorry on the same day, and sales of the same two firms the other way."""

_MONTH = f"""
    select o.access_key from (
        select distinct {_SELLER.format("d")} as seller, date_trunc('month', d.issued_on)::date as month
        from document d where d.access_key = any(%(keys)s) and d.kind = 'nfe') as s
    join document o on o.kind = 'nfe' and s.seller in (o.issuer, o.recipient)
     and o.issued_on >= s.month and o.issued_on < s.month + interval '1 month'
    where s.seller = any(%(sellers)s) and {_SELLER.format("o")} = s.seller
"""


def concerned(db: Connection, keys: Iterable[str]) -> set[str]:
    """These keys, and those of which people may be asked something else because of them."""
    wanted = sorted(set(keys))
    found = {key for (key,) in db.execute(_AROUND, {"keys": wanted}) if key}
    sellers = sorted(_capacities(db, wanted))
    if sellers:
        found |= {key for (key,) in db.execute(_MONTH, {"keys": wanted, "sellers": sellers}) if key}
    return found | set(wanted)


def held(db: Connection, keys: Iterable[str]) -> set[str]:
    """The names of the lorries of these notes, and of their sellers where a month is added up.

    Whoever hands in one of two notes holds them, so that of two that come at once one is seen by the other.
    """
    wanted = sorted(set(keys))
    rows = db.execute(
        """select distinct n.name from document d join named n using (sha256, ordinal)
           where d.access_key = any(%s) and d.kind = 'nfe' and n.name like 'placa/%%'""",
        [wanted],
    )
    return {name for (name,) in rows} | {f"mes/{seller}" for seller in _capacities(db, wanted)}


def told(
    db: Connection, keys: Sequence[str], *, blocked: papers.Blocked, beside: Mapping[str, Destined]
) -> dict[str, dict[int, tuple[Finding, ...]]]:
    """What people are asked of the lines of these notes; `beside` are the papers known of each."""
    covered = {key for key, destined in beside.items() if any(p.kind == "mtr" for p in destined.papers)}
    around = sorted(concerned(db, keys))
    notes = {note.access_key: note for note in papers.notes_of(db, around, blocked)}
    trips = _trips(db, notes, covered)
    asked = doubtful(trips, capacity=_capacities(db, around))
    return {key: {goods.line: asked[key] for goods in notes[key].goods} for key in keys if key in asked}


def _trips(db: Connection, notes: Mapping[str, Note], covered: set[str]) -> list[Trip]:
    """The notes as loads on the road; of several contents under a key, as the first one says."""
    rows = db.execute(
        f"""select distinct on (d.access_key) d.access_key, {_SELLER.format("d")}, {_BUYER.format("d")},
                   d.record -> 'invoice'
            from document d where d.access_key = any(%s) and d.kind = 'nfe'
            order by d.access_key, d.content_digest""",
        [sorted(notes)],
    )
    return [
        _trip(notes[key], seller, buyer, invoice or {}, key in covered)
        for key, seller, buyer, invoice in rows
    ]


def _trip(note: Note, seller: str, buyer: str, invoice: Mapping[str, Any], covered: bool) -> Trip:
    ufs = [invoice.get("issuer_uf", ""), invoice.get("recipient_uf", "")]
    if seller != invoice.get("issuer", seller):
        ufs.reverse()
    return Trip(
        access_key=note.access_key,
        issued_on=note.issued_on,
        seller=seller,
        buyer=buyer,
        from_uf=ufs[0],
        to_uf=ufs[1],
        goods=tuple((goods.material, goods.mass) for goods in note.goods),
        plates=note.plates,
        carrier=invoice.get("carrier", ""),
        by_road=not invoice.get("wagon", ""),
        covered=covered,
    )


def _capacities(db: Connection, keys: Sequence[str]) -> dict[str, Mass]:
    """What the registry says that the sellers of these notes can handle in a month."""
    sellers = db.execute(
        f"""select distinct {_SELLER.format("d")} from document d
            where d.access_key = any(%s) and d.kind = 'nfe'""",
        [list(keys)],
    )
    rows = db.execute(
        """select distinct on (natural_key) natural_key, body ->> 'capacity_kg_month'
           from registry_row where kind = 'parties' and natural_key = any(%s)
           order by natural_key, id desc""",
        [[json.dumps([who], ensure_ascii=False) for (who,) in sellers.fetchall()]],
    )
    return {json.loads(key)[0]: Mass.kg(kilograms) for key, kilograms in rows if kilograms}
