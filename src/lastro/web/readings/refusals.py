"""A refusal in words: what stands against a move, what was found, and what would change the answer."""

from __future__ import annotations

from dataclasses import dataclass

from lastro.facts import Refusal
from lastro.findings import catalogue
from lastro.web.translating import tongue


@dataclass(frozen=True)
class Refused:
    """Why a move was not made."""

    code: str
    message: str
    found: str
    expected: str
    article: str
    cure: str


def in_words(refusal: Refusal) -> Refused:
    """The refusal with the words of the catalogue."""
    entry = catalogue()[refusal.code]
    return Refused(
        refusal.code,
        entry.message[tongue()],
        refusal.found,
        refusal.expected,
        refusal.article or entry.article,
        entry.cure[tongue()],
    )
