"""The book as it is kept: links and entries, and the text that a link's hash covers.

The database writes the same text when it makes a link (`spelled_link`, `spelled_entry`); here it is written
again, independently, so that the chain can be checked by who does not trust the database.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime

SOURCE = "source"
GENESIS = hashlib.sha256(b"").digest()
"""What the first link of a chain names as the one before it."""


@dataclass(frozen=True)
class BookEntry:
    """One posting with all that the book keeps of it; mass goes from `debit` to `credit`, in milligrams."""

    n: int
    debit: str
    credit: str
    mass_mg: int
    reason: str
    access_key: str
    line: int
    claimant: str
    material: str
    issued_on: date
    issuer: str
    recipient: str
    municipality: str | None
    municipality_source: str | None
    origin: str | None
    year: int
    norm: str
    book: str
    happened_on: date
    reference: str

    @property
    def lot(self) -> str:
        return f"lot/{self.access_key}/{self.line}/{self.claimant}"

    @property
    def facts(self) -> tuple[object, ...]:
        """What a lot is, apart from how much it holds."""
        return (
            self.material, self.issued_on, self.issuer, self.recipient, self.municipality,
            self.municipality_source, self.origin, self.year, self.norm, self.book,
        )  # fmt: skip


@dataclass(frozen=True)
class Link:
    """One move of one managing entity: its entries, and how it hangs on the link before."""

    entity: str
    height: int
    previous: bytes
    hash: bytes
    kind: str
    request: str
    answer: str
    recorded_at: datetime
    entries: tuple[BookEntry, ...]


@dataclass(frozen=True)
class Cached:
    """What the database believes a lot to hold."""

    account: str
    entity: str
    facts: tuple[object, ...]
    homologated: bool
    mass_mg: int


@dataclass(frozen=True)
class Statement:
    """A verifier's statement: which lots, with how much in them at that time."""

    entity: str
    height: int
    lots: tuple[tuple[str, int], ...]


def spelled(*fields: object) -> str:
    """Fields written one after another with their lengths, so that no two lists read alike."""
    # A million entries pass here: each field becomes a text once, and a list joins faster than a generator.
    texts = [None if f is None else f if type(f) is str else str(f) for f in fields]
    return "".join(["-," if t is None else f"{len(t)}:{t}," for t in texts])


def spelled_entry(entry: BookEntry) -> str:
    """The canonical text of an entry."""
    return spelled(
        entry.n, entry.debit, entry.credit, entry.mass_mg, entry.reason, entry.access_key, entry.line,
        entry.claimant, entry.material, entry.issued_on, entry.issuer, entry.recipient, entry.municipality,
        entry.municipality_source, entry.origin, entry.year, entry.norm, entry.book, entry.happened_on,
        entry.reference,
    )  # fmt: skip


def link_hash(link: Link) -> bytes:
    """SHA-256 over the hash before, the link and its entries in order."""
    moment = link.recorded_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    head = spelled("lastro-link-1", link.entity, link.height, link.kind, link.request, link.answer, moment)
    text = head + "".join(spelled_entry(e) for e in sorted(link.entries, key=lambda e: e.n))
    return hashlib.sha256(link.previous + text.encode()).digest()


def lots_digest(lots: tuple[tuple[str, int], ...]) -> str:
    """SHA-256 over a statement's lots and masses, in order of account; the statement's link carries it."""
    return hashlib.sha256("".join(spelled(*lot) for lot in sorted(lots)).encode()).hexdigest()
