"""How much each manifest has to give to the notes of its load, and how much of it each line gets."""

from __future__ import annotations

from collections import defaultdict

from lastro.custody.links import Goods, Links
from lastro.custody.loads import WHOLE, Certified, Load, pool_of
from lastro.custody.shares import Asked, apportion, granted
from lastro.ids import Material
from lastro.units import Mass


class Capacities:
    """How much of each pool a load has to give, and by which code that is less than was received."""

    def __init__(self, links: Links) -> None:
        self.links = links
        self.exact = links.exact
        self._certified: dict[tuple[str, str], tuple[Mass, str]] = {}
        for certificate in links.certificates:
            if certificate.alive:
                self._share(certificate)

    def pool(self, load: Load, material: Material) -> str:
        return pool_of(material, exact_=self.exact[load.key])

    def of(self, load: Load, pool: str) -> tuple[Mass, str] | None:
        """The mass and the code of what makes it so small; None where nothing is known of it."""
        received, share = load.received(pool), self._certified.get((load.key, pool))
        told = [(received, "C08")] if received is not None else []
        told += [share] if share is not None else []
        return min(told, key=_size, default=None)

    def _share(self, certificate: Certified) -> None:
        """Split what a certificate certifies over its manifests, by what each received or is asked for."""
        weights: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for load in self.links.on(certificate):
            for pool in self._pools(load):
                received = load.received(pool)
                asked = self.links.asked_of(load, pool, self.exact)
                weights[pool][load.key] = (asked if received is None else received).mg
        for pool, by_load in weights.items():
            everything = certificate.mass(pool, fates=("recycling", "maybe", "", "no"))
            if everything is None or not sum(by_load.values()):
                continue
            recycled = certificate.mass(pool, fates=("recycling", "maybe", ""))
            assert recycled is not None, "what is certified is certified for something"
            weighed = sum(by_load.values())
            code = "C08" if recycled.mg >= weighed else "C07" if everything.mg < weighed else "C12"
            parts = by_load if code == "C08" else apportion(recycled.mg, by_load)
            for key, mg in parts.items():
                share = Mass(mg), code
                self._certified[key, pool] = min(self._certified.get((key, pool), share), share, key=_size)

    def _pools(self, load: Load) -> set[str]:
        if not self.exact[load.key]:
            return {WHOLE}
        asked = {g.material.value for note in self.links.notes_of(load) for g in note.goods}
        return {m.value for m in load.materials} or asked


def _size(one: tuple[Mass, str]) -> tuple[int, str]:
    """The smaller mass first; of equal ones, what was received before what was certified."""
    return one[0].mg, one[1].replace("C08", "")


def granted_of(links: Links, caps: Capacities, step: str) -> dict[tuple[str, int], Mass]:
    """What the manifests of one step of the way received of each line; lines of which none tells left out."""
    asked: dict[tuple[str, int], Asked] = {}
    room: dict[str, Mass] = {}
    for note in links.notes:
        loads = [load for load in links.of(note) if load.step == step]
        for goods in note.goods:
            mine = [(load, caps.pool(load, goods.material)) for load in loads if carries(load, goods)]
            told = [(load, pool, caps.of(load, pool)) for load, pool in mine]
            if not told or any(cap is None for _, _, cap in told):
                continue
            for load, pool, cap in told:
                assert cap is not None
                room[f"{load.key}/{pool}"] = cap[0]
            papers = tuple(sorted(f"{load.key}/{pool}" for load, pool, _ in told))
            asked[note.access_key, goods.line] = Asked(goods.mass, papers)
    return granted(asked, room)


def carries(load: Load, goods: Goods) -> bool:
    return not load.materials or goods.material in load.materials
