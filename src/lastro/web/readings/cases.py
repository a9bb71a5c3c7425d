"""One note as whoever decides on it sees it: beside the notes it is like, its claims, its decisions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lastro.custody.count import KeyView
from lastro.custody.port import Kept
from lastro.facts import Beside, Document, Line, Outcome
from lastro.stores.postgres import cases as store
from lastro.stores.postgres.cases import Decision, HandedNote
from lastro.stores.postgres.custody import LotStanding, custody
from lastro.stores.postgres.view import Moved
from lastro.units import Mass, portuguese, total
from lastro.web import office
from lastro.web.readings.documents import Said, said, shown_party, without_cpf
from lastro.web.tags import shown

MOST_BESIDE = 3
"""How many other notes stand beside one; the rest are links."""

_MOST_LINES = 12


@dataclass(frozen=True)
class Fact:
    """One thing that each note beside another says, and whether they say the same."""

    label: str
    values: tuple[str, ...]

    @property
    def differs(self) -> bool:
        return len(set(self.values)) > 1


@dataclass(frozen=True)
class LineCase:
    """One line of the note: what it is by all claims, what is asked of people, what they said so far."""

    line: int
    mass: Mass | None
    standing: LotStanding | None
    asked: tuple[Said, ...]
    has_chain: bool

    @property
    def contested(self) -> bool:
        return self.standing is not None and self.standing.state == "contested"


@dataclass(frozen=True)
class Case:
    """A note, what it is compared with, and everything that was said and done about it."""

    key: str
    heads: tuple[str, ...]
    facts: tuple[Fact, ...]
    others: tuple[str, ...]
    hidden: int
    asked_beside: str
    """The key that was asked to stand beside it and cannot be seen; empty where none was."""
    lines: tuple[LineCase, ...]
    papers: tuple[Beside, ...]
    decisions: tuple[Decision, ...]
    moves: tuple[tuple[str, Moved], ...]
    entities: tuple[str, ...]

    @property
    def different(self) -> int:
        """How many facts differ between the notes side by side."""
        return sum(fact.differs for fact in self.facts)


def case(key: str, entities: Collection[str] | None, *, beside: str = "") -> Case | None:
    """What may be seen of a note by who acts for these entities (None: an agency, of what was contested).

    A verifier sees of another verifier's notes that they are there, and nothing else (hidden).
    """
    with custody(office.store()) as memory:
        own = store.handed(memory.db, [key], entities=entities)
        standing = {row.line: row for row in memory.standing(key=key)}
        told = tuple(store.decisions(memory.db, key=key))
        disputed = told or any(row.state == "contested" for row in standing.values())
        if not own or (entities is None and not disputed):
            return None
        view = memory.key_views([key])[key]
        kept = {one.sold.line: one for one in memory.sold([key])}
        others = _compared(view, kept.values())
        asked = {beside} - {key, ""}  # a note of one's own choice stands beside it too, if it may be seen
        seen = store.handed(memory.db, sorted(others | asked), entities=entities)
    known = sorted({note.key for note in seen})
    chosen = [beside] if beside in known else known[:MOST_BESIDE]
    columns = [*_contents(own), *(n for name in chosen for n in _contents(seen, key=name)[:1])]
    mine = tuple(sorted({note.entity for note in own}))
    return Case(
        key=key,
        heads=_heads(columns, key),
        facts=_facts(columns),
        others=tuple(name for name in known if name not in chosen),
        hidden=len(others - set(known)),
        asked_beside="" if beside in known else beside,
        lines=_lines(view, standing, kept, own),
        papers=view.papers,
        decisions=told,
        moves=tuple((who, move) for who in mine for move in office.store().moves(who, key)),
        entities=mine,
    )


def _compared(view: KeyView, kept: Iterable[Kept]) -> set[str]:
    """The keys of the notes that this one looks like, is kin to, or was counted before by."""
    twins = {twin.access_key for one in kept for twin in one.twins}
    early = {one.access_key for sold in kept for one in sold.upstream.early}
    return twins | early | {kin.access_key for kin in view.family}


def _contents(notes: Sequence[HandedNote], *, key: str = "") -> list[HandedNote]:
    """One note for each signed content, the first that was handed in."""
    first: dict[str, HandedNote] = {}
    for note in notes:
        if not key or note.key == key:
            first.setdefault(note.document.content_digest or note.document.sha256, note)
    return list(first.values())


def _heads(columns: Sequence[HandedNote], key: str) -> tuple[str, ...]:
    contents = [note for note in columns if note.key == key]
    heads = []
    for note in columns:
        number = f"Nota {_number(note.document)}"
        if note.key == key:
            order = f", conteúdo {contents.index(note) + 1}" if len(contents) > 1 else ""
            number = f"Esta nota, {_number(note.document)}{order}"
        heads.append(number)
    return tuple(heads)


def _number(document: Document) -> str:
    """The number of a note and its series, as its key holds them."""
    key = document.access_key
    return f"nº {portuguese(str(int(key[25:34])))}, série {int(key[22:25])}"


# ── side by side ─────────────────────────────────────────────────────────────────────────────────────


def _facts(columns: Sequence[HandedNote]) -> tuple[Fact, ...]:
    told = [dict(_told(note)) for note in columns]
    labels = list(dict.fromkeys(label for one in told for label in one))
    return tuple(Fact(label, tuple(one.get(label, "—") or "—" for one in told)) for label in labels)


def _told(note: HandedNote) -> list[tuple[str, str]]:
    document = note.document
    invoice = document.invoice
    assert invoice is not None, "notes are read as invoices"
    every = [
        ("Chave de acesso", " ".join(shown.in_fours(document.access_key))),
        ("Emitida em", _moment(invoice.issued_at)),
        ("Emitente", f"{invoice.issuer_name} {shown_party(invoice.issuer)}".strip()),
        ("Vende", shown_party(invoice.seller)),
        ("Compra", shown_party(invoice.buyer)),
        ("Operação", invoice.operation),
    ]
    masses = {line.line: line for line in note.lines}
    for line in invoice.lines[:_MOST_LINES]:
        every += _line_told(line, masses.get(line.number))
    if len(invoice.lines) > _MOST_LINES:
        every.append(("Outros itens", str(len(invoice.lines) - _MOST_LINES)))
    return [*every, *_rest(note)]


def _line_told(line: Line, answer: store.HandedLine | None) -> list[tuple[str, str]]:
    name = f"Item {line.number}"
    material = shown.capitalised(answer.material.value) if answer and answer.material else "—"
    return [
        (f"{name}: produto", f"{without_cpf(line.description)} (NCM {line.ncm}, CFOP {line.cfop})"),
        (f"{name}: quantidade", f"{_plain(line.commercial_quantity)} {line.commercial_unit}"),
        (f"{name}: valor", f"R$ {_plain(line.value)}"),
        (f"{name}: material", material),
        (f"{name}: massa lida", shown.kg(answer.mass) if answer else "—"),
    ]


def _rest(note: HandedNote) -> list[tuple[str, str]]:
    document, invoice = note.document, note.document.invoice
    assert invoice is not None
    return [
        ("Peso líquido", " + ".join(map(_plain, invoice.net_weights))),
        ("Peso bruto", " + ".join(map(_plain, invoice.gross_weights))),
        ("Placas", ", ".join(invoice.plates)),
        ("Transportador", shown_party(invoice.carrier) if invoice.carrier else ""),
        ("MTR citados", ", ".join(invoice.mentions)),
        ("Notas citadas", ", ".join(invoice.references)),
        ("Assinatura", shown.word(document.signature)),
        ("Autorização", f"{shown.word(document.status)} {_moment(document.authorised_at)}".strip()),
        ("Resultado do exame", shown.word(Outcome(note.outcome))),
        ("Enviada por", f"{shown.cnpj(note.entity)} em {shown.day(note.first_on)}"),
        ("Resumo do conteúdo", document.content_digest[:16]),
    ]


def _moment(written: str) -> str:
    """A day and an hour as written on a note, the Brazilian way."""
    if len(written) < 10:
        return written
    return " ".join(filter(None, (shown.day(written), written[11:19])))


def _plain(number: str) -> str:
    return portuguese(number) if number.replace(".", "", 1).isdigit() else number


# ── lines ────────────────────────────────────────────────────────────────────────────────────────────


def _lines(
    view: KeyView,
    standing: Mapping[int, LotStanding],
    kept: Mapping[int, Kept],
    own: Sequence[HandedNote],
) -> tuple[LineCase, ...]:
    masses = mass_by_line(own)
    return tuple(
        LineCase(
            line,
            masses.get(line),
            standing.get(line),
            tuple(said(doubt) for doubt in view.doubts.get(line, ())),
            line in kept,
        )
        for line in sorted({*masses, *standing})
    )


def mass_by_line(notes: Sequence[HandedNote]) -> dict[int, Mass]:
    """What each line weighs by the answers on it, the most where contents differ; unknown is left out."""
    found: dict[int, Mass] = {}
    for note in notes:
        for line in note.lines:
            if line.mass is not None and line.material is not None:
                found[line.line] = max(found.get(line.line, line.mass), line.mass)
    return found


def whole(notes: Sequence[HandedNote]) -> Mass | None:
    """What a note weighs in all lines whose mass is known; None where none is."""
    masses = mass_by_line(notes)
    return total(masses.values()) if masses else None
