"""What was fetched from SEFAZ: answers about keys, and how far an establishment's documents were brought."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import psycopg

from lastro.errors import LastroError
from lastro.evidence.consulted import Consulted, standing
from lastro.facts import Reached, Status
from lastro.stores.postgres.store import Store

Connection = psycopg.Connection[Any]


def write_consulted(db: Connection, answers: Mapping[str, Consulted], *, address: str) -> None:
    """Add answers by the digest of their bytes, which are kept as evidence files already."""
    with db.cursor() as cursor:
        cursor.executemany(
            """insert into sefaz_answer
               (sha256, access_key, status, reason, digest, cancelled, address, asked_at)
               values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict do nothing""",
            [
                (
                    *(sha256, a.access_key, a.status, a.reason, a.digest),
                    *(a.says is Status.CANCELLED, address, a.asked_at),
                )
                for sha256, a in sorted(answers.items())
            ],
        )


def consulted(db: Connection) -> Mapping[str, Consulted]:
    """The answer that holds about each key that SEFAZ was asked of, where any tells its standing."""
    answers: defaultdict[str, list[Consulted]] = defaultdict(list)
    for row in db.execute(
        "select access_key, status, asked_at, digest, reason, cancelled from sefaz_answer"
    ).fetchall():
        answers[row[0]].append(Consulted(*row))
    found = {key: standing(said) for key, said in answers.items()}
    return {key: answer for key, answer in found.items() if answer is not None}


def position(store: Store, establishment: str, *, environment: str) -> Reached:
    """Where the establishment's distribution stands; the beginning if nothing was ever fetched."""
    with store.transaction() as db:
        row = db.execute(
            """select last_nsu, highest_nsu, not_before, missing from sefaz_position
               where establishment = %s and environment = %s order by id desc limit 1""",
            [establishment, environment],
        ).fetchone()
    return Reached(row[0], row[1], row[2], tuple(row[3])) if row else Reached()


def say_position(store: Store, establishment: str, reached: Reached, *, environment: str) -> None:
    """Remember how far the documents were brought; call it when they stand, never before."""
    with store.transaction() as db:
        db.execute(
            """insert into sefaz_position
               (establishment, environment, last_nsu, highest_nsu, not_before, missing)
               values (%s, %s, %s, %s, %s, %s)""",
            [
                *(establishment, environment, reached.last_nsu, reached.highest_nsu),
                *(reached.not_before, sorted(reached.missing)),
            ],
        )


def paused_until(store: Store, address: str, *, company: str) -> datetime | None:
    """Until when a service must not be asked by a company (root of its CNPJ), if it ever said so."""
    with store.transaction() as db:
        row = db.execute(
            "select max(until) from service_pause where address = %s and company = %s", [address, company]
        ).fetchone()
    return row[0] if row else None


def say_pause(store: Store, address: str, *, company: str, until: datetime) -> None:
    """Remember that a service must not be asked by a company before a moment."""
    with store.transaction() as db:
        db.execute(
            "insert into service_pause (address, company, until) values (%s, %s, %s)",
            [address, company, until],
        )


def unconfirmed(store: Store, *, entity: str, most: int) -> Sequence[str]:
    """Keys of an entity's standing lots that SEFAZ was never asked of, in order."""
    with store.transaction() as db:
        rows = db.execute(
            """select distinct access_key from balance
               where claimant = %s and mass_mg > 0
                 and access_key not in (select access_key from sefaz_answer)
               order by access_key limit %s""",
            [entity, most],
        ).fetchall()
    return [row[0] for row in rows]


@contextmanager
def alone(store: Store, establishment: str) -> Iterator[None]:
    """Be the only one who fetches for an establishment: two at once would be refused for excessive use.

    Raises LastroError when somebody else does already.
    """
    with store.connect() as db:
        lock = "select pg_try_advisory_lock(hashtextextended(%s, 1455))"
        row = db.execute(lock, [establishment]).fetchone()
        if not row or not row[0]:
            raise LastroError("Outro processo já busca documentos deste estabelecimento; espere ele acabar.")
        yield
