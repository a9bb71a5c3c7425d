"""A note of which nothing is to be said, as a row of plain values, and the documents made of such rows.

Thousands of notes of one run share who sold, who bought and what: a row names each of these once, as a tuple
that all rows have in common, and holds beside them only what is the note's own. Rows are what processes send
each other and what a run lays on disk; `made` gives for a row what the long way gives for the note.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from lastro.evidence.fields import LINE_TEXTS, TAIL_TEXTS, TEXTS
from lastro.evidence.kin import Sale, spelled
from lastro.evidence.mentions import manifests_named
from lastro.evidence.together import Gist
from lastro.facts import (
    Basis,
    Collection,
    Document,
    Finding,
    Invoice,
    Kind,
    Line,
    LineVerdict,
    Outcome,
    Signature,
    Status,
    Verdict,
)
from lastro.ids import Material, Origin
from lastro.units import Mass

Texts = tuple[str, ...]
Noun = TypeVar("Noun")

_OWN = ("issued_at", "number", "random_code", "check_digit")
_ISSUER = ("issuer", "issuer_name", "issuer_municipality", "issuer_uf")
_RECIPIENT = ("recipient", "recipient_name", "recipient_municipality", "recipient_uf")
_NUMBERS = ("commercial_quantity", "taxable_quantity", "value")
_FREE = ("remarks", "treasury_remarks")
"""The texts that are each note's own; every other text, whichever it is, is taken as one of its kind's."""


def _those(names: tuple[str, ...] | list[str], among: dict[str, Any]) -> Callable[[Texts], Texts]:
    order = list(among)
    picked: Callable[[Texts], Texts] = itemgetter(*(order.index(name) for name in names))
    return picked


_HEAD = [name for name in TEXTS if name not in {*_OWN, *_ISSUER, *_RECIPIENT}]
_TAIL = [name for name in TAIL_TEXTS if name not in _FREE]
_LINE = [name for name in LINE_TEXTS if name not in _NUMBERS]
_WRITTEN = {"number": (), **LINE_TEXTS}

own_of = _those(_OWN, TEXTS)
keyed_of = _those(("uf_code", "issuer", "model", "series", "emission_type"), TEXTS)
issuer_of = _those(_ISSUER, TEXTS)
recipient_of = _those(_RECIPIENT, TEXTS)
head_of = _those(_HEAD, TEXTS)
tail_of = _those(_TAIL, TAIL_TEXTS)
free_of = _those(_FREE, TAIL_TEXTS)
line_of = _those(_LINE, _WRITTEN)
numbers_of = _those(("number", *_NUMBERS), _WRITTEN)
units_of = _those(("commercial_unit", "taxable_unit"), dict.fromkeys(_LINE, ()))


LineRow = tuple[Texts, str, str, str, str, int]
"""What a line shares with others, its material, its two quantities and its value, and its milligrams."""


class Row(NamedTuple):
    """A note that is admitted with no more than one thing said of it: that only its file calls it authorised.

    `note` is its layout and the texts of its head and tail that it shares with others; `issuer`, `recipient`,
    `own` and `free` are its other texts; each of `lines` is what it shares with others, its material, its
    three numbers and its milligrams; `collected` is the municipality of collection, who says so, the origin.
    """

    file: str
    member: str | None
    sha256: str
    key: str
    digest: str
    content_digest: str
    signer: str
    received_at: str
    basis: str
    note: tuple[str, Texts, Texts]
    issuer: Texts
    recipient: Texts
    own: Texts
    free: Texts
    net_weights: Texts
    gross_weights: Texts
    plates: Texts
    lines: tuple[LineRow, ...]
    collected: tuple[str, str, str | None] | None


def gist_of_row(row: Row) -> Gist:
    """What such a note means to the other files of a run: see `together.gist_of`."""
    masses: dict[str, int] = {}
    for _, material, _, _, _, mg in row.lines:
        masses[material] = masses.get(material, 0) + mg
    sale = Sale(row.issuer[0], row.recipient[0], False, _day(row.own[0][:10]), masses)
    told = spelled(row.key, sale, weighs=True)
    return Gist(row.sha256, row.file, row.member, row.key, row.content_digest, True, (), told)


# ── from rows to documents ───────────────────────────────────────────────────────────────────────────


def made(row: Row, said: tuple[Finding, ...]) -> tuple[Document, Verdict]:
    """The document and the verdict that a row stands for; `said` is what is said of every such note."""
    lines, verdicts = [], []
    collected = _collection(row.collected)
    for number, (shared, material, quantity, taxable, value, mg) in enumerate(row.lines, start=1):
        texts, judged = _line(shared, material)
        texts, judged = texts.copy(), judged.copy()
        texts["number"] = judged["line"] = number
        texts["commercial_quantity"], texts["taxable_quantity"], texts["value"] = quantity, taxable, value
        judged["mass"], judged["collection"] = Mass(mg), collected
        lines.append(_noun(Line, texts))
        verdicts.append(_noun(LineVerdict, judged))
    document = _DOCUMENT.copy()
    document["file"], document["member"], document["sha256"] = row.file, row.member, row.sha256
    document["access_key"], document["content_digest"] = row.key, row.content_digest
    document["signer"], document["authorised_at"] = row.signer, row.received_at
    document["basis"], document["findings"], document["digest_value"] = _basis(row.basis), said, row.digest
    document["invoice"] = _invoice(row, tuple(lines))
    return _noun(Document, document), Verdict(Outcome.ADMITTED, said, tuple(verdicts))


def _invoice(row: Row, lines: tuple[Line, ...]) -> Invoice:
    issued_at = row.own[0]
    invoice = _shared(row.note, row.issuer, row.recipient).copy()
    invoice["access_key"], invoice["issued_at"] = row.key, issued_at
    invoice["issued_on"], invoice["lines"] = _day(issued_at[:10]), lines
    invoice["net_weights"], invoice["gross_weights"] = row.net_weights, row.gross_weights
    invoice["plates"] = row.plates
    if any(row.free):
        invoice["mentions"] = manifests_named(*row.free)
    return _noun(Invoice, invoice)


def _noun(kind: type[Noun], fields: dict[str, Any]) -> Noun:
    """A frozen noun with these fields: made at once, where its own way sets them one by one."""
    noun = object.__new__(kind)
    object.__setattr__(noun, "__dict__", fields)
    return noun


def _defaults(kind: type) -> dict[str, Any]:
    """What the fields of a noun are when nothing is said of them."""
    missing = dataclasses.MISSING
    return {f.name: f.default for f in dataclasses.fields(kind) if f.default is not missing}


_DOCUMENT = {
    **_defaults(Document),
    "kind": Kind.NFE,
    "name": "nfeProc",
    "signature": Signature.VALID,
    "status": Status.AUTHORISED,
}
_IN_INVOICE = frozenset(f.name for f in dataclasses.fields(Invoice))
_IN_LINE = frozenset(f.name for f in dataclasses.fields(Line))


@lru_cache(maxsize=16_384)
def _shared(note: tuple[str, Texts, Texts], issuer: Texts, recipient: Texts) -> dict[str, Any]:
    """The fields that the invoices of one seller to one buyer have in common."""
    layout, head, tail = note
    names = (*_HEAD, *_TAIL, *_ISSUER, *_RECIPIENT)
    said = dict(zip(names, (*head, *tail, *issuer, *recipient), strict=True))
    known = {name: text for name, text in said.items() if name in _IN_INVOICE}
    return {**_defaults(Invoice), **known, "layout": layout, "references": ()}


@lru_cache(maxsize=65_536)
def _line(shared: Texts, material: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields that such lines have in common, and those of their verdicts."""
    said = dict(zip(_LINE, shared, strict=True))
    texts = {name: text for name, text in said.items() if name in _IN_LINE}
    judged = {
        **_defaults(LineVerdict),
        "ncm": said["ncm"],
        "cfop": said["cfop"],
        "unit": said["commercial_unit"],
        "material": Material(material),
        "outcome": Outcome.ADMITTED,
        "counts": True,
    }
    return {**_defaults(Line), **texts, "counts_in_total": said["in_total"] != "0"}, judged


@lru_cache(maxsize=65_536)
def _collection(collected: tuple[str, str, str | None] | None) -> Collection | None:
    if collected is None:
        return None
    municipality, source, origin = collected
    return Collection(municipality, source, Origin(origin) if origin else None)


_day = lru_cache(maxsize=4096)(date.fromisoformat)
_basis = lru_cache(maxsize=8)(Basis)
