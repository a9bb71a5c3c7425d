"""Somebody who has every published table of three years, and all that is public beside, looks for a mass.

    python -m tests.blackbox.attack [--worlds N] [--seed S] [--naive]

The attacker knows which company is in which sector, system, town and year (the worst case), knows every sum
that was published (by material, sector, town, system and year, over all years and all materials, and a second
edition of each year after some companies corrected theirs), and is in turn an outsider and each of the
companies, which also knows its own masses. For each company, year and material a linear program gives the
least and the most that its mass can be. The stated bound: nobody comes nearer to it from above than the
policy's `near`. `--naive` publishes each sum that is safe by itself, without complementary suppression: then
the attacker must win, or the attack would prove nothing.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import highspy

from lastro.disclosure import Atom, policy, publishable, safe

YEARS, MATERIALS = (2026, 2027, 2028), ("glass", "paper")
SECTORS, TOWNS, SYSTEMS = 4, 4, 2
_SLACK = 1e-6


@dataclass(frozen=True)
class Secret:
    """One company's mass in one place of the tables; `late` is what it added in the second edition."""

    company: str
    year: int
    material: str
    town: int
    late: bool = False


@dataclass
class World:
    """Who is in which sector and system, what each has, and the sums that might be published."""

    masses: dict[Secret, int] = field(default_factory=dict)
    sums: dict[tuple[Any, ...], list[Secret]] = field(default_factory=dict)

    @property
    def atoms(self) -> dict[Secret, Atom]:
        return {one: Atom(one.company, mass) for one, mass in self.masses.items()}


def world(seed: int, *, companies: int = 16) -> World:
    """A world of few large and many small companies; the same seed gives the same one."""
    dice, made = random.Random(seed), World()
    group = {f"C{n:02}": (dice.randrange(SECTORS), dice.randrange(SYSTEMS)) for n in range(companies)}
    for name in group:
        size = dice.randint(2, 9) ** 3
        for year in YEARS:
            for material in MATERIALS:
                for town in dice.sample(range(TOWNS), dice.randint(0, 3)):
                    made.masses[Secret(name, year, material, town)] = size * dice.randint(500, 2000)
                    if dice.random() < 0.05:
                        made.masses[Secret(name, year, material, town, late=True)] = size * 100
    made.sums = dict(sorted(_sums(made.masses, group), key=lambda one: one[0]))
    return made


def _sums(
    secrets: Collection[Secret], group: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[tuple[Any, ...], list[Secret]]]:
    """Every sum of every table, those with the right of way sorted first."""
    cells: defaultdict[tuple[Any, ...], list[Secret]] = defaultdict(list)
    for one in secrets:
        sector, system = group[one.company]
        cuts = (("1 all", 0), ("2 sector", sector), ("3 town", one.town), ("4 system", system))
        for edition in (2,) if one.late else (1, 2):
            for cut in cuts:
                for year in (one.year, 9999):
                    for material in (one.material, "~all"):
                        cells[edition, *cut, year, material].append(one)
    yield from cells.items()


def published(made: World, *, naive: bool) -> dict[tuple[Any, ...], list[Secret]]:
    """What is published of a world."""
    atoms = made.atoms
    if naive:
        told: Iterable[Any] = (k for k, inside in made.sums.items() if safe(atoms[one] for one in inside))
    else:
        told = publishable(made.sums, atoms)
    return {key: made.sums[key] for key in told}


class Attacker:
    """One who knows the published sums, and the masses of one company (or of none)."""

    def __init__(self, made: World, told: Mapping[Any, Collection[Secret]], knows: str | None) -> None:
        self.model = highspy.Highs()
        self.model.setOptionValue("output_flag", False)
        self.at = {one: n for n, one in enumerate(o for o in made.masses if o.company != knows)}
        for _ in self.at:
            self.model.addVar(0.0, highspy.kHighsInf)
        for inside in told.values():
            unknown = [one for one in inside if one in self.at]
            rest = float(sum(made.masses[one] for one in unknown))
            if unknown:
                where = [self.at[one] for one in unknown]
                self.model.addRow(rest, rest, len(where), where, [1.0] * len(where))

    def interval(self, secrets: Collection[Secret]) -> tuple[float, float]:
        """The least and the most that these can be together, as far as this one can tell."""
        for one in secrets:
            self.model.changeColCost(self.at[one], 1.0)
        found = []
        for sense in (highspy.ObjSense.kMinimize, highspy.ObjSense.kMaximize):
            self.model.changeObjectiveSense(sense)
            self.model.run()
            known = self.model.getModelStatus() == highspy.HighsModelStatus.kOptimal
            found.append(self.model.getObjectiveValue() if known else float("inf"))
        for one in secrets:
            self.model.changeColCost(self.at[one], 0.0)
        return found[0], found[1]


@dataclass(frozen=True)
class Broken:
    """A mass that an attacker found nearer than the bound."""

    attacker: str
    company: str
    year: int
    material: str
    mass: int
    interval: tuple[float, float]


def attack(made: World, *, naive: bool = False) -> tuple[int, int, list[Broken]]:
    """How many sums were published, how many masses were attacked, and which were found."""
    told = published(made, naive=naive)
    targets: defaultdict[tuple[str, int, str], list[Secret]] = defaultdict(list)
    for one in made.masses:
        targets[one.company, one.year, one.material].append(one)
    tried, broken = 0, []
    for knows in (None, *sorted({one.company for one in made.masses})):
        attacker = Attacker(made, told, knows)
        for (company, year, material), secrets in targets.items():
            if company == knows:
                continue
            tried += 1
            mass = sum(made.masses[one] for one in secrets)
            least, most = attacker.interval(secrets)
            if most < mass * (1 + float(policy().near)) * (1 - _SLACK) or least > mass * _SLACK:
                broken.append(Broken(knows or "outsider", company, year, material, mass, (least, most)))
    return len(told), tried, broken


def main() -> int:
    """Attack some worlds and say what came of it; 1 where a mass was found (with --naive: where none was)."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--worlds", type=int, default=3)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--naive", action="store_true")
    told = asked.parse_args()
    found = 0
    for seed in range(told.seed, told.seed + told.worlds):
        made = world(seed)
        shown, tried, broken = attack(made, naive=told.naive)
        found += len(broken)
        print(
            f"seed {seed}: {shown} of {len(made.sums)} sums published, {tried} attacks, {len(broken)} found"
        )
        for one in broken[:2]:
            what = f"{one.company} {one.year} {one.material}"
            print(f"  {one.attacker} finds {what}: {one.mass} is in {one.interval}")
    return int(bool(found) is not told.naive)


if __name__ == "__main__":
    raise SystemExit(main())
