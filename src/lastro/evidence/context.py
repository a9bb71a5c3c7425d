"""What authentication leans on, and where a document was found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lastro.facts import Basis


@dataclass(frozen=True)
class Context:
    """What authentication leans on: the day, the trusted certificates (DER) and what they are good for.

    `mask` leaves codes out, for tests only; `show_sha1` asks for S08, `schemas` whether each file has the
    form of its official XSD.
    """

    today: date
    trust: tuple[bytes, ...] = ()
    basis: Basis = Basis.OFFICIAL
    mask: frozenset[str] = frozenset()
    show_sha1: bool = False
    schemas: bool = False


@dataclass(frozen=True)
class Place:
    """Where a document was found."""

    file: str
    member: str | None
    sha256: str
