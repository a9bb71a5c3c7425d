"""The desk that notes are judged at: what a claimant's notes lean on, from the store and the data folder."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path

from lastro import trust
from lastro.cli.common import Settings
from lastro.custody.port import For
from lastro.evidence import Context, ready
from lastro.facts import Basis
from lastro.lawkit import Regulation, library
from lastro.pipeline import Desk, rejudge
from lastro.registry import Registry
from lastro.stores.postgres import Store
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.registry import registry


def desk_of(store: Store, whom: For, settings: Settings) -> Desk:
    """All that a claimant's notes are judged by: norm, registry, trust, and what it said of single lines."""
    ready()
    regulation = library.find(whom.norm)
    roots = trust.load(settings.data / "trust")
    with custody(store) as memory:
        lots = memory.lots_said(whom.entity)
    known = under(regulation, registry(store), year=whom.year)
    context = Context(today=settings.today, trust=roots.certificates, basis=basis_of(settings.data / "trust"))
    return Desk(whom=whom, regulation=regulation, registry=known, context=context, lots=lots)


def under(regulation: Regulation, known: Registry, *, year: int) -> Registry:
    """The registry as a norm reads it in a year: how long the vetting of an operator stands is the norm's."""
    if regulation.vets is None:
        return known
    return known.under(vetting_years=regulation.vets(regulation.law(date(year, 12, 31))))


def rejudge_all(store: Store, settings: Settings) -> int:
    """Judge again every stored note for which something new is known; how many got a new answer."""
    with custody(store) as memory:
        everyone = memory.claimants()
    remember = partial(custody, store)
    return sum(rejudge(desk_of(store, whom, settings), remember, on=settings.today) for whom in everyone)


def basis_of(folder: Path) -> Basis:
    """What hangs on a test root is a test, everywhere it is leaned on (decision 13)."""
    return Basis.TEST if trust.load(folder).kind == "test" else Basis.OFFICIAL
