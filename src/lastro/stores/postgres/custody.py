"""Custody's memory in PostgreSQL: files, documents, verdicts, claims and decisions, all only added."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from lastro.custody import ClaimView, ContentView, Decided, KeyView, LineCount
from lastro.custody.count import BLOCKS, Limit
from lastro.custody.destination import Destined
from lastro.custody.family import Family
from lastro.custody.lots import LotRow, Lots
from lastro.custody.port import Answered, For, Handed
from lastro.evidence.consulted import Consulted
from lastro.facts import Beside, Collection, Finding, Kin
from lastro.ids import Material, Origin, same_person
from lastro.stores.postgres import family, fetched, hub_found, paper_names, papers, trips
from lastro.stores.postgres.chain import ComparedNotes
from lastro.stores.postgres.store import Store
from lastro.units import ZERO, Mass

Connection = psycopg.Connection[Any]

_NOW = """document d join lateral (
    select distinct on (entity, norm, year) *
    from verdict v where v.sha256 = d.sha256 and v.ordinal = d.ordinal
    order by entity, norm, year, id desc) v on true"""
"""Documents with the latest verdict of each claimant on them."""


@dataclass(frozen=True)
class LotStanding:
    """What a line is seen from all claims together, as last settled."""

    access_key: str
    line: int
    state: str
    reason: str
    claims: Mapping[str, Any]
    stale: Sequence[str]


@contextmanager
def custody(store: Store) -> Iterator[PostgresCustody]:
    """Custody's memory for one transaction: all that is done in it stands, or nothing."""
    with store.transaction() as db:
        yield PostgresCustody(db)


class PostgresCustody(ComparedNotes):
    """Custody's memory during one transaction."""

    def __init__(self, db: Connection) -> None:
        self.db = db

    def lock_keys(self, keys: Iterable[str]) -> None:
        """Hold these keys until the transaction ends."""
        self.db.execute("select lock_keys(%s)", [sorted(set(keys))])

    def hold_chains(self, keys: Sequence[str]) -> None:
        """Keep everyone who claims these keys from using their mass until this transaction ends.

        Without it a retirement may come between the count and its posting, which then takes too much.
        """
        self.db.execute(
            """select lock_chains(array(select distinct entity from claim where access_key = any(%(keys)s)
                                  union select entity from balance where access_key = any(%(keys)s)))""",
            {"keys": list(keys)},
        )

    def answered(
        self, whom: For, *, files: Sequence[str] | None = None, keys: Sequence[str] | None = None
    ) -> list[Answered]:
        """The latest answers on these files or keys for this claimant; on all of them when none is named."""
        where, values = "true", []
        if files is not None:
            where, values = "d.sha256 = any(%s)", [list(files)]
        elif keys is not None:
            where, values = "d.access_key = any(%s)", [list(keys)]
        rows = _rows(
            self.db,
            f"""select d.id, d.sha256, d.ordinal, d.access_key, d.content_digest, d.kind, v.known,
                       v.authentic, d.record as document, v.record as verdict
                from {_NOW}
                where {where} and v.entity = %s and v.norm = %s and v.year = %s
                order by d.id""",
            [*values, whom.entity, whom.norm, whom.year],
        )
        return [Answered(**row) for row in rows]

    def claimants(self) -> list[For]:
        """On whose behalf, under which norms and years, anything was ever handed in."""
        rows = _rows(self.db, "select distinct entity, norm, year from verdict order by 1, 2, 3", [])
        return [For(**row) for row in rows]

    def lots_said(self, entity: str) -> Lots:
        """What the entity last said of single lines."""
        rows = _rows(
            self.db,
            """select distinct on (access_key, line) access_key, line, municipality, origin, mass_mg, mtr
               from lot_said where entity = %s order by access_key, line, id desc""",
            [entity],
        )
        return {
            (row["access_key"], row["line"]): LotRow(
                row["municipality"],
                Origin(row["origin"]) if row["origin"] else None,
                Mass(row["mass_mg"]) if row["mass_mg"] else None,
                row["mtr"],
            )
            for row in rows
        }

    def say_lots(self, entity: str, lots: Lots) -> None:
        """Add what the entity says of lines, where it says something new."""
        known = self.lots_said(entity)
        with self.db.cursor() as cursor:
            cursor.executemany(
                """insert into lot_said (entity, access_key, line, municipality, origin, mass_mg, mtr)
                   values (%s, %s, %s, %s, %s, %s, %s)""",
                [
                    (
                        *(entity, key, line, row.municipality, row.origin),
                        *(row.mass.mg if row.mass else None, row.manifest),
                    )
                    for (key, line), row in sorted(lots.items(), key=str)
                    if known.get((key, line)) != row
                ],
            )

    def file(self, sha256: str) -> bytes:
        """The bytes of a file handed in."""
        row = self.db.execute("select body from evidence_file where sha256 = %s", [sha256]).fetchone()
        assert row, "a document's file is kept"
        return zlib.decompress(row[0])

    def write_files(self, files: Mapping[str, bytes]) -> None:
        """Keep the bytes handed in, once each, compressed."""
        with self.db.cursor() as cursor:
            cursor.executemany(
                """insert into evidence_file (sha256, size_bytes, body) values (%s, %s, %s)
                   on conflict do nothing""",
                [(digest, len(body), zlib.compress(body)) for digest, body in sorted(files.items())],
            )

    def write_answers(self, handed: Sequence[Handed], whom: For) -> None:
        """Add documents not seen before, in the order given, and the verdict on each as known now."""
        with self.db.cursor() as cursor:
            cursor.executemany(
                """insert into document
                   (sha256, ordinal, access_key, content_digest, kind, issued_on, issuer, recipient, record)
                   values (%s, %s, %s, %s, %s, %s, %s, %s, %s) on conflict do nothing""",
                [
                    (
                        *(h.sha256, h.ordinal, h.access_key, h.content_digest, h.kind),
                        *(h.issued_on, h.issuer, h.recipient, Jsonb(h.document)),
                    )
                    for h in handed
                ],
            )
            cursor.executemany(
                """insert into verdict
                   (sha256, ordinal, entity, norm, year, known, authentic, outcome, record)
                   values (%s, %s, %s, %s, %s, %s, %s, %s, %s)""",
                [
                    (
                        *(h.sha256, h.ordinal, whom.entity, whom.norm, whom.year, h.known),
                        *(h.authentic, h.outcome, Jsonb(h.verdict)),
                    )
                    for h in handed
                ],
            )
            cursor.executemany(
                """insert into bearing (sha256, ordinal, access_key, code, parties)
                   values (%s, %s, %s, %s, %s) on conflict do nothing""",
                [
                    (h.sha256, h.ordinal, bears.access_key, bears.code, list(bears.parties))
                    for h in handed
                    for bears in h.bears
                ],
            )
        paper_names.write(self.db, handed)

    def write_consulted(self, answers: Mapping[str, Consulted], *, address: str) -> None:
        """Add what SEFAZ answered, each by the digest of its bytes; the same answer again changes nothing."""
        fetched.write_consulted(self.db, answers, address=address)

    def consulted(self) -> Mapping[str, Consulted]:
        """The answer of SEFAZ that holds about each key it was asked of, where it tells anything."""
        return fetched.consulted(self.db)

    def write_claims(self, claims: Iterable[tuple[str, int, Mass | None]], whom: For) -> None:
        """Add claims (key, line, mass or None for all); the same claim again changes nothing."""
        with self.db.cursor() as cursor:
            cursor.executemany(
                """insert into claim (entity, access_key, line, norm, year, mass_mg)
                   values (%s, %s, %s, %s, %s, %s) on conflict do nothing""",
                [
                    (whom.entity, key, line, whom.norm, whom.year, mass.mg if mass else None)
                    for key, line, mass in sorted(claims, key=str)
                ],
            )

    def write_withdrawal(self, key: str, line: int, *, entity: str, reason: str, by: str, on: date) -> None:
        """Add that an entity claims nothing of a line; said again, it changes nothing."""
        self.db.execute(
            """insert into claim_withdrawn (entity, access_key, line, reason, by_user, on_day)
               values (%s, %s, %s, %s, %s, %s) on conflict do nothing""",
            [entity, key, line, reason, by, on],
        )

    def key_views(self, keys: Sequence[str]) -> dict[str, KeyView]:
        """Everything known about each key, ready to be counted."""
        keys = sorted(set(keys))
        beside = family.around(self.db, keys)
        every = sorted({*keys, *(other for others in beside.values() for other in others)})
        answers, wanted = _answers(self.db, every), _claims(self.db, every)
        claims = {key: tuple(_claim_views(answers[key], wanted[key])) for key in every}
        who = {key: frozenset(claim.entity for claim in found) for key, found in claims.items()}
        families = family.families(self.db, beside, claimants=who)
        spent, decisions = _spent(self.db, keys), _decisions(self.db, keys)
        withdrawn = _withdrawn(self.db, keys)
        blocked, left = family.standing(self.db, keys)
        beside_papers = self._papers(keys)
        on_road = trips.told(self.db, keys, blocked=partial(family.blocks, self.db), beside=beside_papers)
        at_hub = hub_found.doubts(self.db, keys)
        views = {
            key: KeyView(
                access_key=key,
                contents=_contents(answers[key]),
                claims=claims[key],
                spent=spent[key],
                decisions=tuple(decisions[key]),
                blocked=min(blocked.get(key, ()), key=BLOCKS.index, default=""),
                limits=_all_limits(left.get(key, {}), beside_papers[key].limits),
                doubts=_all_doubts(
                    _doubts(_contents(answers[key]), families.get(key, Family())),
                    beside_papers[key].doubts,
                    on_road.get(key, {}),
                    at_hub.get(key, {}),
                ),
                notices=beside_papers[key].notices,
                papers=beside_papers[key].papers,
                family=families.get(key, Family()).kin,
                echo=families.get(key, Family()).echo,
                withdrawn=withdrawn[key],
            )
            for key in keys
        }
        return self.compared(views, answers)

    def families(self, keys: Sequence[str]) -> Mapping[str, tuple[Kin, ...]]:
        """The other notes of the mass of each of these keys that has some."""
        found = family.families(self.db, family.around(self.db, sorted(set(keys))), claimants={})
        return {key: of.kin for key, of in found.items() if of.kin}

    def hold(
        self, keys: Iterable[str], write: Callable[[], None], *, besides: Iterable[str] = ()
    ) -> list[str]:
        """Hold these keys and names, write, and hold what is concerned besides; gives the keys to settle.

        All is held in one order, so that nobody waits for another in a ring: where the writing shows that
        more must be held, it is undone, what was held is let go, and all is done again.
        """
        keys = set(keys)
        names = {*keys, *besides}
        held = {*besides, *self._concerned(keys, names)[1]}
        while True:
            with self.db.transaction() as attempt:
                self.lock_keys(held)
                write()
                concerned, wider = self._concerned(keys, names)
                if wider <= held:
                    return sorted(concerned)
                held |= wider
                raise psycopg.Rollback(attempt)

    def _concerned(self, keys: set[str], names: set[str]) -> tuple[set[str], set[str]]:
        """The keys whose count may change with what is known by these names, and all to be held for that."""
        concerned = family.concerned(self.db, keys)
        concerned |= papers.concerned(self.db, concerned | names)
        concerned = trips.concerned(self.db, concerned)
        wider = concerned | family.pairs(self.db, concerned) | papers.pairs(self.db, concerned | names)
        return concerned, wider | trips.held(self.db, concerned)

    def papers_beside(self, keys: Sequence[str]) -> dict[str, tuple[Beside, ...]]:
        """The manifests and certificates of destination that go with each of these notes, where any does."""
        return {key: one.papers for key, one in self._papers(sorted(set(keys))).items() if one.papers}

    def _papers(self, keys: Sequence[str]) -> Mapping[str, Destined]:
        """What manifests and certificates of destination make of each of these keys."""
        found = papers.destined(self.db, keys, blocked=partial(family.blocks, self.db))
        return {key: found.get(key, Destined()) for key in keys}

    def entered(self, keys: Sequence[str]) -> dict[str, dict[tuple[int, str], Mass]]:
        """What stands entered in each lot of these keys, by (line, claimant), net of what went back."""
        found: dict[str, dict[tuple[int, str], Mass]] = defaultdict(dict)
        for key, at, mass in _entered(self.db, sorted(set(keys))):
            found[key][at] = mass
        return found

    def write_states(self, key: str, counts: Iterable[LineCount]) -> None:
        """Refresh the cache that lists of lots are read from."""
        with self.db.cursor() as cursor:
            cursor.executemany(
                """insert into lot_state (access_key, line, state, reason, claims, stale)
                   values (%s, %s, %s, %s, %s, %s)
                   on conflict (access_key, line) do update
                   set (state, reason, claims, stale)
                     = (excluded.state, excluded.reason, excluded.claims, excluded.stale)""",
                [(key, c.line, c.state, c.reason, Jsonb(_claims_json(c)), sorted(c.stale)) for c in counts],
            )

    def every_key(self, *, size: int = 500) -> Iterator[list[str]]:
        """Every key that a document, a claim or an entry names, some at a time."""
        last = ""
        while keys := [
            row["access_key"]
            for row in _rows(
                self.db,
                """select access_key from document where access_key > %(last)s
                   union select access_key from claim where access_key > %(last)s
                   union select access_key from entry where access_key > %(last)s
                   union select access_key from lot_state where access_key > %(last)s
                   order by access_key limit %(size)s""",
                {"last": last, "size": size},
            )
        ]:
            yield keys
            last = keys[-1]

    def states(self, keys: Sequence[str]) -> dict[str, dict[int, tuple[str, str, frozenset[str]]]]:
        """The cached state, reason and stale claimants of each line of these keys."""
        found: dict[str, dict[int, tuple[str, str, frozenset[str]]]] = defaultdict(dict)
        for row in _rows(self.db, "select * from lot_state where access_key = any(%s)", [list(keys)]):
            found[row["access_key"]][row["line"]] = row["state"], row["reason"], frozenset(row["stale"])
        return found

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Every file handed in, as its digest and its bytes."""
        with self.db.cursor("files") as cursor:
            cursor.itersize = 100
            for digest, body in cursor.execute("select sha256, body from evidence_file order by sha256"):
                yield digest, zlib.decompress(body)

    def standing(
        self, *, state: str | None = None, entity: str | None = None, key: str | None = None
    ) -> list[LotStanding]:
        """The lines as last settled: all, or those of a state, of a key, or those that an entity claims."""
        rows = _rows(
            self.db,
            """select * from lot_state
               where state = coalesce(%s, state) and (%s::text is null or claims ? %s)
                 and access_key = coalesce(%s, access_key)
               order by access_key, line""",
            [state, entity, entity, key],
        )
        return [LotStanding(**row) for row in rows]

    def fallen(self) -> list[LotStanding]:
        """The lines of which somebody used more than what stands."""
        rows = _rows(self.db, "select * from lot_state where stale <> '{}' order by access_key, line", [])
        return [LotStanding(**row) for row in rows]

    def post(self, postings: Sequence[Mapping[str, Any]]) -> None:
        """Bring the ledger along, in this transaction; a difference is never posted twice."""
        self.db.execute("select post(%s, %s)", [Jsonb(list(postings)), f"settle/{uuid4()}"])

    def proposals(self, key: str, line: int) -> list[dict[str, Any]]:
        """What people said of a line so far, oldest first: for whom, why, by whom, what it confirms."""
        return _rows(
            self.db,
            """select id, entity, content, reason, by_user, confirms, recorded_at from decision
               where access_key = %s and line = %s order by id""",
            [key, line],
        )

    def propose(self, view: KeyView, decided: Decided, *, reason: str, by: str) -> int | None:
        """Write down what one person decides. Returns the proposal that this confirms, if another made it."""
        values = {
            "key": view.access_key,
            "line": decided.line,
            "entity": decided.entity,
            "content": decided.content,
            "claimants": sorted(decided.claimants),
            "contents": sorted(decided.contents),
            "reason": reason,
            "by": by,
        }
        rows = self.db.execute(
            """select id, by_user from decision d
               where access_key = %(key)s and line = %(line)s and entity = %(entity)s
                 and content = %(content)s and claimants = %(claimants)s and contents = %(contents)s
                 and confirms is null
                 and not exists (select 1 from decision c where c.confirms = d.id)
               order by id desc""",
            values,
        )
        confirms = next((number for number, who in rows if not same_person(who, by)), None)
        self.db.execute(
            """insert into decision
               (access_key, line, entity, content, claimants, contents, reason, by_user, confirms)
               values (%(key)s, %(line)s, %(entity)s, %(content)s, %(claimants)s, %(contents)s,
                       %(reason)s, %(by)s, %(confirms)s)""",
            {**values, "confirms": confirms},
        )
        return confirms


def _answers(db: Connection, keys: list[str]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(
        db,
        f"""select d.access_key, d.content_digest, d.issued_on, d.issuer, d.recipient,
                  v.entity, v.norm, v.year, v.outcome, v.authentic, v.record -> 'lines' as lines,
                  v.record -> 'collects' as collects, d.record #>> '{{invoice,issued_at}}' as issued_at,
                  d.record #>> '{{invoice,direction}}' as direction, d.record #> '{{invoice,lines}}' as goods,
                  d.record #> '{{invoice,plates}}' as plates, d.record #> '{{invoice,mentions}}' as mentions
           from {_NOW}
           where d.access_key = any(%s) and d.kind = 'nfe'
           order by d.id""",
        [keys],
    ):
        found[row["access_key"]].append(row)
    return found


def _claims(db: Connection, keys: list[str]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(
        db,
        """select * from claim c where access_key = any(%s) and not exists (
               select from claim_withdrawn w
                where (w.entity, w.access_key, w.line) = (c.entity, c.access_key, c.line))
           order by id""",
        [keys],
    ):
        found[row["access_key"]].append(row)
    return found


def _withdrawn(db: Connection, keys: list[str]) -> dict[str, frozenset[tuple[int, str]]]:
    """By key, the lines that an entity claimed and took back; what was never claimed is not taken back."""
    found: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for row in _rows(
        db,
        """select distinct w.access_key, w.line, w.entity from claim_withdrawn w
             join claim c on (c.entity, c.access_key, c.line) = (w.entity, w.access_key, w.line)
            where w.access_key = any(%s)""",
        [keys],
    ):
        found[row["access_key"]].add((row["line"], row["entity"]))
    return defaultdict(frozenset, {key: frozenset(lines) for key, lines in found.items()})


def _contents(answers: Iterable[Mapping[str, Any]]) -> dict[str, ContentView]:
    found: dict[str, ContentView] = {}
    for row in answers:
        if row["authentic"]:
            masses = {x["line"]: Mass(x["mass_mg"]) for x in row["lines"] if x["mass_mg"] is not None}
            known = found.get(row["content_digest"])
            found[row["content_digest"]] = ContentView(
                digest=row["content_digest"],
                masses={**(known.masses if known else {}), **masses},
                issued_on=row["issued_on"],
                issuer=row["issuer"],
                recipient=row["recipient"],
            )
    return found


def _claim_views(
    answers: Iterable[Mapping[str, Any]], claims: Iterable[Mapping[str, Any]]
) -> Iterable[ClaimView]:
    """The claims that some answer admits, each with what its lot must carry."""
    wanted: dict[tuple[str, int, str, int], list[int | None]] = defaultdict(list)
    for row in claims:
        wanted[row["entity"], row["line"], row["norm"], row["year"]].append(row["mass_mg"])
    for row in answers:
        if row["outcome"] != "admitted":
            continue
        for line in row["lines"]:
            if not (line["counts"] and line["verdict"] == "admitted" and line["mass_mg"]):
                continue
            for mg in wanted.get((row["entity"], line["line"], row["norm"], row["year"]), ()):
                if mg is None or mg <= line["mass_mg"]:
                    yield _claim_view(row, line, mg)


def _claim_view(row: Mapping[str, Any], line: Mapping[str, Any], mg: int | None) -> ClaimView:
    place = line["collection"]
    return ClaimView(
        entity=row["entity"],
        line=line["line"],
        mass=None if mg is None else Mass(mg),
        content=row["content_digest"],
        material=Material(line["material"]),
        collection=Collection(
            place["municipality"], place["source"], Origin(place["origin"]) if place["origin"] else None
        ),
        norm=row["norm"],
        year=row["year"],
    )


def _spent(db: Connection, keys: list[str]) -> dict[str, dict[tuple[int, str], Mass]]:
    """What each lot gave away: what entered it less what is still there."""
    found: dict[str, dict[tuple[int, str], Mass]] = defaultdict(dict)
    for key, at, mass in _entered(db, keys):
        found[key][at] = mass
    for row in _rows(
        db,
        "select access_key, line, claimant, mass_mg from balance where access_key = any(%s)",
        [keys],
    ):
        at = row["line"], row["claimant"]
        found[row["access_key"]][at] = found[row["access_key"]].get(at, ZERO) - Mass(row["mass_mg"])
    return found


def _entered(db: Connection, keys: list[str]) -> Iterable[tuple[str, tuple[int, str], Mass]]:
    for row in _rows(
        db,
        """select access_key, line, claimant,
                  sum(case when debit = 'source' then mass_mg else -mass_mg end)::bigint as mass_mg
           from entry
           where access_key = any(%s) and 'source' in (debit, credit)
           group by access_key, line, claimant""",
        [keys],
    ):
        yield row["access_key"], (row["line"], row["claimant"]), Mass(row["mass_mg"])


def _decisions(db: Connection, keys: list[str]) -> dict[str, list[Decided]]:
    """Decisions that two different people made, oldest first."""
    found: dict[str, list[Decided]] = defaultdict(list)
    for row in _rows(
        db,
        "select * from decision where access_key = any(%s) and confirms is not null order by id",
        [keys],
    ):
        found[row["access_key"]].append(
            Decided(
                row["line"],
                row["entity"],
                row["content"],
                frozenset(row["claimants"]),
                frozenset(row["contents"]),
            )
        )
    return found


def _doubts(contents: Mapping[str, ContentView], of: Family) -> dict[int, tuple[Finding, ...]]:
    """What a note's family asks, on each of its lines that weighs something."""
    return {line: of.doubts for content in contents.values() for line in content.masses} if of.doubts else {}


def _all_doubts(*asked: Mapping[int, tuple[Finding, ...]]) -> dict[int, tuple[Finding, ...]]:
    """What is asked of each line from every side, in one order."""
    lines = sorted({line for doubts in asked for line in doubts})
    return {line: tuple(one for doubts in asked for one in doubts.get(line, ())) for line in lines}


def _all_limits(*left: Mapping[int, tuple[Limit, ...]]) -> dict[int, tuple[Limit, ...]]:
    """What is left of each line by every paper, in one order."""
    lines = sorted({line for limits in left for line in limits})
    return {line: tuple(one for limits in left for one in limits.get(line, ())) for line in lines}


def _claims_json(count: LineCount) -> dict[str, Any]:
    return {
        who: {"mass_mg": claim.mass.mg if claim.mass else None, "content": claim.content}
        for who, claim in sorted(count.claims.items())
    }


def _rows(db: Connection, query: str, values: Sequence[Any] | Mapping[str, Any]) -> list[dict[str, Any]]:
    with db.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, values).fetchall()
