"""Where the cells of a report made from a document of facts come from: a place in it, or a rule's trace."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from lastro.facts import Basis
from lastro.lawkit import Regulation, Step
from lastro.reports.cells import Cell, Source, digest_of

MADE_FROM_FACTS = "from_facts"
DRAFT = "draft"


@dataclass(frozen=True)
class FactsDocument:
    """A document of facts, known by the SHA-256 of its bytes."""

    digest: str

    @classmethod
    def of(cls, body: bytes) -> FactsDocument:
        """The document that these bytes are."""
        return cls(hashlib.sha256(body).hexdigest())

    def at(self, place: str) -> tuple[Source, ...]:
        """A place in the document, such as `organisations[0].sales[2]`."""
        return (Source("facts", ref=place, digest=self.digest),)


def ruled(article: str, step: Step | None = None) -> tuple[Source, ...]:
    """A rule of the norm, by its article, with the digest of its explanation where there is one."""
    return (Source("rule", article=article, digest=digest_of(step.json()) if step else ""),)


def told(value: Any, unit: str, sources: tuple[Source, ...], code: str = "T02") -> Cell:
    """A cell; without a value it says by its code that it is missing, and is not zero."""
    return Cell(value, unit, sources, code if value is None else "")


def marks_of(regulation: Regulation) -> tuple[str, ...]:
    """What every page of such a report warns of; under a draft, that it only simulates."""
    return (DRAFT, MADE_FROM_FACTS) if regulation.norm.status == "draft" else (MADE_FROM_FACTS,)


def bases_of(basis: Basis) -> tuple[Basis, ...]:
    """The basis where it is not the official one."""
    return () if basis is Basis.OFFICIAL else (basis,)
