"""What stops the reading of a file: it is told as a finding on that file."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from lastro.evidence.papers import Reading
from lastro.facts import Finding
from lastro.findings import finding

MOST_PAPERS = 10_000
"""How many manifests and certificates one file holds at most: what fits in the memory that it may take."""


class Unfit(Exception):
    """The bytes hold no document that is read here; carries the finding that says why."""

    def __init__(self, seen: Finding) -> None:
        super().__init__(seen.code)
        self.finding = seen


def at_most(readings: Iterable[Reading]) -> list[Reading]:
    """The readings, where they are not too many. Raises Unfit (F03) else, before all of them are made."""
    made = list(islice(readings, MOST_PAPERS + 1))
    if len(made) > MOST_PAPERS:
        expected = f"até {MOST_PAPERS} por arquivo; divida por mês"
        raise Unfit(finding("F03", found=f"mais de {MOST_PAPERS} documentos", expected=expected))
    return made
