"""What an export carries, file by file: each is one question to the store, in one order.

People's data stays out: no contact, no row of a person (CPF), no free text of a decision, no body of a
document. Who prepared or authorised a certificate is in the links, whose digest covers it; without it no
chain could be checked.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

from lastro.stores.postgres.certificates import audit_rows
from lastro.stores.postgres.custody import PostgresCustody

Connection = psycopg.Connection[tuple[Any, ...]]
Row = Mapping[str, Any]

_CODE = re.compile(r"[A-Z][0-9]{2}")
_NAMES = ("cnpj", "operator", "entity", "verifier", "establishment", "company")
_FACTS: LiteralString = (
    "material, issued_on, issuer, recipient, municipality, municipality_source, origin, year, norm, book"
)


def _rows(db: Connection, query: LiteralString) -> Iterator[dict[str, Any]]:
    """The answer row by row, whatever its length, so that memory stays flat."""
    with db.cursor("leaving", row_factory=dict_row) as cursor:
        cursor.itersize = 5_000
        for row in cursor.execute(query):
            yield {name: plain(value) for name, value in row.items()}


def plain(value: Any) -> Any:
    """A value as JSON has it: days as written, moments in UTC to the microsecond, bytes in hexadecimal."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, date):
        return value.isoformat()
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value


def _links(db: Connection) -> Iterator[Row]:
    return _rows(
        db,
        "SELECT entity, height, previous, hash, kind, request, answer::text AS answer, recorded_at FROM link "
        'ORDER BY entity COLLATE "C", height',
    )


def _entries(db: Connection) -> Iterator[Row]:
    return _rows(
        db,
        "SELECT entity, height, n, debit, credit, mass_mg, reason, access_key, line, claimant, "
        f'{_FACTS}, happened_on, reference FROM entry ORDER BY entity COLLATE "C", height, n',
    )


def _heads(db: Connection) -> Iterator[Row]:
    return _rows(db, "SELECT entity, height, head FROM chain WHERE height > 0 ORDER BY entity")


def _balances(db: Connection) -> Iterator[Row]:
    return _rows(db, f"SELECT account, entity, homologated, mass_mg, {_FACTS} FROM balance ORDER BY account")


def _statements(db: Connection) -> Iterator[Row]:
    return _rows(
        db,
        """SELECT s.entity, s.height, s.verifier, s.year, s.happened_on, coalesce((
               SELECT jsonb_agg(jsonb_build_array(l.account, l.mass_mg) ORDER BY l.account)
               FROM statement_lot l WHERE l.statement = s.id), '[]') AS lots
           FROM statement s ORDER BY s.entity, s.height""",
    )


def _lines(db: Connection) -> Iterator[Row]:
    """What each line of a note weighs, by the heaviest of the contents seen under its key."""
    custody = PostgresCustody(db)
    for keys in custody.every_key():
        views = custody.key_views(keys)
        for key in keys:
            contents = views[key].contents.values()
            for line in sorted({line for content in contents for line in content.masses}):
                weights = [mass.mg for c in contents if (mass := c.masses.get(line)) is not None]
                if weights:
                    yield {"access_key": key, "line": line, "mass_mg": max(weights)}


def _certificates(db: Connection) -> Iterator[Row]:
    for row in sorted(audit_rows(db), key=lambda r: r.id):
        yield {
            "id": row.id, "entity": row.entity, "height": row.height, "holder": row.holder, "year": row.year,
            "norm": row.norm, "materials": list(row.materials), "mass_mg": row.mass_mg,
            "investment_cents": row.investment_cents, "prepared_by": row.prepared_by,
            "prepared_on": row.prepared_on.isoformat(), "kind": row.kind, "allows": list(row.allows or ()),
            "begins": row.begins, "parent": row.parent, "number": row.number,
        }  # fmt: skip


def _moves(db: Connection) -> Iterator[Row]:
    return _rows(
        db,
        """SELECT certificate, move, entity, height, by_user AS by, happened_on, reason FROM certificate_move
           ORDER BY certificate, height, move""",
    )


def _papers(db: Connection) -> Iterator[Row]:
    rows = _rows(
        db,
        """SELECT certificate, number, issued_on, valid_to, sha256, fields::text AS fields
           FROM certificate_paper ORDER BY certificate""",
    )
    for row in rows:
        row["fields_sha256"] = hashlib.sha256(row.pop("fields").encode()).hexdigest()
        yield row


def _registry(db: Connection) -> Iterator[Row]:
    for row in _rows(db, "SELECT kind, natural_key, body FROM registry_row ORDER BY id"):
        body = {name: value for name, value in row["body"].items() if name != "contact"}
        if not any(_is_person(body.get(name)) for name in _NAMES):
            yield {**row, "body": body}


def _documents(db: Connection) -> Iterator[Row]:
    rows = _rows(
        db,
        """SELECT sha256, ordinal, access_key, content_digest, kind, issued_on, issuer, recipient
           FROM document ORDER BY sha256, ordinal""",
    )
    for row in rows:
        people = {name: None for name in ("issuer", "recipient") if _is_person(row[name])}
        yield {**row, **people}


def _verdicts(db: Connection) -> Iterator[Row]:
    rows = _rows(
        db,
        """SELECT sha256, ordinal, entity, norm, year, known, authentic, outcome,
                  jsonb_path_query_array(record, '$.**.code') AS codes FROM verdict ORDER BY id""",
    )
    for row in rows:
        codes = {c for c in row["codes"] if isinstance(c, str) and _CODE.fullmatch(c)}
        yield {**row, "codes": sorted(codes)}


def _claims(db: Connection) -> Iterator[Row]:
    return _rows(db, "SELECT entity, access_key, line, norm, year, mass_mg FROM claim ORDER BY id")


def _decisions(db: Connection) -> Iterator[Row]:
    return _rows(
        db,
        """SELECT id, access_key, line, entity, content, claimants, contents, confirms
           FROM decision ORDER BY id""",
    )


def _reports(db: Connection) -> Iterator[Row]:
    return _rows(
        db,
        """SELECT v.kind, v.norm, v.entity, v.verifier, v.year, v.version, v.number, v.files, v.submitted_on,
                  v.mark, m.digest
           FROM report_version v JOIN report_made m ON m.id = v.made
           ORDER BY v.kind, v.norm, v.entity, v.verifier, v.year, v.version""",
    )


def _is_person(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 11 and text.isdecimal()


FILES: Mapping[str, Callable[[Connection], Iterable[Row]]] = {
    "cadastro.jsonl": _registry,
    "documentos.jsonl": _documents,
    "vereditos.jsonl": _verdicts,
    "reivindicacoes.jsonl": _claims,
    "decisoes.jsonl": _decisions,
    "itens.jsonl": _lines,
    "elos.jsonl": _links,
    "lancamentos.jsonl": _entries,
    "cadeias.jsonl": _heads,
    "saldos.jsonl": _balances,
    "declaracoes.jsonl": _statements,
    "certificados.jsonl": _certificates,
    "movimentos.jsonl": _moves,
    "papeis.jsonl": _papers,
    "relatorios.jsonl": _reports,
}
"""Every file of rows, and where they come from. A new one adds a line here and a check to the verifier."""
