"""What the pages work with: the store, the day, the trust, the registry and the desk of a claimant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from lastro import trust
from lastro.custody.port import For
from lastro.facts import Basis
from lastro.lawkit import library
from lastro.registry import Registry
from lastro.stores.postgres import Store, migrate
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.registry import registry as read_registry
from lastro.web.settings import Site, configure

_MT = ZoneInfo("America/Cuiaba")
_stores: list[Store] = []


def use(store: Store) -> None:
    """Let the pages of this process work with a store."""
    _stores[:] = [store]


def store() -> Store:
    """The store of this process."""
    assert _stores, "a store is put in place before the first page is asked for"
    return _stores[0]


def site() -> Site:
    """Where the application stands and how it was asked to run."""
    found: Site = settings.LASTRO
    return found


def today() -> date:
    """The day it is in Mato Grosso, or the one that a demonstration runs on."""
    return site().today or datetime.now(_MT).date()


def remember() -> Any:
    """Custody's memory for one transaction."""
    return partial(custody, store())


def basis() -> Basis:
    """What hangs on a test root is a test, everywhere it is leaned on (decision 13)."""
    return Basis.TEST if is_test() else Basis.OFFICIAL


def is_test() -> bool:
    """Whether this store trusts test roots only."""
    folder: Path = site().data / "trust"
    stamp = folder.stat().st_mtime_ns if folder.is_dir() else 0
    return _kind(folder, stamp) == "test"


@lru_cache(maxsize=4)
def _kind(folder: Path, stamp: int) -> str:
    return trust.load(folder).kind


def registry() -> Registry:
    """The registry as it stands; read again only when a row was added."""
    with store().transaction() as db:
        row = db.execute("select coalesce(max(id), 0) from registry_row").fetchone()
    assert row is not None
    return _registry(id(store()), int(row[0]))


@lru_cache(maxsize=2)
def _registry(which: int, newest: int) -> Registry:
    return read_registry(store())


def name_of(cnpj: str) -> str:
    """The name the registry knows a party by; empty where it knows none."""
    party = registry().party(cnpj)
    return party.name if party else ""


def claimed(entity: str) -> list[For]:
    """The norms and years under which an entity handed anything in, the latest year first."""
    with custody(store()) as memory:
        mine = [whom for whom in memory.claimants() if whom.entity == entity]
    return sorted(mine, key=lambda whom: (-whom.year, whom.norm))


def default_norm() -> str:
    """The norm that an entity works under when it has handed nothing in yet: the one in force that admits."""
    able = [r.norm.path for r in library.every() if r.admits is not None and r.norm.status == "in_force"]
    return able[0]


@contextmanager
def opened(site: Site) -> Iterator[Store]:
    """The store of a data folder, with the tables of the web beside it, put in place for this process."""

    def prepare(conninfo: str, owner_conninfo: str) -> None:
        configure(conninfo, site)
        migrate.migrate(owner_conninfo)
        migrate.migrate_others(owner_conninfo)

    with Store.open(site.data, prepare=prepare) as found:
        use(found)
        yield found
