"""What every door does the same way: opens a claimant's desk, judges again, settles companies.

Comes in: a store, its data folder, the day. Goes out: what the rooms answer with all that they lean on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from lastro import trust
from lastro.custody.port import For
from lastro.custody.settle import hear
from lastro.evidence import Context, ready
from lastro.evidence.consulted import Consulted
from lastro.facts import Basis, CompanyFacts
from lastro.ids import company_of
from lastro.lawkit import Regulation, library
from lastro.obligations import Position, settle
from lastro.obligations.positions import Fallen, with_stale, without_fallen
from lastro.pipeline import Desk, company_facts, rejudge
from lastro.registry import Registry
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import stale_retired
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.registry import placed, registry, targets


def desk_of(store: Store, whom: For, *, data: Path, today: date) -> Desk:
    """All that a claimant's notes are judged by: norm, registry, trust, and what it said of single lines."""
    ready()
    regulation = library.find(whom.norm)
    roots = trust.load(data / "trust")
    with custody(store) as memory:
        lots, consulted = memory.lots_said(whom.entity), memory.consulted()
    known = under(regulation, registry(store), year=whom.year)
    context = Context(today=today, trust=roots.certificates, basis=basis_of(data / "trust"))
    return Desk(
        whom=whom, regulation=regulation, registry=known, context=context, lots=lots, consulted=consulted
    )


def under(regulation: Regulation, known: Registry, *, year: int) -> Registry:
    """The registry as a norm reads it in a year: how long the vetting of an operator stands is the norm's."""
    if regulation.vets is None:
        return known
    return known.under(vetting_years=regulation.vets(regulation.law(date(year, 12, 31))))


def rejudge_all(store: Store, *, data: Path, today: date, keys: Sequence[str] | None = None) -> int:
    """Judge again every stored note (or those of some keys) for which something new is known; how many got a
    new answer.
    """
    with custody(store) as memory:
        everyone = memory.claimants()
    remember = partial(custody, store)
    return sum(
        rejudge(desk_of(store, whom, data=data, today=today), remember, on=today, keys=keys)
        for whom in everyone
    )


def tell_answers(
    store: Store,
    answers: Mapping[str, Consulted],
    *,
    address: str,
    files: Mapping[str, bytes],
    data: Path,
    today: date,
) -> int:
    """Keep what SEFAZ itself answered, by the digest of the answer's bytes in `files`, and let it weigh.

    Call it only with answers fetched from SEFAZ by this program, over a verified connection to `address`. How
    many verdicts changed.
    """
    with custody(store) as memory:
        hear(memory, answers, address=address, files=files, on=today)
    return rejudge_all(store, data=data, today=today, keys=sorted({a.access_key for a in answers.values()}))


def settle_companies(
    store: Store, norm: str, *, year: int, company: str | None, data: Path, today: date
) -> list[tuple[CompanyFacts, tuple[Position, ...]]]:
    """The positions of every company, or of one root, from what was declared and retired as known today.

    Retired mass whose evidence fell later does not count; each position that it touches says so (T04).
    """
    regulation = library.find(norm)
    rows = targets(store, norm, as_of=today)
    basis, article = basis_of(data / "trust"), _evidence_article(regulation, year)
    settled = []
    for one, fallen in companies(store, registry(store), year=year, company=company, as_of=today):
        positions = settle(regulation, one, year=year, targets=rows, as_of=today, basis=basis)
        settled.append((one, with_stale(positions, fallen, regulation=regulation, article=article)))
    return settled


def companies(
    store: Store, known: Registry, *, year: int, company: str | None, as_of: date
) -> list[tuple[CompanyFacts, tuple[Fallen, ...]]]:
    """What is known of each company, with the retired mass that still counts, and what of it fell.

    What fell is read before what was retired: entries only come, so nothing falls that was never read.
    """
    fallen = _fallen(store, company=company, year=year)
    placements = placed(store, company=company, as_of=as_of)
    facts = company_facts(placements, store.retired(company=company, year=year), known, year=year)
    return [
        (replace(one, retired=without_fallen(one.retired, mine)), mine)
        for one in facts
        for mine in [tuple(fallen.get(one.cnpj, ()))]
    ]


def _fallen(store: Store, *, company: str | None, year: int) -> Mapping[str, Sequence[Fallen]]:
    """What was retired for each company of lots whose evidence died since."""
    found: defaultdict[str, list[Fallen]] = defaultdict(list)
    for retired, dead in stale_retired(store, company=company, year=year):
        lot = f"nota {dead.access_key}, item {dead.line} ({dead.reason})"
        found[company_of(retired.establishment)].append(Fallen(retired.fact, lot))
    return found


def _evidence_article(regulation: Regulation, year: int) -> str:
    """Where a norm asks for evidence; its title where it tells of no report."""
    if regulation.reports is None:
        return regulation.norm.short_title
    law = regulation.law(date(year, 12, 31))
    return regulation.reports(law, year=year).articles["evidence"]


def basis_of(folder: Path) -> Basis:
    """What hangs on a test root is a test, everywhere it is leaned on (decision 13)."""
    return Basis.TEST if trust.load(folder).kind == "test" else Basis.OFFICIAL
