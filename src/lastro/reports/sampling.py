"""Which notes a verifier checks by hand: drawn so that anybody can draw them again, and what the errors tell.

Comes in: the lots of an entity's year and a seed. Goes out: a plan, in strata; later, with what was found,
the errors projected on what was not looked at, as exact fractions. The method: docs/algorithms/sampling.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from lastro.ids import Material
from lastro.reports.cells import digest_of
from lastro.units import ZERO, Mass, total

CERTAIN = "certain"
"""The stratum of heavy items: each is checked, none is drawn."""

_SIZES = (
    (8, 2), (15, 3), (25, 5), (50, 8), (90, 13), (150, 20), (280, 32), (500, 50), (1_200, 80), (3_200, 125),
    (10_000, 200), (35_000, 315), (150_000, 500), (500_000, 800),
)  # fmt: skip
_MOST = 1_250
"""How many items to look at of so many: ISO 2859-1, general inspection level II, single sampling."""

Item = tuple[str, int]
"""Access key and line."""


@dataclass(frozen=True)
class Unit:
    """One lot that may be drawn: a line of a note, whose seller's, of what and how much stands in it."""

    access_key: str
    line: int
    operator: str
    material: Material
    mass: Mass

    @property
    def item(self) -> Item:
        return self.access_key, self.line

    @property
    def group(self) -> str:
        """The stratum of what is drawn: the operator and the material."""
        return f"{self.operator}/{self.material.value}"


@dataclass(frozen=True)
class Stratum:
    """One part of what may be drawn, how much of it there is, and how many items of it are looked at."""

    name: str
    units: int
    mass: Mass
    size: int


@dataclass(frozen=True)
class Drawn:
    """One item to look at, and of which stratum it is."""

    unit: Unit
    stratum: str


@dataclass(frozen=True)
class Plan:
    """What is looked at, and everything that anybody needs to draw it again.

    `frame` is a digest of the lots that could be drawn: a plan over others is another plan.
    """

    seed: str
    threshold: Mass
    frame: str
    strata: tuple[Stratum, ...]
    drawn: tuple[Drawn, ...]

    @property
    def units(self) -> int:
        return sum(one.units for one in self.strata)

    @property
    def mass(self) -> Mass:
        return total(one.mass for one in self.strata)


@dataclass(frozen=True)
class Checked:
    """What a person found of an item: the mass that is proved (0: none of it), and why."""

    right: Mass
    reason: str
    by: str
    on: str


@dataclass(frozen=True)
class Projected:
    """What the errors of a stratum tell of the whole stratum; None where nothing of it was looked at yet.

    `over` is what the items looked at have too much. `projected_mg` is exact.
    """

    stratum: Stratum
    checked: int
    checked_mass: Mass
    over: Mass
    projected_mg: Fraction | None


@dataclass(frozen=True)
class Result:
    """What was found so far, by stratum, and what it tells of the year."""

    rows: tuple[Projected, ...]
    size: int
    wrong: int

    @property
    def checked(self) -> int:
        return sum(row.checked for row in self.rows)

    @property
    def complete(self) -> bool:
        """Whether every item of the plan was looked at."""
        return self.checked == self.size

    @property
    def over(self) -> Mass:
        return total(row.over for row in self.rows)

    @property
    def projected_mg(self) -> Fraction | None:
        """Milligrams too much in the whole year, as far as the items tell; None until all were looked at."""
        known = [row.projected_mg for row in self.rows if row.projected_mg is not None]
        return sum(known, Fraction(0)) if self.complete else None

    @property
    def rate(self) -> Fraction | None:
        """The part of the year's mass that this is."""
        whole = sum(row.stratum.mass.mg for row in self.rows)
        projected = self.projected_mg
        return projected / whole if projected is not None and whole else None


def size_for(units: int) -> int:
    """How many of so many items to look at; no more than there are (ISO 2859-1, table 1, level II)."""
    return min(units, next((size for most, size in _SIZES if units <= most), _MOST))


def frame_of(units: Iterable[Unit]) -> str:
    """A digest of what may be drawn: each lot and its mass, in order."""
    return digest_of(sorted(f"{one.access_key}/{one.line}/{one.mass.mg}" for one in units))


def threshold_for(units: Sequence[Unit]) -> Mass:
    """The mass from which an item is looked at in any case: the year's mass over the size, rounded up.

    Source: NBC TA 530, appendix on stratification: an item as heavy as the interval is never left to chance.
    """
    whole = sum(one.mass.mg for one in units)
    size = size_for(len(units))
    return Mass(-(-whole // size)) if size else ZERO


def draw(units: Iterable[Unit], *, seed: str, threshold: Mass | None = None) -> Plan:
    """Draw the items to look at: a function of the lots, the seed and the threshold, and of nothing else."""
    every = sorted((one for one in units if one.mass.mg > 0), key=lambda one: one.item)
    least = threshold_for(every) if threshold is None else threshold
    heavy = [one for one in every if one.mass >= least]
    groups: defaultdict[str, list[Unit]] = defaultdict(list)
    for one in every:
        if one.mass < least:
            groups[one.group].append(one)
    sizes = _shared(groups)
    strata = [Stratum(CERTAIN, len(heavy), total(one.mass for one in heavy), len(heavy))] if heavy else []
    drawn = [Drawn(one, CERTAIN) for one in heavy]
    for name in sorted(groups):
        group = groups[name]
        strata.append(Stratum(name, len(group), total(one.mass for one in group), sizes[name]))
        ranked = sorted(group, key=lambda one: rank(one.item, seed=seed))
        drawn += [Drawn(one, name) for one in sorted(ranked[: sizes[name]], key=lambda one: one.item)]
    return Plan(seed, least, frame_of(every), tuple(strata), tuple(drawn))


def rank(item: Item, *, seed: str) -> str:
    """The place of an item in the draw: SHA-256 of seed, key and line, so that any tool draws the same."""
    return sha256(f"{seed}/{item[0]}/{item[1]}".encode()).hexdigest()


def _shared(groups: Mapping[str, Sequence[Unit]]) -> dict[str, int]:
    """How many of each group: one at least, the rest by mass (largest remainder), never more than there are.

    Where there are more groups than items to look at, each still has one: no operator is left out.
    """
    sizes = dict.fromkeys(sorted(groups), 1)
    left = size_for(sum(map(len, groups.values()))) - len(sizes)
    while left > 0:
        masses = {name: _mass(groups[name]) for name in sizes if sizes[name] < len(groups[name])}
        whole = sum(masses.values())
        shares = {name: Fraction(left * mass, whole) for name, mass in masses.items()}
        given = {name: min(int(share), len(groups[name]) - sizes[name]) for name, share in shares.items()}
        if not any(given.values()):
            order = sorted(shares, key=lambda name: (-shares[name], name))
            given = dict.fromkeys(order[:left], 1)
        for name, more in given.items():
            sizes[name] += more
            left -= more
    return sizes


def _mass(group: Iterable[Unit]) -> int:
    return sum(one.mass.mg for one in group)


def evaluate(plan: Plan, checks: Mapping[Item, Checked]) -> Result:
    """Project what was found wrong on what was not looked at, stratum by stratum.

    Too little is written down and not set against too much: what is short in one note proves nothing of
    another. Source: NBC TA 530, item 14 (the auditor projects the misstatements found in the sample).
    """
    rows, wrong = [], 0
    for stratum in plan.strata:
        seen = [
            (one.unit.mass, checks[one.unit.item].right)
            for one in plan.drawn
            if one.stratum == stratum.name and one.unit.item in checks
        ]
        over = sum(max(0, stated.mg - right.mg) for stated, right in seen)
        looked_at = sum(stated.mg for stated, _ in seen)
        wrong += sum(stated != right for stated, right in seen)
        projected = Fraction(over * stratum.mass.mg, looked_at) if looked_at else None
        rows.append(Projected(stratum, len(seen), Mass(looked_at), Mass(over), projected))
    return Result(tuple(rows), len(plan.drawn), wrong)


# ── as it is kept ────────────────────────────────────────────────────────────────────────────────────


def to_json(plan: Plan) -> dict[str, object]:
    """The plan as it is filed: what was drawn, from what, by which seed."""
    return {
        "seed": plan.seed,
        "threshold_mg": plan.threshold.mg,
        "frame": plan.frame,
        "strata": [[one.name, one.units, one.mass.mg, one.size] for one in plan.strata],
        "drawn": [
            [
                *(one.unit.access_key, one.unit.line, one.unit.operator, one.unit.material.value),
                *(one.unit.mass.mg, one.stratum),
            ]
            for one in plan.drawn
        ],
    }


def from_json(body: Mapping[str, object]) -> Plan:
    """The plan that `to_json` wrote."""
    strata, drawn, threshold = body["strata"], body["drawn"], body["threshold_mg"]
    assert isinstance(strata, list)
    assert isinstance(drawn, list)
    assert isinstance(threshold, int)
    return Plan(
        str(body["seed"]),
        Mass(threshold),
        str(body["frame"]),
        tuple(Stratum(name, units, Mass(mg), size) for name, units, mg, size in strata),
        tuple(
            Drawn(Unit(key, line, operator, Material(material), Mass(mg)), stratum)
            for key, line, operator, material, mg, stratum in drawn
        ),
    )


@dataclass(frozen=True)
class Sampled:
    """A plan as it stands, what was found, and how many plans were drawn for the year."""

    plan: Plan
    checks: Mapping[Item, Checked]
    version: int
    reason: str = ""

    @property
    def result(self) -> Result:
        return evaluate(self.plan, self.checks)


@dataclass(frozen=True)
class ByHand:
    """What a verifier's people looked at, and why its statement may go out without the rest, if they said so.

    No norm sets how many items are looked at; what was not is said in the statement, with somebody's reason.
    """

    sampled: Sampled | None = None
    reason: str = ""

    @property
    def left(self) -> int:
        """How many items of the plan nobody looked at yet."""
        return self.sampled.result.size - self.sampled.result.checked if self.sampled else 0

    @property
    def whole(self) -> bool:
        """Whether there is a plan and every item of it was looked at."""
        return self.sampled is not None and not self.left

    @property
    def unsaid(self) -> str:
        """What was not looked at and nobody gave a reason for; empty where nothing is."""
        if self.whole or self.reason:
            return ""
        if self.sampled is None:
            return "nenhum plano de amostragem foi sorteado, e nenhum item foi conferido à mão"
        return f"{self.left} de {self.sampled.result.size} itens do plano não foram conferidos à mão"


NOTHING = ByHand()
"""Nothing was looked at by hand, and nobody said why."""
