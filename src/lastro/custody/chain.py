"""Sales one after another: how much of each was counted at an earlier sale of the same mass (C04).

Picker to dealer to recycler: three notes, one mass. A dealer's sale counts what was counted for nobody before
it, to the milligram. Comes in: every sale known, with how much of it stands counted by itself, and declared
sources. Goes out: of each counted sale, what was counted upstream and what has no known origin. The answer is
a function of the set of sales: the order in which they came plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from lastro.custody.chain_walk import Sales, Stock, excess, opened, walk
from lastro.ids import Material, Origin
from lastro.units import ZERO, Mass, total

KINDS = {material: number for number, material in enumerate(Material)}

COLLECTED = frozenset(Origin) - {Origin.DEALER, Origin.PRIVATE_RECYCLER}
"""Origins of sellers that collect what they sell, or have it from their own works, and buy none of it."""

EARLY = 30 * 86_400
"""How many seconds before the purchase that explains it a sale may be dated: a note written late, or a sale
dated back, is off by days; of months nothing can be said."""

Party = str
"""Who sells and buys: the company (root of the CNPJ) or a person; its branches share one stock."""

Sale = tuple[str, int]
"""A line of a note: access key and number."""


@dataclass(frozen=True, slots=True)
class Flow:
    """One line of an authentic note that moved mass from seller to buyer, at a time written on it.

    `at` grows with time (seconds, or anything coarser, the same in all); masses are in milligrams;
    `credited_mg` is what stands counted of it by itself, for whomever. `waits`: another note tells the same
    load and people have not said yet whether it is one, so nothing but what was used of it is handed on.
    """

    access_key: str
    line: int
    at: int
    seller: Party
    buyer: Party
    material: Material
    mass_mg: int
    credited_mg: int = 0
    waits: bool = False

    @property
    def sale(self) -> Sale:
        return self.access_key, self.line

    @property
    def handed_mg(self) -> int:
        """What of it reaches the buyer's stock."""
        return self.credited_mg if self.waits else self.mass_mg


@dataclass(frozen=True)
class Source:
    """Mass that a party declares to have without buying it, up to a cap: opening stock, own collection."""

    party: Party
    material: Material
    at: int
    mass: Mass


@dataclass(frozen=True)
class World:
    """What is known of the parties beside their sales.

    `collectors` collect themselves: mass begins with them, uncapped. `mixed` collect and also buy: what they
    bought has a stock, and what they sell beyond it is their own. `yields` is the part of what is bought
    of a material that is left to sell (all of it where nothing is said), rounded down to the milligram at
    each purchase.
    """

    collectors: frozenset[tuple[Party, Material]] = frozenset()
    mixed: frozenset[tuple[Party, Material]] = frozenset()
    sources: tuple[Source, ...] = ()
    yields: Mapping[Material, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class Upstream:
    """Of one counted sale: what was counted at an earlier sale, and what has no origin that is known.

    `early` is what of that a purchase would explain which is dated after the sale, or waits for people: its
    note and the mass, `late` telling the two apart.
    """

    counted: Mass = ZERO
    unknown: Mass = ZERO
    early: tuple[Explained, ...] = ()

    def explained(self, *, late: bool) -> Mass:
        """How much purchases of a later date would explain, or such as wait for people."""
        return total(one.mass for one in self.early if one.late is late)


@dataclass(frozen=True)
class Explained:
    """A purchase that would explain mass sold without an origin, but is dated later (`late`) or waits."""

    access_key: str
    mass: Mass
    late: bool


@dataclass(frozen=True)
class Laid:
    """Sales laid out in columns, and who stands where in them."""

    flows: tuple[Flow, ...]
    sales: Sales
    stock: Stock
    parties: tuple[Party, ...]


def upstream(flows: Iterable[Flow], *, world: World | None = None) -> dict[Sale, Upstream]:
    """Say of every sale, of which anything was counted before or has no known origin, how much (level 2).

    Time enters as order: nothing is sold before it is bought. Of one time, by key and line.
    """
    laid = lay(flows, world=world)
    twice, beyond = walk(laid.sales, laid.stock)
    skip = len(laid.sales.at) - len(laid.flows)
    lacking = {flow.sale: int(beyond[at]) for at, flow in enumerate(laid.flows, skip) if beyond[at]}
    early = explained(laid.flows, lacking)
    return {
        flow.sale: Upstream(Mass(int(twice[at])), Mass(int(beyond[at])), early.get(flow.sale, ()))
        for at, flow in enumerate(laid.flows, skip)
        if twice[at] or beyond[at]
    }


def explained(flows: Sequence[Flow], lacking: Mapping[Sale, int]) -> dict[Sale, tuple[Explained, ...]]:
    """For sales of mass without an origin, the purchases that would be it, but come later or wait for people.

    `flows` in the order in which they are walked; `lacking` says of sales how many milligrams. Each milligram
    bought explains one that was sold: the first sale takes from the first purchase. A purchase explains what
    was sold at most EARLY before it; one that waits, whatever was sold after it too.
    """
    places = {(flow.seller, flow.material) for flow in flows if flow.sale in lacking}
    bought: dict[tuple[Party, Material], list[list[int]]] = {place: [] for place in places}
    for at, flow in enumerate(flows):
        if (flow.buyer, flow.material) in bought:
            bought[flow.buyer, flow.material].append([at, flow.mass_mg])
    found: dict[Sale, tuple[Explained, ...]] = {}
    for at, flow in enumerate(flows):
        if flow.sale in lacking:
            taken = _take(flows, at, lacking[flow.sale], bought[flow.seller, flow.material])
            if taken:
                found[flow.sale] = tuple(taken)
    return found


def _take(flows: Sequence[Flow], at: int, lacking: int, bought: Iterable[list[int]]) -> list[Explained]:
    """Take what a sale lacks from the purchases that may explain it, which then have so much less left."""
    taken = []
    for purchase in bought:
        number, free = purchase
        one, late = flows[number], number > at
        here = min(lacking, free - one.credited_mg * one.waits)
        if here <= 0 or one.at - flows[at].at > EARLY or not (late or one.waits):
            continue
        purchase[1] -= here
        lacking -= here
        taken.append(Explained(one.access_key, Mass(here), late))
    return taken


def least_excess(flows: Iterable[Flow], *, world: World | None = None) -> dict[tuple[Party, Material], Mass]:
    """Which parties sold more counted mass of a material than they had uncounted, and by how much at least.

    Level 1, a necessary condition that supposes no routing: what it names is counted twice or has no origin.
    """
    laid = lay(flows, world=world)
    kinds = list(Material)
    return {
        (laid.parties[state // len(kinds)], kinds[state % len(kinds)]): Mass(most)
        for state, most in enumerate(excess(laid.sales, laid.stock))
        if most
    }


def lay(flows: Iterable[Flow], *, world: World | None = None) -> Laid:
    """Put sales into columns in the order in which they are walked, declared sources of a time first."""
    world = world or World()
    known = tuple(sorted(flows, key=lambda f: (f.at, f.access_key, f.line)))
    for flow in known:
        assert 0 <= flow.credited_mg <= flow.mass_mg, f"{flow.sale} counts more than it weighs"
    names: dict[Party, int] = {}
    for flow in known:
        names.setdefault(flow.seller, len(names))
        names.setdefault(flow.buyer, len(names))
    sources = sorted(
        (s for s in world.sources if s.party in names), key=lambda s: (s.at, s.party, s.material, s.mass)
    )
    sales = Sales(
        seller=[-1] * len(sources) + [names[f.seller] for f in known],
        buyer=[names[s.party] for s in sources] + [names[f.buyer] for f in known],
        material=[KINDS[s.material] for s in sources] + [KINDS[f.material] for f in known],
        mass=[s.mass.mg for s in sources] + [f.handed_mg for f in known],
        credited=[0] * len(sources) + [f.credited_mg for f in known],
        at=[s.at for s in sources] + [f.at for f in known],
    )
    stock = opened(
        sales,
        parties=len(names),
        kinds=len(KINDS),
        collectors=[names[p] * len(KINDS) + KINDS[m] for p, m in world.collectors if p in names],
        mixed=[names[p] * len(KINDS) + KINDS[m] for p, m in world.mixed if p in names],
        yields=_shares(world),
    )
    return Laid(known, sales, stock, tuple(names))


def _shares(world: World) -> Sequence[tuple[int, int]]:
    shares = [world.yields.get(material, Fraction(1)) for material in Material]
    return [(share.numerator, share.denominator) for share in shares]
