"""Why a sale counts less: what its seller had bought and sold before it, purchase by purchase."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lastro.custody.chain import KINDS, Flow, Sale, Upstream, World, lay, upstream
from lastro.custody.chain_walk import watch
from lastro.units import Mass


@dataclass(frozen=True)
class Step:
    """One sale as it changed the stock of the party whose story is told.

    `clean` and `spent` are what it holds then. `flow` is None for a declared source. `bought` tells its
    purchases from its sales.
    """

    flow: Flow | None
    bought: bool
    clean: Mass
    spent: Mass


@dataclass(frozen=True)
class Story:
    """A sale, its answer, and every step that made its seller's stock, the sale itself last."""

    flow: Flow
    answer: Upstream
    begins: bool
    steps: tuple[Step, ...]


def story(flows: Iterable[Flow], sale: Sale, *, world: World | None = None) -> Story | None:
    """Tell what stood behind a sale; None where it is none of these flows.

    `flows` are all known ones of its material, or at least all upstream of it.
    """
    laid = lay(flows, world=world)
    skip = len(laid.sales.at) - len(laid.flows)
    index = next((at for at, flow in enumerate(laid.flows, skip) if flow.sale == sale), None)
    if index is None:
        return None
    told = laid.flows[index - skip]
    state = laid.parties.index(told.seller) * len(KINDS) + KINDS[told.material]
    steps = []
    for change in watch(laid.sales, laid.stock, state):
        flow = laid.flows[change.sale - skip] if change.sale >= skip else None
        bought = flow is None or flow.buyer == told.seller
        steps.append(Step(flow, bought, Mass(change.clean), Mass(change.spent)))
        if change.sale == index:
            break
    answer = upstream(laid.flows, world=world).get(sale, Upstream())
    return Story(told, answer, int(laid.stock.begins[state]) == 1, tuple(steps))
