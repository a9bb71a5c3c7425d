"""What it is for: to read fiscal documents, tell whether they are authentic, and what each line counts.
What comes in: bytes of files, trusted certificates, a registry, a norm, a day.
What goes out: a `Document` for each paper found, and for each document a `Verdict` with reasons."""

from lastro.evidence.admit import Collected, admit
from lastro.evidence.answer import document_json
from lastro.evidence.asked import Parties
from lastro.evidence.authenticate import authenticate, stands
from lastro.evidence.context import Context, Place
from lastro.evidence.judge import crashed, judge_source, unread
from lastro.evidence.papers import Reading
from lastro.evidence.read import read
from lastro.evidence.record import from_json, to_json
from lastro.evidence.signature import ready
from lastro.evidence.sources import LIMITS, Limits, Source, beside, sources, without
from lastro.evidence.together import Together

__all__ = [
    "LIMITS",
    "Collected",
    "Context",
    "Limits",
    "Parties",
    "Place",
    "Reading",
    "Source",
    "Together",
    "admit",
    "authenticate",
    "beside",
    "crashed",
    "document_json",
    "from_json",
    "judge_source",
    "read",
    "ready",
    "sources",
    "stands",
    "to_json",
    "unread",
    "without",
]
