"""What every letter between an office and an establishment has: a request, a notice."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from lastro.filings import Filing
from lastro.web.translating import said


class Letter:
    """A letter as it stands: the version that stands says who wrote, to whom, of what, until when."""

    STATES: ClassVar[Mapping[str, tuple[str, str]]]
    """Each state in words, and its tone."""

    WHO: ClassVar[Mapping[str, str]]
    """The offices that write such letters, in words."""

    state: str

    @property
    def last(self) -> Filing:
        """The version that stands."""
        raise NotImplementedError

    @property
    def number(self) -> str:
        return self.last.subject.name

    @property
    def office(self) -> str:
        return self.last.subject.party

    @property
    def office_words(self) -> str:
        return self.WHO.get(self.office, self.office)

    @property
    def addressee(self) -> str:
        return self.last.addressee

    @property
    def title(self) -> str:
        return str(self.last.body["title"])

    @property
    def due(self) -> date:
        """The last day for the answer to what was asked last."""
        return date.fromisoformat(str(self.last.body["due"]))

    @property
    def words(self) -> str:
        return said(self.STATES[self.state][0])

    @property
    def tone(self) -> str:
        return self.STATES[self.state][1]
