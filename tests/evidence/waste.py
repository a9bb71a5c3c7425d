"""Invented manifests and certificates for tests, and how they are judged."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from lastro.evidence import Context, Source, judge_source
from lastro.facts import Document
from lastro.sample import waste
from lastro.sample.digits import cnpj

TODAY = dt.date(2026, 11, 30)
CONTEXT = Context(today=TODAY)
GENERATOR, DESTINATION = cnpj("ZZGER001"), cnpj("ZZREC001")
CARRIER, STORAGE = cnpj("ZZTRA001"), cnpj("ZZARM001")
PAPER = waste.Load("150101", "Embalagens de papel e cartão", "1.50000", "1.45000")
PLASTIC = waste.Load("150102", "Embalagens de plástico", "0.8", "0.79", "TON")
TRIP = waste.Trip(
    "240001460711",
    GENERATOR,
    DESTINATION,
    dt.date(2026, 3, 2),
    (PAPER,),
    received=dt.date(2026, 3, 3),
    shipped=dt.date(2026, 3, 2),
    carrier=CARRIER,
    plate="ABC1D23",
    certificate="3001234",
)
CERTIFICATE = waste.Paper(
    "3001234/2026",
    GENERATOR,
    DESTINATION,
    dt.date(2026, 3, 1),
    dt.date(2026, 3, 31),
    dt.date(2026, 4, 10),
    (replace(PAPER, indicated=""), replace(PLASTIC, indicated="")),
    ("240001460711", "240001460712"),
)


def documents(data: bytes) -> tuple[Document, ...]:
    return judge_source(Source("arquivo", None, data), CONTEXT)


def one(data: bytes) -> Document:
    (document,) = documents(data)
    return document


def of(trip: waste.Trip) -> Document:
    return one(waste.json_bytes(waste.manifest(trip)))


def trip(**changes: Any) -> Document:
    """The usual manifest with some things otherwise."""
    return of(replace(TRIP, **changes))


def loaded(**changes: Any) -> Document:
    """The usual manifest with its one load otherwise."""
    return trip(loads=(replace(PAPER, **changes),))


def codes(document: Document) -> list[str]:
    return [seen.code for seen in document.findings]


_CHILD = """
import resource, sys
from pathlib import Path
from tests.evidence import waste
for file in sorted(Path(sys.argv[1]).iterdir()):
    print(len(waste.documents(file.read_bytes())))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
_BETWEEN = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
"""A small process stands between: a child begins with the memory of whoever starts it."""


def alone(folder: Path) -> tuple[list[int], int, str]:
    """A process judges each file: how many documents it found, its peak of memory in MB, what it logged."""
    child = [sys.executable, "-c", _CHILD, str(folder)]
    run = subprocess.run([sys.executable, "-c", _BETWEEN, *child], capture_output=True, text=True, check=True)
    *counts, most = (int(line) for line in run.stdout.split())
    return counts, most // (1024 if sys.platform != "darwin" else 1024 * 1024), run.stderr
