"""What `lastro audit` checks: a list of functions, each given the store, each answering with checks.

A room that keeps tables adds its own function to `AUDITS`.
"""

from __future__ import annotations

from collections.abc import Callable

from lastro.ledger.audit import Check, audit
from lastro.stores.postgres.store import Store


def ledger_checks(store: Store) -> list[Check]:
    """The ledger, counted again from its entries."""
    with store.book() as book:
        return audit(book)


AUDITS: list[Callable[[Store], list[Check]]] = [ledger_checks]


def run(store: Store) -> list[Check]:
    """Every check of every room, in order."""
    return [check for checks in AUDITS for check in checks(store)]
