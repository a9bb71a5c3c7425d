"""Custody: what everyone hands in is counted once.

Comes in: verdicts, claims, events and decisions on one access key, whoever brought them.
Goes out: how much of each line stands for whom, which lines are contested, and why.
"""

from lastro.custody.count import (
    ClaimView,
    ContentView,
    Decided,
    KeyView,
    Limit,
    LineCount,
    Posting,
    count_once,
    postings,
)

__all__ = [
    "ClaimView",
    "ContentView",
    "Decided",
    "KeyView",
    "Limit",
    "LineCount",
    "Posting",
    "count_once",
    "postings",
]
