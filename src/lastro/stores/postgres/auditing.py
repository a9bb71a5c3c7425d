"""What `lastro audit` checks: a list of functions, each given the store, each answering with checks.

A room that keeps tables adds its own function to `AUDITS`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from lastro.certificates.audit import audit as certificates
from lastro.custody.audit import backed, recount, states
from lastro.custody.chain_settle import recompared
from lastro.ledger.audit import Check, audit
from lastro.stores.postgres.certificates import audit_rows
from lastro.stores.postgres.custody import PostgresCustody
from lastro.stores.postgres.store import Store
from lastro.stores.postgres.view import LedgerView


def ledger_checks(store: Store) -> list[Check]:
    """The ledger, counted again from its entries."""
    with store.book() as book:
        return audit(book)


def custody_checks(store: Store) -> list[Check]:
    """Every key counted again from documents, claims, papers and decisions."""
    again = Check("recounted", "Lotes iguais à contagem refeita de todas as reivindicações")
    line = Check("counted_once", "Cada item de nota contado uma vez só")
    cache = Check("lot_states", "Situações guardadas iguais às recontadas")
    bytes_ = Check("evidence", "Arquivos guardados com o resumo com que entraram")
    with store.snapshot() as db:
        memory = PostgresCustody(db)
        for keys in memory.every_key():
            views, entered, kept = memory.key_views(keys), memory.entered(keys), memory.states(keys)
            for key in keys:
                held = entered.get(key, {})
                for check, said in (
                    (again, recount(views[key], held)),
                    (line, backed(views[key], held)),
                    (cache, states(views[key], kept.get(key, {}))),
                ):
                    check.counted += 1
                    for text in said:
                        check.fail(text)
        for digest, body in memory.files():
            bytes_.counted += 1
            if hashlib.sha256(body).hexdigest() != digest:
                bytes_.fail(f"o arquivo {digest} mudou desde que entrou")
    return [again, line, cache, bytes_]


def comparison_checks(store: Store) -> list[Check]:
    """What notes say of one another, compared again all together."""
    check = Check("compared", "Notas parecidas e revendas iguais à comparação refeita")
    with store.snapshot() as db:
        memory = PostgresCustody(db)
        views = {key: view for keys in memory.every_key() for key, view in memory.key_views(keys).items()}
        kept = memory.every_sold()
        check.counted = len(kept)
        for text in recompared(kept, views):
            check.fail(text)
    return [check]


def certificate_checks(store: Store) -> list[Check]:
    """Every certificate counted again from its entries, and its rows compared with the chain."""
    with store.snapshot() as db:
        return certificates(LedgerView(db).links(), audit_rows(db))


AUDITS: list[Callable[[Store], list[Check]]] = [
    ledger_checks,
    custody_checks,
    comparison_checks,
    certificate_checks,
]


def run(store: Store) -> list[Check]:
    """Every check of every room, in order."""
    return [check for checks in AUDITS for check in checks(store)]
