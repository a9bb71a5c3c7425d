"""By which names documents are found: a manifest by its numbers, a note by what it names and its plates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg

from lastro.custody.port import Handed
from lastro.ids import company_of

Connection = psycopg.Connection[Any]


def write(db: Connection, handed: Sequence[Handed]) -> None:
    """Write down by which names these documents are found; they are there already."""
    with db.cursor() as cursor:
        cursor.executemany(
            """insert into paper (sha256, ordinal, kind, low, high, first_on, last_on)
               values (%s, %s, %s, %s, %s, %s, %s) on conflict do nothing""",
            [row for h in handed for row in _paper_rows(h)],
        )
        cursor.executemany(
            "insert into named (sha256, ordinal, name) values (%s, %s, %s) on conflict do nothing",
            [(h.sha256, h.ordinal, name) for h in handed for name in sorted(set(_names(h)))],
        )


def _paper_rows(handed: Handed) -> Iterator[tuple[Any, ...]]:
    for kind, field, days in (
        ("mtr", "manifest", ("issued_on", "shipped_on", "received_on")),
        ("cdf", "destination", ("period_from", "period_to")),
    ):
        told = handed.document.get(field)
        if told:
            dates = sorted(told[day] for day in days if told[day])
            pair = pair_of(told["generator"], told["destination"])
            yield (
                handed.sha256,
                handed.ordinal,
                kind,
                *pair,
                *((dates[0], dates[-1]) if dates else (None, None)),
            )


def pair_of(one: str, other: str) -> tuple[str, str]:
    """The roots of two companies, in order."""
    low, high = sorted((company_of(one), company_of(other)))
    return low, high


def _names(handed: Handed) -> Iterator[str]:
    """What a document is called, and whom it names."""
    manifest, certificate = handed.document.get("manifest"), handed.document.get("destination")
    invoice = handed.document.get("invoice")
    if manifest:
        numbers = (manifest["number"], manifest["state_number"], manifest["complements"])
        yield from (f"mtr/{number}" for number in numbers if number)
        if manifest["certificate"]:
            yield f"cdf/{manifest['certificate']}"
        low, high = pair_of(manifest["generator"], manifest["destination"])
        for said in manifest["mentions"]:
            yield f"nfe/{said}" if len(said) == 44 else f"nota/{low}/{high}/{said}"
    if certificate:
        yield f"cdf/{certificate['number']}"
        yield from (f"mtr/{number}" for number in certificate["manifests"])
    if invoice:
        yield from (f"mtr/{number}" for number in invoice.get("mentions", ()) if "/" not in number)
        yield from (f"placa/{plate}" for plate in map(plain_plate, invoice.get("plates", ())) if plate)


def plain_plate(written: str) -> str:
    """A plate in capitals without what separates its parts."""
    return "".join(c for c in written.upper() if c.isalnum())[:10]
