"""A contest that arrives while the mass is being used: what was used stands, and nobody gets an error."""

from __future__ import annotations

from datetime import date

import psycopg
import pytest

from lastro.custody.port import For
from lastro.custody.settle import hand_in
from lastro.stores.postgres.custody import PostgresCustody
from tests.custody.test_settle import BODIES, NORM, TODAY, A, B, give, key, note
from tests.ledger.worlds import COMPANY, VERIFIER

RETIRE = "SELECT retire_lots(%s, %s, 2026, '{glass}', %s, %s, %s)"


def test_nobody_uses_a_lot_between_the_count_and_its_posting(store, base):
    give(store, A, note(1))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    with base.connect("lastro_app") as another:
        another.execute("SET lock_timeout = '50ms'")
        waited = []

        class Watched(PostgresCustody):
            def write_states(self, *rest, **more):
                with pytest.raises(psycopg.errors.LockNotAvailable):
                    another.execute(RETIRE, [A, COMPANY, 400, "t1", date(2026, 12, 31)])
                waited.append(True)
                super().write_states(*rest, **more)

        with store.transaction() as db:
            hand_in(
                Watched(db),
                [note(1)],
                whom=For(B, NORM, 2026),
                files={note(1).sha256: BODIES[note(1).sha256]},
                claims=[(key(1), 1, None)],
                on=TODAY,
            )
        assert waited == [True]
        (answer,) = another.execute(RETIRE, [A, COMPANY, 400, "t1", date(2026, 12, 31)]).fetchone()
    assert (answer["refusal"], answer["available_mg"]) == ("K01", 0)
