"""Invented manifests and certificates for tests, and how they are judged."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
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
