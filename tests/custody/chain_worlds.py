"""Invented networks of sales whose double counts are known before anybody looks for them."""

from __future__ import annotations

import random
from dataclasses import replace

from lastro.custody.chain import Flow
from lastro.ids import Material

PAPER = Material.PAPER
KG = 1_000_000


def sale(
    number: int, at: int, seller: str, buyer: str, kg: int, counted: int = 0, material: Material = PAPER
) -> Flow:
    """A sale in whole kilograms; its number is its key."""
    return Flow(f"{number:044d}", 1, at, seller, buyer, material, kg * KG, counted * KG)


class Network:
    """Chains planted one beside another: what is counted twice of each sale is decided when it is planted.

    Every chain has dealers of its own, so no other chain can make up for it; cooperatives and recyclers are
    shared by all. Masses have odd milligrams, so that nothing comes out by rounding.
    """

    def __init__(self, notes: int, *, seed: int) -> None:
        self.rnd = random.Random(seed)
        self.flows: list[Flow] = []
        self.twice: dict[tuple[str, int], int] = {}
        self.dealers = 0
        shapes = [self.counted_before, self.split, self.mixed, self.loop, self.honest]
        while len(self.flows) < notes:
            self.rnd.choice(shapes)()

    def add(self, at: int, seller: str, buyer: str, mg: int, counted: int = 0, twice: int = 0) -> None:
        number = len(self.flows) + 1
        # Keys do not follow time: what comes first is said by the dates alone.
        key = f"{number * 2_654_435_761 % 2**32:044d}"
        flow = Flow(key, 1, at, seller, buyer, self.material, mg, counted)
        self.flows.append(flow)
        if twice:
            self.twice[flow.sale] = twice

    def begin(self) -> tuple[int, int, str, str]:
        """A day, a mass, a cooperative and a recycler for the next chain."""
        self.material = self.rnd.choice(list(Material))
        mg = self.rnd.randrange(1, 30_000 * KG) | 1
        return self.rnd.randrange(600), mg, f"C{self.rnd.randrange(900)}", f"R{self.rnd.randrange(40)}"

    def dealer(self) -> str:
        self.dealers += 1
        return f"D{self.dealers}"

    def counted_before(self) -> None:
        """The cooperative's sale is counted, and two to five links further the recycler's purchase again."""
        at, mg, seller, recycler = self.begin()
        self.add(at, seller, buyer := self.dealer(), mg, counted=mg)
        for _ in range(self.rnd.randrange(4)):
            at += self.rnd.randrange(1, 5)
            seller, buyer = buyer, self.dealer()
            self.add(at, seller, buyer, mg)
        again = self.rnd.randrange(1, mg + 1)
        self.add(at + 1, buyer, recycler, mg, counted=again, twice=again)

    def split(self) -> None:
        """Half of a purchase was counted; the dealer sells the rest, counted for the first time."""
        at, mg, seller, recycler = self.begin()
        dealer, part = self.dealer(), mg // 2
        self.add(at, seller, dealer, mg, counted=part)
        self.add(at + 1, dealer, recycler, mg - part, counted=mg - part)

    def mixed(self) -> None:
        """One counted and one uncounted purchase; all is sold as counted: the counted one is there twice."""
        at, mg, seller, recycler = self.begin()
        dealer, other = self.dealer(), mg // 3 + 1
        self.add(at, seller, dealer, mg, counted=mg)
        self.add(at + 1, seller, dealer, other)
        first = (mg + other) // 2
        self.add(at + 2, dealer, recycler, first, counted=first, twice=max(0, first - other))
        rest = mg + other - first
        clean = max(0, other - first)
        self.add(at + 3, dealer, recycler, rest, counted=rest, twice=rest - clean)

    def loop(self) -> None:
        """Two dealers sell one counted load to and fro, then to a recycler, counted again."""
        at, mg, seller, recycler = self.begin()
        one, other = self.dealer(), self.dealer()
        self.add(at, seller, one, mg, counted=mg)
        for turn in range(1, self.rnd.randrange(2, 4)):
            self.add(at + turn, one, other, mg)
            one, other = other, one
        self.add(at + 5, one, recycler, mg, counted=mg, twice=mg)

    def honest(self) -> None:
        """A load is bought uncounted and counted once, at the end."""
        at, mg, seller, recycler = self.begin()
        dealer = self.dealer()
        self.add(at, seller, dealer, mg)
        self.add(at + 1, dealer, recycler, mg, counted=mg)

    def shuffled(self, seed: int) -> list[Flow]:
        flows = list(self.flows)
        random.Random(seed).shuffle(flows)
        return [replace(flow) for flow in flows]
