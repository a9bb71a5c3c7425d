"""Between custody and the hub: what an entity has to say there, and what was found there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date

from psycopg.types.json import Jsonb

from lastro.custody.count import KeyView
from lastro.custody.settle import settle
from lastro.hub.dossier import CaseOpened
from lastro.hub.lines import HubClaim, Line, Said
from lastro.hub.member import Statement
from lastro.stores.postgres import custody as custody_store
from lastro.stores.postgres.hub_found import BOOK
from lastro.stores.postgres.store import Store
from lastro.units import Mass

_AT_A_TIME = 500


def statements(store: Store, *, entity: str, verifier: str) -> Iterator[Statement]:
    """Everything the entity claims and took back, as the hub's members say it; some keys at a time."""
    last = ""
    while True:
        with custody_store.custody(store) as memory:
            keys = [
                key
                for (key,) in memory.db.execute(
                    """select distinct access_key from claim where entity = %s and access_key > %s
                       order by access_key limit %s""",
                    [entity, last, _AT_A_TIME],
                ).fetchall()
            ]
            views = memory.key_views(keys) if keys else {}
        if not keys:
            return
        for key in keys:
            yield from of_view(views[key], entity=entity, verifier=verifier)
        last = keys[-1]


def of_view(view: KeyView, *, entity: str, verifier: str) -> Iterator[Statement]:
    """What one entity has to say of a note's lines. A claim that no verdict admits is not said."""
    for claim in view.claims:
        if claim.entity != entity:
            continue
        yield Statement(
            Line(view.access_key, claim.line, BOOK),
            HubClaim(
                said=Said.CLAIMS, entity=entity, verifier=verifier, norm=claim.norm, year=claim.year,
                mass=claim.mass, line_mass=view.contents[claim.content].masses[claim.line],
                content=_content(claim.content), bound="",
            ),
        )  # fmt: skip
    for line, who in sorted(view.withdrawn):
        if who == entity:
            yield Statement(
                Line(view.access_key, line, BOOK),
                HubClaim(
                    said=Said.WITHDRAWS, entity=entity, verifier=verifier, norm="", year=0,
                    mass=Mass(0), line_mass=Mass(0), content=_content(""), bound="",
                ),
            )  # fmt: skip


def _content(digest: str) -> str:
    """The digest of a note's signed content, as it stands in a claim: 32 bytes, whatever the text is."""
    return hashlib.sha256(digest.encode()).hexdigest()


def enter_found(store: Store, opened: Sequence[CaseOpened], *, verifier: str, on: date) -> int:
    """Write down what was opened, and settle the notes; how many lines changed. The same again: none."""
    changed = 0
    for one in opened:
        with custody_store.custody(store) as memory:
            memory.lock_keys([one.line.key])
            known = memory.db.execute(
                """select digest from hub.found where (access_key, line, book) = (%s, %s, %s)
                   order by id desc limit 1""",
                [one.line.key, one.line.line, one.line.book],
            ).fetchone()
            if known is not None and known[0] == one.digest:
                continue
            _enter(memory, one, verifier=verifier, on=on)
            changed += 1
    return changed


def _enter(memory: custody_store.PostgresCustody, one: CaseOpened, *, verifier: str, on: date) -> None:
    line, judged = one.line, one.judged

    def write() -> None:
        memory.hold_chains([line.key])
        memory.db.execute(
            """insert into hub.found
               (access_key, line, book, fit, line_mg, asked, verifier, digest, on_day)
               values (%s, %s, %s, %s, %s, %s, %s, %s, %s)""",
            [
                *(line.key, line.line, line.book, judged.fit.value),
                judged.line_mass.mg if judged.line_mass else None,
                Jsonb({who: mass.mg for who, mass in judged.asked.items()}),
                *(verifier, one.digest, on),
            ],
        )

    settle(memory, memory.hold([line.key], write), on=on)
