"""Certificates in PostgreSQL: moves are the database's functions, and what stands is read from the rows.

`Certificates(store)` is what `lastro.certificates` asks for (`lastro.certificates.port.Book`).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, LiteralString

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from lastro.certificates.audit import MoveRow, PaperRow, Row
from lastro.certificates.port import ALLOWED, Answer, BackedBy, Certificate, Dead, Done, Part
from lastro.certificates.states import LABELS, Move, State
from lastro.custody.settle import settle
from lastro.errors import LastroError
from lastro.facts import Refusal, Retired
from lastro.ids import Material, Origin, same_person, uf_of
from lastro.stores.postgres.custody import PostgresCustody
from lastro.stores.postgres.store import Connection, Store
from lastro.stores.postgres.view import RetiredFor
from lastro.units import Mass, Money

_FOUND = """select c.*, n.number, p.issued_on, p.valid_to, p.sha256, p.fields,
                   certificate_dead(c.id) as dead, certificate_state(c.id, '-infinity') as state,
                   array(select k.id from certificate k where k.parent = c.id order by k.id) as parts
            from certificate c
            left join certificate_number n on n.certificate = c.id
            left join certificate_paper p on p.certificate = c.id"""


class Certificates:
    """The certificates of a store. Moves answer with what they did, or with the Refusal.

    Without a request id of its own, a move is named by the certificate and the person: the same person's
    second click gets the first answer, marked `repeated` (K09).
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    # ── moves ────────────────────────────────────────────────────────────────────────────────────────

    def prepare(
        self,
        certificate: str,
        *,
        entity: str,
        holder: str | None,
        year: int,
        norm: str,
        materials: Iterable[Material],
        mass: Mass,
        investment: Money,
        by: str,
        on: date,
        request: str = "",
        kind: str = "CRE",
        allows: Iterable[Move] = ALLOWED,
    ) -> Answer:
        """Set homologated mass of the year apart, oldest note first: K01 if there is not enough.

        Without a holder it is an offer to whoever buys. The mass is in whole grams. K03 if another
        certificate bears the id. Decision 1; art. 61.
        """
        names = sorted(material.value for material in materials)
        moves = sorted(move.value for move in allows)
        return self._move(
            "select prepare_certificate(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                *(certificate, entity, holder, year, norm, names, mass.mg, investment.cents, by),
                *(request or f"prepare/{certificate}", on, kind, moves),
            ],
        )

    def divide(
        self, certificate: str, move: Move, parts: Sequence[Part], *, by: str, on: date, request: str = ""
    ) -> Answer:
        """Put certificates in the place of one: sell out of an offer, split, or pass on. The rest is kept.

        The parts are all of its mass: K01 if they are more. K03 if a part's id is taken, or it was divided.
        """
        told = [
            {
                "id": part.id,
                "holder": part.holder or None,
                "mass_mg": part.mass.mg,
                "investment_cents": part.investment.cents,
            }
            for part in parts
        ]
        return self._move(
            "select divide_certificate(%s, %s, %s, %s, %s, %s)",
            [certificate, move.value, Jsonb(told), by, request or f"{move}/{certificate}/{by}", on],
        )

    def authorise(self, certificate: str, *, by: str, on: date, request: str = "") -> Answer:
        """Allow the sale: K02 if the same person prepared it."""
        with self._store.transaction() as db:
            row = db.execute("select prepared_by from certificate where id = %s", [certificate]).fetchone()
            # The database's own comparison knows no letters beyond ASCII in some locales.
            person = row[0] if row is not None and same_person(by, row[0]) else by
            return self._move(
                "select authorise_certificate(%s, %s, %s, %s)",
                [certificate, person, request or f"authorise/{certificate}/{by}", on],
            )

    def allot(self, certificate: str, *, number: str, on: date) -> Answer:
        """Give an authorised certificate its number, or answer with the one it was given before."""
        return self._move("select allot_number(%s, %s, %s)", [certificate, number, on])

    def issue(
        self,
        certificate: str,
        *,
        number: str,
        issued_on: date,
        valid_to: date,
        fields: Mapping[str, Any],
        pdf: bytes,
        by: str,
        request: str = "",
    ) -> Answer:
        """Keep the signed paper: from now on the certificate is sold. The first paper stands."""
        return self._move(
            "select issue_certificate(%s, %s, %s, %s, %s, %s, %s, %s)",
            [
                *(certificate, number, issued_on, valid_to, Jsonb(dict(fields)), pdf, by),
                request or f"issue/{certificate}",
            ],
        )

    def refuse(self, certificate: str, *, reason: str, by: str, on: date, request: str = "") -> Answer:
        """Give the mass back to its lots; where its evidence died meanwhile it does not stay there."""
        return self._release(certificate, Move.REFUSE, reason=reason, by=by, on=on, request=request)

    def withdraw(self, certificate: str, *, reason: str, by: str, on: date, request: str = "") -> Answer:
        """Take back what was offered or prepared and not issued: the mass goes back as with a refusal."""
        return self._release(certificate, Move.WITHDRAW, reason=reason, by=by, on=on, request=request)

    def cancel(self, certificate: str, *, reason: str, by: str, on: date, request: str = "") -> Answer:
        """The agency takes an issued certificate away, used or not: its mass counts for nobody any more."""
        return self._move(
            "select cancel_certificate(%s, %s, %s, %s, %s)",
            [certificate, reason, by, request or f"cancel/{certificate}/{by}", on],
        )

    def _release(
        self, certificate: str, move: Move, *, reason: str, by: str, on: date, request: str
    ) -> Answer:
        request = request or f"{move}/{certificate}/{by}"
        with self._store.transaction() as db:
            # Request, keys, comparing, chains: the order in which everyone takes what they must hold.
            db.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [request])
            memory, keys = PostgresCustody(db), _keys(db, certificate)
            memory.lock_keys(keys)
            memory.hold_comparing()
            memory.hold_chains(keys)
            answer = self._move(
                "select release_certificate(%s, %s, %s, %s, %s, %s)",
                [certificate, move.value, reason, by, request, on],
            )
            if not isinstance(answer, Refusal) and "repeated" not in answer:
                settle(memory, keys, on=on)
        return answer

    def retire(self, certificate: str, *, by: str, on: date, request: str = "") -> Answer:
        """Use a certificate, whole and once, for its holder's year: K03, K04, K08, K11."""
        return self._move(
            "select retire_certificate(%s, %s, %s, %s)",
            [certificate, by, request or f"retire/{certificate}/{by}", on],
        )

    def _move(self, call: LiteralString, arguments: list[Any]) -> Answer:
        with self._store.transaction() as db:
            row = db.execute(call, arguments).fetchone()
        assert row is not None
        answer: dict[str, Any] = row[0]
        if "refusal" not in answer:
            return answer
        code = answer.pop("refusal")
        return Refusal(code, found=_found(code, answer), expected=_expected(code), detail=answer)

    # ── questions ────────────────────────────────────────────────────────────────────────────────────

    def find(self, name: str) -> Certificate | None:
        """The certificate of an id, or of a number as it is printed."""
        with self._store.transaction() as db:
            found = _read(db, f"{_FOUND} where c.id = %(name)s or n.number = %(name)s", {"name": name})
        return found[0] if found else None

    def of_file(self, sha256: str) -> Certificate | None:
        """The certificate whose signed PDF has this digest."""
        with self._store.transaction() as db:
            found = _read(db, f"{_FOUND} where p.sha256 = %(sha256)s", {"sha256": sha256})
        return found[0] if found else None

    def paper(self, certificate: str) -> bytes | None:
        """The signed PDF of an issued certificate (by id)."""
        with self._store.transaction() as db:
            row = db.execute(
                "select pdf from certificate_paper where certificate = %s", [certificate]
            ).fetchone()
        return bytes(row[0]) if row else None

    def certificates(
        self, *, entity: str | None = None, holder: str | None = None, year: int | None = None
    ) -> list[Certificate]:
        """All certificates, or those of an entity, a holder (an establishment, or a root) or a year."""
        with self._store.transaction() as db:
            return _read(
                db,
                f"""{_FOUND}
                    where (%(entity)s::text is null or c.entity = %(entity)s)
                      and (%(holder)s::text is null or starts_with(c.holder, %(holder)s))
                      and (%(year)s::int is null or c.year = %(year)s)
                    order by c.prepared_on, c.entity, c.height""",
                {"entity": entity, "holder": holder, "year": year},
            )


def stale_certificates(
    store: Store, *, entity: str | None = None, holder: str | None = None, year: int | None = None
) -> list[Certificate]:
    """The certificates whose evidence died (K11), not counting those that were refused."""
    found = Certificates(store).certificates(entity=entity, holder=holder, year=year)
    gone = (State.REFUSED, State.WITHDRAWN, State.CANCELLED, State.REPLACED)
    return [one for one in found if one.stale and one.stored not in gone]


def stale_retired(
    store: Store, *, company: str | None = None, year: int | None = None
) -> list[tuple[RetiredFor, Dead]]:
    """Retired mass whose evidence died, less what was reversed, whether from lots or from a certificate.

    By establishment and year, with the dead lot. It stands in the ledger and counts for nobody (T04).
    """
    with store.transaction() as db:
        rows = db.execute(
            """with moved as (
                   select credit as account, access_key, line, claimant, municipality, origin, mass_mg
                   from entry where starts_with(credit, 'retired/' || %(company)s)
                   union all
                   select debit, access_key, line, claimant, municipality, origin, -mass_mg
                   from entry where starts_with(debit, 'retired/' || %(company)s))
               select split_part(account, '/', 2), split_part(account, '/', 3)::int,
                      split_part(account, '/', 4), coalesce(municipality, ''), origin,
                      m.access_key, m.line, s.reason, sum(mass_mg)::bigint
               from moved m join lot_state s using (access_key, line)
               where m.claimant = any (s.stale)
                 and (%(year)s::int is null or split_part(account, '/', 3)::int = %(year)s)
               group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(mass_mg) <> 0 order by 1, 2, 3, 6, 7""",
            {"company": company or "", "year": year},
        ).fetchall()
    return [
        (
            RetiredFor(
                who,
                Retired(y, Material(m), uf_of(place) or "", place, Origin(o) if o else None, Mass(mg)),
            ),
            Dead(key, line, reason),
        )
        for who, y, m, place, o, key, line, reason, mg in rows
    ]


def audit_rows(db: Connection) -> list[Row]:
    """Every certificate as its rows say it, for an audit; nothing is taken from the database's functions."""
    moves: dict[str, list[MoveRow]] = defaultdict(list)
    for name, *rest in db.execute(
        """select certificate, move, entity, height, by_user, happened_on, reason from certificate_move
           order by certificate, height"""
    ):
        moves[name].append(MoveRow(*rest))
    number: dict[str, str] = dict(db.execute("select certificate, number from certificate_number").fetchall())
    papers = {
        name: PaperRow(number, issued, valid_to, sha256, hashlib.sha256(pdf).hexdigest(), fields)
        for name, number, issued, valid_to, sha256, fields, pdf in db.execute(
            """select certificate, number, issued_on, valid_to, sha256, fields::text, pdf
               from certificate_paper"""
        )
    }
    rows = db.execute(
        """select id, entity, height, holder, year, norm, materials, mass_mg, investment_cents, prepared_by,
                  prepared_on, kind, allows, begins, parent from certificate order by entity, height, id"""
    )
    return [
        Row(
            *(name, entity, height, holder, year, norm, tuple(materials), mg, cents, by, on),
            moves=tuple(moves[name]), number=number.get(name), paper=papers.get(name),
            kind=kind, allows=tuple(allows), begins=begins, parent=parent,
        )
        for name, entity, height, holder, year, norm, materials, mg, cents, by, on, kind, allows, begins,
            parent in rows
    ]  # fmt: skip


def _keys(db: Connection, certificate: str) -> list[str]:
    rows = db.execute("select distinct access_key from certificate_entries(%s) order by 1", [certificate])
    return [key for (key,) in rows]


def _read(db: Connection, query: str, values: Mapping[str, Any]) -> list[Certificate]:
    with db.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(query, values).fetchall()
    ids = [row["id"] for row in rows]
    moves, lots = _moves(db, ids), _lots(db, ids)
    return [_certificate(row, moves[row["id"]], lots[row["id"]]) for row in rows]


def _moves(db: Connection, ids: Sequence[str]) -> Mapping[str, list[Done]]:
    found: dict[str, list[Done]] = defaultdict(list)
    for name, *rest in db.execute(
        """select certificate, move, by_user, happened_on, reason from certificate_move
           where certificate = any(%s) order by entity, height""",
        [ids],
    ):
        found[name].append(Done(*rest))
    return found


def _lots(db: Connection, ids: Sequence[str]) -> Mapping[str, list[BackedBy]]:
    found: dict[str, list[BackedBy]] = defaultdict(list)
    for name, key, line, material, mg, on, issuer, recipient, place, source, origin in db.execute(
        """select c.id, e.access_key, e.line, e.material, e.mass_mg, e.issued_on, e.issuer, e.recipient,
                  e.municipality, e.municipality_source, e.origin
           from certificate c join entry e on e.entity = c.entity and e.height = c.height
                                              and e.credit = 'certificate/' || c.id
           where c.id = any(%s) order by c.id, e.n""",
        [ids],
    ):
        found[name].append(
            BackedBy(
                *(key, line, Material(material), Mass(mg), on, issuer, recipient, place, source),
                Origin(origin) if origin else None,
            )
        )
    return found


def _certificate(row: Mapping[str, Any], moves: Sequence[Done], lots: Sequence[BackedBy]) -> Certificate:
    return Certificate(
        id=row["id"],
        entity=row["entity"],
        holder=row["holder"] or "",
        year=row["year"],
        norm=row["norm"],
        materials=tuple(Material(m) for m in row["materials"]),
        mass=Mass(row["mass_mg"]),
        investment=Money(row["investment_cents"]),
        prepared_by=row["prepared_by"],
        prepared_on=row["prepared_on"],
        stored=State(row["state"]),
        moves=tuple(moves),
        lots=tuple(lots),
        dead=tuple(Dead(**one) for one in row["dead"] or ()),
        number=row["number"] if row["number"] and row["issued_on"] else "",
        issued_on=row["issued_on"],
        valid_to=row["valid_to"],
        sha256=row["sha256"] or "",
        fields=row["fields"] or {},
        kind=row["kind"],
        allows=frozenset(Move(move) for move in row["allows"]),
        begins=State(row["begins"]),
        parent=row["parent"] or "",
        parts=tuple(row["parts"]),
    )


def _found(code: str, answer: Mapping[str, Any]) -> str:
    if code == "K01":
        return str(Mass(int(answer["available_mg"])))
    if code == "K02":
        return str(answer["by"])
    if code == "K11":
        return ", ".join(f"nota {d['access_key']}, item {d['line']} ({d['reason']})" for d in answer["dead"])[
            :500
        ]
    return LABELS[State(answer["state"])] if "state" in answer else ""


def _expected(code: str) -> str:
    return "outra pessoa" if code == "K02" else ""


def known(found: Certificate | None, name: str) -> Certificate:
    """The certificate, or a LastroError that says what to do where there is none of that name."""
    if found is None:
        raise LastroError(f"Não há certificado {name!r} nestes dados. Confira o número ou a identificação.")
    return found
