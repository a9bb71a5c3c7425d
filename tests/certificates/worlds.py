"""An invented entity with glass to certify, and the moves of a certificate, short to type."""

from __future__ import annotations

import hashlib
import itertools
from datetime import date
from typing import Any

from lastro.certificates import number as numbers
from lastro.ids import Material
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass, Money
from tests.custody.test_settle import TODAY, A, give, note
from tests.ledger.worlds import COMPANY, DAY, ENTITY, VERIFIER, enter

NORM = "mt/decreto_1455_2025"
ON, LAST = date(2027, 3, 15), date(2028, 3, 15)


def filled(store: Any, *grams: int) -> Certificates:
    """One homologated lot for each mass in grams."""
    store.post([enter(n, g * 1000) for n, g in enumerate(grams, 1)], request="fill")
    store.homologate(ENTITY, verifier=VERIFIER, year=2026, lots=None, request="fill-h", happened_on=DAY)
    return Certificates(store)


def prepare(book: Any, name: str = "c1", grams: int = 100, **more: Any) -> Any:
    asked = {
        "entity": ENTITY, "holder": COMPANY, "year": 2026, "norm": NORM, "materials": [Material.GLASS],
        "mass": Mass(grams * 1000), "investment": Money(1500), "by": "ana", "on": ON,
    }  # fmt: skip
    return book.prepare(name, **(asked | more))


def authorise(book: Any, name: str = "c1", by: str = "bia", on: date = ON, **more: Any) -> Any:
    return book.authorise(name, by=by, on=on, **more)


def number_of(name: str) -> str:
    """The number of the certificate of that name: always the same one."""
    turns = itertools.count()
    return numbers.draw(2026, lambda size: hashlib.sha256(f"{name} {next(turns)}".encode()).digest()[:size])


def issue(book: Any, name: str = "c1", on: date = ON, **more: Any) -> Any:
    given = book.allot(name, number=number_of(name), on=on)
    number = given["number"] if isinstance(given, dict) else number_of(name)
    asked = {
        "fields": {"VII": "x"},
        "number": number,
        "issued_on": on,
        "valid_to": LAST,
        "pdf": b"%PDF",
        "by": "bia",
    }
    return book.issue(name, **(asked | more))


def refuse(book: Any, name: str = "c1", by: str = "caio", on: date = ON, **more: Any) -> Any:
    return book.refuse(name, reason="desistência", by=by, on=on, **more)


def retire(book: Any, name: str = "c1", by: str = "duda", on: date = ON, **more: Any) -> Any:
    return book.retire(name, by=by, on=on, **more)


def walked(book: Any, *moves: Any, name: str = "c1") -> None:
    """Make a certificate and these moves with it."""
    for move in (prepare, *moves):
        assert isinstance(move(book, name), dict), move


def walk(store: Any) -> Certificates:
    """Two notes of one entity, and a certificate in every state that one is walked to."""
    give(store, A, *(note(n, mass=500_000) for n in (1, 2)))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    book = Certificates(store)
    for name in ("p", "a", "i", "r", "x"):
        assert isinstance(prepare(book, name, entity=A), dict)
    for name in ("a", "i", "r"):
        assert isinstance(authorise(book, name), dict)
    for name in ("i", "r"):
        assert isinstance(issue(book, name), dict)
    assert isinstance(retire(book, "r"), dict)
    assert isinstance(book.refuse("x", reason="não", by="c", on=ON), dict)
    return book
