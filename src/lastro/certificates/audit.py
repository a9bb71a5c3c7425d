"""Certificates counted again: what each row says against the chain's links and the entries themselves.

Comes in: every link with its entries, and the rows of certificates, moves, numbers and papers. Goes out: what
was checked and every failure in words. Nothing of the database's own functions is leant on.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from lastro.certificates import number as numbers
from lastro.certificates.states import RULES, STEPS, Effect, Move, State
from lastro.ids import same_person
from lastro.ledger.audit import Check
from lastro.ledger.book import BookEntry, Link
from lastro.units import Mass


@dataclass(frozen=True)
class MoveRow:
    """A move as its row says it."""

    move: str
    entity: str
    height: int
    by: str
    on: date
    reason: str


@dataclass(frozen=True)
class PaperRow:
    """A signed paper as its row says it; `digest` is counted from the bytes themselves."""

    number: str
    issued_on: date
    valid_to: date
    sha256: str
    digest: str
    fields: str


@dataclass(frozen=True)
class Row:
    """A certificate as its rows say it."""

    id: str
    entity: str
    height: int
    holder: str | None
    year: int
    norm: str
    materials: tuple[str, ...]
    mass_mg: int
    investment_cents: int
    prepared_by: str
    prepared_on: date
    moves: tuple[MoveRow, ...] = ()
    number: str | None = None
    paper: PaperRow | None = None
    kind: str = "CRE"
    allows: tuple[str, ...] | None = None
    begins: str = "prepared"
    parent: str | None = None


@dataclass
class _Book:
    """Links by their place, certificates by name, and what every certificate's account received and gave."""

    rows: Mapping[str, Row] = field(default_factory=dict)
    links: dict[tuple[str, int], Link] = field(default_factory=dict)
    into: dict[str, list[tuple[Link, BookEntry]]] = field(default_factory=lambda: defaultdict(list))
    out: dict[str, list[tuple[Link, BookEntry]]] = field(default_factory=lambda: defaultdict(list))


def audit(links: Iterable[Link], rows: Sequence[Row]) -> list[Check]:
    """Count every certificate again from its entries, and compare its rows with the chain."""
    book = _read(links)
    book.rows = {row.id: row for row in rows}
    masses = Check("certificate_masses", "Certificados com a massa dos seus lançamentos")
    chained = Check("certificate_rows", "Certificados e movimentos presos à cadeia")
    steps = Check("certificate_states", "Movimentos na ordem que os estados permitem, por duas pessoas")
    papers = Check("certificate_papers", "Números e papéis dos certificados")
    for row in rows:
        for check, said in (
            (masses, _masses(row, book)),
            (chained, _chained(row, book)),
            (steps, _steps(row)),
            (papers, _paper(row)),
        ):
            check.counted += 1
            for text in said:
                check.fail(f"certificado {row.id}: {text}")
    _strays(book, rows, masses, chained)
    _twice(rows, papers)
    return [masses, chained, steps, papers]


def _read(links: Iterable[Link]) -> _Book:
    book = _Book()
    for link in links:
        book.links[link.entity, link.height] = link
        for entry in link.entries:
            for account, side in ((entry.credit, book.into), (entry.debit, book.out)):
                if account.startswith(("certificate/", "annulled/")):
                    side[account].append((link, entry))
    return book


def _masses(row: Row, book: _Book) -> Iterable[str]:
    """What was set apart is its mass, of its year, norm and materials, and all of it goes one way."""
    into, out = book.into[f"certificate/{row.id}"], book.out[f"certificate/{row.id}"]
    held = sum(e.mass_mg for _, e in into)
    if held != row.mass_mg or row.mass_mg <= 0 or row.mass_mg % 1000:
        yield f"o registro diz {Mass(row.mass_mg)}, os lançamentos somam {Mass(held)}"
    for link, entry in into:
        if (link.entity, link.height) != (row.entity, row.height):
            yield f"recebeu massa fora do seu preparo, no elo {link.height}"
        if entry.year != row.year or entry.norm != row.norm or entry.material not in row.materials:
            yield f"lote {entry.lot} de outro ano, norma ou material"
    ended = _ended(row)
    if ended is None:
        if out:
            yield "saiu massa de um certificado de que nada a levou"
        return
    if _sums(e for _, e in into) != _sums(e for _, e in out):
        yield "o que saiu não é, lote a lote, o que entrou"
    for link, entry in out:
        if not _right(row, ended, entry) or (link.entity, link.height) != (ended.entity, ended.height):
            yield f"saiu massa para {entry.credit}, no elo {link.height}"
    yield from _annulled(row, book)


def _ended(row: Row) -> MoveRow | None:
    """The first move that took the certificate's mass away, in the order of the chain."""
    took = (m for m in row.moves if RULES[Move(m.move)].effect is not Effect.NOTHING)
    return min(took, key=lambda m: m.height, default=None)


def _right(row: Row, ended: MoveRow, entry: BookEntry) -> bool:
    effect = RULES[Move(ended.move)].effect
    if effect is Effect.DIVIDE:
        return entry.credit.startswith("certificate/")
    return entry.credit == {
        Effect.RELEASE: entry.lot,
        Effect.RETIRE: f"retired/{row.holder}/{row.year}/{entry.material}",
        Effect.ANNUL: f"annulled/{row.id}",
    }.get(effect)


def _annulled(row: Row, book: _Book) -> Iterable[str]:
    """What the agency took away is, lot by lot, the whole certificate, also where it had been used."""
    cancelled = any(m.move == Move.CANCEL for m in row.moves)
    gone = book.into[f"annulled/{row.id}"]
    into = book.into[f"certificate/{row.id}"] if cancelled else []
    if _sums(e for _, e in into) != _sums(e for _, e in gone):
        yield "o que o órgão cancelou não é, lote a lote, o que entrou"


def _sums(entries: Iterable[BookEntry]) -> Mapping[str, int]:
    found: Counter[str] = Counter()
    for entry in entries:
        found[entry.lot] += entry.mass_mg
    return found


def _chained(row: Row, book: _Book) -> Iterable[str]:
    """Each row says what its link was made for."""
    birth = book.links.get((row.entity, row.height))
    if row.parent is None:
        begun = "offer" if row.holder is None else "prepare"
        yield from _said(birth, begun, _prepared(row, begun), "o preparo")
    else:
        yield from _stands_for(row, birth)
        yield from _as_parent(row, birth, book)
    kinds = {
        "refuse": "reverse",
        "withdraw": "reverse",
        **dict.fromkeys(("sell", "split", "transfer"), "divide"),
    }
    for move in row.moves:
        told: dict[str, Any] = {
            "certificate": row.id, "entity": move.entity, "move": move.move, "by": move.by,
            "happened_on": move.on.isoformat(), "reason": move.reason,
        }  # fmt: skip
        if move.move == "issue" and row.paper is not None:
            told |= {
                "number": row.paper.number,
                "issued_on": row.paper.issued_on.isoformat(),
                "valid_to": row.paper.valid_to.isoformat(),
                "sha256": row.paper.digest,
                "fields": hashlib.sha256(row.paper.fields.encode()).hexdigest(),
            }
        link = book.links.get((move.entity, move.height)) if move.entity == row.entity else None
        yield from _said(link, kinds.get(move.move, move.move), told, f"o movimento {move.move}")


def _prepared(row: Row, move: str) -> Mapping[str, Any]:
    return {
        "certificate": row.id, "entity": row.entity, "move": move, "holder": row.holder, "year": row.year,
        "norm": row.norm, "materials": list(row.materials), "mass_mg": row.mass_mg,
        "investment_cents": row.investment_cents, "by": row.prepared_by,
        "happened_on": row.prepared_on.isoformat(), "kind": row.kind, "allows": list(row.allows or ()),
    }  # fmt: skip


def _stands_for(row: Row, link: Link | None) -> Iterable[str]:
    """A certificate that stands in the place of another is named in the link that divided that one."""
    answer = json.loads(link.answer) if link is not None and link.kind == "divide" else {}
    mine = {
        "id": row.id, "holder": row.holder, "mass_mg": row.mass_mg, "investment_cents": row.investment_cents,
    }  # fmt: skip
    if answer.get("certificate") != row.parent or mine not in answer.get("parts", []):
        yield "o certificado de que veio não o nomeia"


def _as_parent(row: Row, link: Link | None, book: _Book) -> Iterable[str]:
    """What stands in another's place has its entity, year, norm, kind and moves, and was made by its move."""
    answer = json.loads(link.answer) if link is not None else {}
    parent = book.rows.get(row.parent or "", row)
    begins = State.OFFERED if row.holder is None else State.PREPARED
    said = {name: getattr(parent, name) for name in ("entity", "year", "norm", "kind", "allows")} | {
        "prepared_by": answer.get("by"),
        "prepared_on": date.fromisoformat(answer.get("happened_on", "0001-01-01")),
        "begins": begins if answer.get("move") == Move.SELL else State.AUTHORISED,
        "materials": tuple(sorted({e.material for _, e in book.into[f"certificate/{row.id}"]})),
    }
    wrong = sorted(name for name, value in said.items() if getattr(row, name) != value)
    if wrong:
        yield f"não é como o certificado de que veio ({', '.join(wrong)})"


def _said(link: Link | None, kind: str, told: Mapping[str, Any], what: str) -> Iterable[str]:
    if link is None or link.kind != kind:
        yield f"{what} não tem o seu elo"
        return
    answer = json.loads(link.answer)
    # What was chained before kinds were, was of the one kind there was.
    told = {k: v for k, v in told.items() if k in answer or k not in ("kind", "allows")}
    wrong = sorted(name for name, value in told.items() if answer.get(name) != value)
    if wrong:
        yield f"{what} não é o que foi encadeado ({', '.join(wrong)})"


def _steps(row: Row) -> Iterable[str]:
    """The moves, in the order of the chain, are a way through the table of states."""
    state: State | None = State(row.begins)
    last = row.height
    for move in sorted(row.moves, key=lambda m: m.height):
        follows = STEPS[state][Move(move.move)] if state is not None else None
        state = follows if isinstance(follows, State) else None
        if state is None or move.height <= last or move.move not in (row.allows or (move.move,)):
            yield f"o movimento {move.move} não cabe onde está"
        last = move.height
        if move.move == "authorise" and same_person(move.by, row.prepared_by):
            yield "a mesma pessoa preparou e autorizou"
    if any(move.move == "issue" for move in row.moves) != (row.paper is not None):
        yield "emitido sem papel, ou com papel e não emitido"


def _paper(row: Row) -> Iterable[str]:
    """The number checks itself, and the bytes are those whose digest was kept."""
    if row.number is not None and numbers.parse(row.number) != row.number:
        yield f"o número {row.number} não confere"
    if row.paper is None:
        return
    if row.paper.number != row.number:
        yield "o papel leva outro número"
    if row.paper.digest != row.paper.sha256:
        yield "o papel guardado mudou desde a emissão"


def _strays(book: _Book, rows: Sequence[Row], masses: Check, chained: Check) -> None:
    known = {f"{kind}/{row.id}" for row in rows for kind in ("certificate", "annulled")}
    for account in sorted({*book.into, *book.out} - known):
        masses.fail(f"{account} tem lançamentos e não tem registro")
    told = {(row.entity, row.height) for row in rows}
    told |= {(move.entity, move.height) for row in rows for move in row.moves}
    kinds = ("prepare", "offer", "authorise", "issue", "reverse", "retire", "divide", "cancel")
    for place, link in book.links.items():
        if link.kind in kinds and place not in told and "certificate" in json.loads(link.answer):
            chained.fail(f"o elo {link.height} de {link.entity} perdeu o seu movimento")


def _twice(rows: Sequence[Row], papers: Check) -> None:
    for number, times in Counter(row.number for row in rows if row.number).items():
        if times > 1:
            papers.fail(f"o número {number} está em {times} certificados")
