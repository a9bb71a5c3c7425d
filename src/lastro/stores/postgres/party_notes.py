"""Which notes of a party stand in the store, whoever handed them in: what it sold, what it bought."""

from __future__ import annotations

from collections import defaultdict

from lastro.custody.port import For
from lastro.stores.postgres.store import Store

_FILES = """select distinct v.entity, v.norm, v.year, d.sha256
              from document d join verdict v on v.sha256 = d.sha256 and v.ordinal = d.ordinal
             where d.kind = 'nfe' and (d.issuer = %(party)s or d.recipient = %(party)s)
             order by 1, 2, 3, 4"""


def files_of(store: Store, party: str) -> dict[For, list[str]]:
    """The files with notes between a party and others, by who handed them in, under which norm and year."""
    found: defaultdict[For, list[str]] = defaultdict(list)
    with store.transaction() as db:
        for entity, norm, year, sha256 in db.execute(_FILES, {"party": party}).fetchall():
            found[For(entity, norm, year)].append(sha256)
    return dict(found)
