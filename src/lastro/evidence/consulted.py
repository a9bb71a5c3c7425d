"""What SEFAZ itself answered about a key, when it was asked, and what that does to a note (decision 10).

A file only claims its authorisation. An answer that was fetched from SEFAZ weighs more: it confirms the claim
(N18 goes away), or says that the note is cancelled (N10), denied (N17), unknown there (N09), or authorised
with another content (N08). An answer found in a file is a file like any other and never comes here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from lastro.facts import Document, Finding, Kind, Status
from lastro.findings import finding

STATUS_OF = {
    "100": Status.AUTHORISED, "150": Status.AUTHORISED,
    "101": Status.CANCELLED, "151": Status.CANCELLED, "155": Status.CANCELLED,
    "110": Status.DENIED, "205": Status.DENIED, "301": Status.DENIED, "302": Status.DENIED,
    "303": Status.DENIED,
    "217": Status.UNAUTHORISED,
}  # fmt: skip
"""What a cStat of the consultation says of the note (MOC NF-e, NfeConsultaProtocolo). Others say nothing."""

_CODES = {Status.CANCELLED: "N10", Status.DENIED: "N17", Status.UNAUTHORISED: "N09"}


@dataclass(frozen=True)
class Consulted:
    """One answer of SEFAZ about one key.

    `status` is the cStat; `digest` the digVal of the protocol, empty when the answer carries none;
    `cancelled` whether the answer holds a registered cancellation, whatever its cStat says.
    """

    access_key: str
    status: str
    asked_at: datetime
    digest: str = ""
    reason: str = ""
    cancelled: bool = False

    @property
    def says(self) -> Status:
        """The standing of the note; UNKNOWN when the answer does not tell it."""
        return Status.CANCELLED if self.cancelled else STATUS_OF.get(self.status, Status.UNKNOWN)

    @property
    def spelled(self) -> str:
        """All that a verdict may lean on, as one text."""
        return f"sefaz {self.says.value} {self.digest}"


def standing(answers: Iterable[Consulted]) -> Consulted | None:
    """The answer that holds among all about one key: a cancellation, which nothing undoes, else the latest.

    Answers that do not tell the standing of the note change nothing.
    """
    telling = [answer for answer in answers if answer.says is not Status.UNKNOWN]
    return max(telling, key=lambda a: (a.says is Status.CANCELLED, a.asked_at, a.spelled), default=None)


def confirm(document: Document, answer: Consulted | None, *, mask: frozenset[str] = frozenset()) -> Document:
    """The note as it stands after what SEFAZ answered; any other paper, and no answer, change nothing.

    An authorisation confirms one content only: without a digest to compare, N18 stays. A protocol that the
    file lacks (N07) is not made up from the answer: the note has to be handed in whole.
    """
    if answer is None or document.kind is not Kind.NFE or answer.says is Status.UNKNOWN:
        return document
    if answer.says is Status.AUTHORISED and not (answer.digest and document.digest_value):
        return document
    kept = tuple(f for f in document.findings if f.code != "N18")
    known = {f.code for f in kept} | mask
    new = _against(document, answer)
    found = (*kept, new) if new is not None and new.code not in known else kept
    return replace(document, status=answer.says, status_source="sefaz", findings=found)


def _against(document: Document, answer: Consulted) -> Finding | None:
    """What the answer has against the note, if anything."""
    day = f"{answer.asked_at:%d/%m/%Y}"
    code = _CODES.get(answer.says)
    if code:
        found = f"SEFAZ em {day}: {answer.status} {answer.reason}".strip()
        return finding(code, where="consulta à SEFAZ", found=found, expected="100 ou 150")
    if answer.digest != document.digest_value:
        return finding(
            "N08",
            where="consulta à SEFAZ, digVal",
            found=f"{answer.digest} ({day})",
            expected=document.digest_value,
        )
    return None
