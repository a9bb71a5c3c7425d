"""The notes around a note in PostgreSQL: what other papers do to it, and which others may tell its mass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import psycopg
from psycopg.rows import dict_row

from lastro.custody.count import Limit
from lastro.custody.family import Family, Member, family_of, pair_name
from lastro.evidence.kin import WINDOW, Sale, masses_of, sale_of
from lastro.evidence.record import invoice_of, verdict_from_json
from lastro.facts import Invoice
from lastro.stores.postgres import returns

Connection = psycopg.Connection[Any]
Limits = Mapping[int, tuple[Limit, ...]]
"""What other papers leave of a note, by line."""

_HOLDS = """select b.access_key, b.code, d.access_key as source, d.kind
    from bearing b join document d using (sha256, ordinal)
    where {which} = any(%(keys)s)
      and exists (select 1 from (
            select distinct on (entity, norm, year) authentic from verdict v
            where v.sha256 = d.sha256 and v.ordinal = d.ordinal
            order by entity, norm, year, id desc) latest where authentic)
      and (b.parties = '{{}}' or exists (
            select 1 from document n where n.access_key = b.access_key
              and b.parties = array[least(n.issuer, n.recipient), greatest(n.issuer, n.recipient)]
              and (b.code <> 'M15' or (n.issuer = d.issuer)
                   = (coalesce(n.record #>> '{{invoice,direction}}', '1')
                      = coalesce(d.record #>> '{{invoice,direction}}', '1')))))"""
"""What authentic papers say of notes; a return, or a sale told anew, of a note of its two parties only.

A sale tells another anew where the seller is the same: one issuer wrote both in one direction, or each party
wrote one in its own.
"""

_AROUND = """
    select d.access_key as key, b.access_key as other
    from document d join bearing b using (sha256, ordinal)
    where d.access_key = any(%(keys)s) and d.kind = 'nfe' and b.access_key <> d.access_key
    union
    select b.access_key, d.access_key
    from bearing b join document d using (sha256, ordinal)
    where b.access_key = any(%(keys)s) and d.kind = 'nfe' and b.access_key <> d.access_key
    union
    select d.access_key, o.access_key
    from document d join bearing b using (sha256, ordinal)
      join bearing also on also.access_key = b.access_key and also.code = 'M15'
      join document o on (o.sha256, o.ordinal) = (also.sha256, also.ordinal)
    where d.access_key = any(%(keys)s) and d.kind = 'nfe' and b.code = 'M15' and o.kind = 'nfe'
      and o.access_key <> d.access_key
    union
    select d.access_key, t.access_key
    from document d join document t
      on t.kind = 'nfe'
     and left(t.issuer, 8) = left(d.recipient, 8) and left(t.recipient, 8) = left(d.issuer, 8)
     and t.issued_on between d.issued_on - %(days)s and d.issued_on + %(days)s
    where d.access_key = any(%(keys)s) and d.kind = 'nfe' and d.issuer <> d.recipient and d.issuer <> ''
      and t.access_key <> '' and t.access_key <> d.access_key
    union
    select d.access_key, o.access_key
    from document d join document t
      on t.kind = 'nfe'
     and left(t.issuer, 8) = left(d.recipient, 8) and left(t.recipient, 8) = left(d.issuer, 8)
     and t.issued_on between d.issued_on - %(days)s and d.issued_on + %(days)s
    join document o
      on o.kind = 'nfe'
     and left(o.issuer, 8) = left(d.issuer, 8) and left(o.recipient, 8) = left(d.recipient, 8)
     and o.issued_on between t.issued_on - %(days)s and t.issued_on + %(days)s
    where d.access_key = any(%(keys)s) and d.kind = 'nfe' and d.issuer <> d.recipient and d.issuer <> ''
      and t.access_key <> '' and o.access_key <> '' and o.access_key <> d.access_key"""
"""Which notes stand beside which: by a reference, by telling the same note anew, or by the same two companies
in turned roles within days, and then those that may tell the rest of it (the beginning of a CPF finds too
many; `twins` and `summed` look at all of it).
"""


def blocks(db: Connection, keys: Sequence[str]) -> dict[str, frozenset[str]]:
    """By which codes other papers stop each key from counting; what a cancelled note says stops nothing."""
    return standing(db, keys)[0]


def standing(db: Connection, keys: Sequence[str]) -> tuple[dict[str, frozenset[str]], Mapping[str, Limits]]:
    """By which codes other papers stop each key, and what is left of the keys of which a part came back.

    A return in part stops no note: it leaves less of its lines. Two notes that tell each other anew stop
    neither: people are asked.
    """
    said = _rows(db, _HOLDS.format(which="b.access_key"), {"keys": list(keys)})
    off = _cancelled(db, {row["source"] for row in said if row["kind"] == "nfe"})
    found: defaultdict[str, set[str]] = defaultdict(set)
    own = _undone(db, sorted({row["access_key"] for row in said if row["code"] == "M15"}))
    for row in said:
        mutual = row["code"] == "M15" == own.get(row["access_key"], {}).get(row["source"])
        if not mutual and (row["kind"] != "nfe" or row["source"] not in off):
            found[row["access_key"]].add(row["code"])
    for key in _cancelled_at_sefaz(db, keys):
        found[key].add("N10")
    left = returns.left(db, _returned(said, off))
    for key in left:
        found[key].discard("N16")
    return {key: frozenset(codes) for key, codes in found.items() if codes}, left


def _returned(said: Iterable[Mapping[str, Any]], off: set[str]) -> dict[str, set[str]]:
    """The notes that return each key, where only notes do: of what an event says nothing can be weighed."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    events = set()
    for row in said:
        if row["code"] == "N16" and row["kind"] != "nfe":
            events.add(row["access_key"])
        elif row["code"] == "N16" and row["source"] not in off:
            found[row["access_key"]].add(row["source"])
    return {key: by for key, by in found.items() if key not in events}


def _cancelled(db: Connection, keys: Iterable[str]) -> set[str]:
    wanted = sorted(keys)
    if not wanted:
        return set()
    said = _rows(db, _HOLDS.format(which="b.access_key") + " and b.code = 'N10'", {"keys": wanted})
    return {row["access_key"] for row in said} | _cancelled_at_sefaz(db, wanted)


def _cancelled_at_sefaz(db: Connection, keys: Sequence[str]) -> set[str]:
    query = "select access_key from sefaz_answer where access_key = any(%(keys)s) and cancelled"
    return {row["access_key"] for row in _rows(db, query, {"keys": list(keys)})}


def around(db: Connection, keys: Sequence[str]) -> dict[str, set[str]]:
    """The notes that stand beside each of these, by key."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for row in _rows(db, _AROUND, {"keys": list(keys), "days": WINDOW.days}):
        found[row["key"]].add(row["other"])
    return found


def concerned(db: Connection, keys: Iterable[str]) -> set[str]:
    """These keys with all whose count may change with theirs: two steps away, as a cancelled note gives back
    what it stopped, which then stands beside its twin."""
    every, edge = set(keys), set(keys)
    for _ in range(2):
        beside = around(db, sorted(edge))
        edge = {other for others in beside.values() for other in others} - every
        if not edge:
            break
        every |= edge
    return every


def pairs(db: Connection, keys: Iterable[str]) -> set[str]:
    """The names of the two parties of each note: whoever looks for its twins holds them, so that of two twins
    that come at once one is seen."""
    query = (
        "select distinct issuer, recipient from document where access_key = any(%(keys)s) and kind = 'nfe'"
    )
    return {
        pair_name(row["issuer"], row["recipient"]) for row in _rows(db, query, {"keys": sorted(set(keys))})
    }


def families(
    db: Connection, beside: Mapping[str, set[str]], *, claimants: Mapping[str, frozenset[str]]
) -> dict[str, Family]:
    """The family of each key that has one. `beside` is what `around` found; `claimants` of all these keys
    are those with an admitted claim on them.
    """
    every = sorted({*beside, *(other for others in beside.values() for other in others)})
    members = _members(db, every, claimants) if every else {}
    return {
        key: family_of(members[key], [members[other] for other in others if other in members])
        for key, others in beside.items()
        if key in members
    }


def _members(db: Connection, keys: list[str], claimants: Mapping[str, frozenset[str]]) -> dict[str, Member]:
    blocked, undone = blocks(db, keys), _undone(db, keys)
    return {
        key: Member(
            access_key=key,
            sale=sale,
            references=invoice.references,
            undoes=undone.get(key, {}),
            claimants=claimants.get(key, frozenset()),
            blocked=blocked.get(key, frozenset()),
            masses=masses,
        )
        for key, (invoice, sale, masses) in _sales(db, keys).items()
    }


def _undone(db: Connection, keys: list[str]) -> dict[str, dict[str, str]]:
    """What each of these notes does to others, where that holds; a cancelled note does nothing."""
    if not keys:
        return {}
    said = _rows(db, _HOLDS.format(which="d.access_key") + " and d.kind = 'nfe'", {"keys": keys})
    off = _cancelled(db, {row["source"] for row in said})
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for row in said:
        if row["source"] not in off:
            found[row["source"]][row["access_key"]] = row["code"]
    return found


def _sales(db: Connection, keys: list[str]) -> dict[str, tuple[Invoice, Sale | None, dict[str, int]]]:
    """Each authentic note with what a twin would know it by, and its masses, as its first content says."""
    found: dict[str, tuple[Invoice, Sale | None, dict[str, int]]] = {}
    for row in _rows(
        db,
        """select distinct on (d.access_key, d.content_digest) d.access_key, d.record as document,
                  v.record as verdict
           from document d join verdict v using (sha256, ordinal)
           where d.access_key = any(%(keys)s) and d.kind = 'nfe' and v.authentic
           order by d.access_key, d.content_digest, v.outcome <> 'admitted', v.id desc""",
        {"keys": keys},
    ):
        invoice = invoice_of(row["document"])
        if invoice is not None and row["access_key"] not in found:
            verdict = verdict_from_json(row["verdict"])
            found[row["access_key"]] = invoice, sale_of(invoice, verdict), masses_of(verdict)
    return found


def _rows(db: Connection, query: Any, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    with db.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, values).fetchall()
