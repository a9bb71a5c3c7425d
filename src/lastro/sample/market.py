"""What the companies placed on the market in 2025, and what they plan to retire for 2026.

The declarations are made backwards from the mass that the entities hold, so that under the illustrative
targets some companies meet theirs to the kilogram, some exceed and some fall short.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from lastro.sample.people import Cast, Party

# Illustrative (decision 23); no official table says so.
TARGETS = {
    "glass": Fraction(20, 100),
    "paper": Fraction(24, 100),
    "plastic": Fraction(22, 100),
    "metals": Fraction(28, 100),
}
_KINDS = {"glass": ("glass",), "paper": ("paper",), "plastic": ("plastic",), "metals": ("steel", "aluminium")}
OUTCOMES = ("meets", "short", "exceeds", "partly")
_POOL_SHARE = Fraction(70, 100)


@dataclass(frozen=True)
class Placed:
    """Kilograms of one packaging material that an establishment placed on one state's market in one year."""

    establishment: str
    year: int
    material: str
    uf: str
    kg: int
    returnable_kg: int = 0


@dataclass(frozen=True)
class Retirement:
    """A retirement that the demonstration makes."""

    entity: str
    establishment: str
    material: str
    kg: int
    year: int = 2026


@dataclass(frozen=True)
class Plan:
    """One company's year."""

    company: tuple[Party, ...]
    entity: Party
    outcome: str
    placed: tuple[Placed, ...]
    retirements: tuple[Retirement, ...]


def _outcome_of(outcome: str, group: str, owed: int) -> int:
    if outcome == "meets":
        return owed
    if outcome == "exceeds":
        return owed * 115 // 100
    if outcome == "short":
        return owed * 3 // 4
    return {"glass": 0, "paper": owed, "plastic": owed, "metals": owed - 1}[group]


def _split(total: int, parts: int) -> list[int]:
    """Whole kilograms, the first part taking what does not divide."""
    each = total // parts
    return [total - each * (parts - 1)] + [each] * (parts - 1)


def _metal_parts(total: int, pool: Mapping[str, int], kinds: tuple[str, ...]) -> dict[str, int]:
    """The total over the kinds of a group, as the pool has them."""
    whole = sum(pool[kind] for kind in kinds)
    parts = {kind: total * pool[kind] // whole for kind in kinds}
    parts[kinds[0]] += total - sum(parts.values())
    return parts


def _company_plan(
    number: int, company: tuple[Party, ...], entity: Party, pool: Mapping[str, int], many: int
) -> Plan:
    outcome = OUTCOMES[number % 4]
    placed: list[Placed] = []
    retired: list[Retirement] = []
    for group, share in TARGETS.items():
        kinds = _KINDS[group]
        if any(pool.get(kind, 0) == 0 for kind in kinds):
            continue
        budget = int(sum(pool[kind] for kind in kinds) * _POOL_SHARE) // many
        weight = (80, 100, 60, 90, 70)[number % 5]
        step = share.numerator
        owed = budget * weight // 115 // step * step
        if not owed:
            continue
        total = int(owed / share)
        for kind, kg in _metal_parts(total, pool, kinds).items():
            for establishment, part in zip(company, _split(kg, len(company)), strict=True):
                placed.append(Placed(establishment.cnpj, 2025, kind, "MT", part))
        for kind, kg in _metal_parts(_outcome_of(outcome, group, owed), pool, kinds).items():
            for establishment, part in zip(company, _split(kg, len(company)), strict=True):
                if part:
                    retired.append(Retirement(entity.cnpj, establishment.cnpj, kind, part))
    return Plan(company, entity, outcome, tuple(_extras(number, placed)), tuple(retired))


def _extras(number: int, placed: list[Placed]) -> list[Placed]:
    """Rows that must not move the target (another state, another year), and returnables, which lower it."""
    if number == 6:  # exceeds in any case
        placed = [
            Placed(
                p.establishment,
                p.year,
                p.material,
                p.uf,
                p.kg,
                p.kg * 3 // 10 if p.material == "glass" else 0,
            )
            for p in placed
        ]
    if number == 5:
        placed = placed + [Placed(p.establishment, 2025, p.material, "GO", p.kg // 2) for p in placed]
    if number == 3:
        placed = placed + [Placed(p.establishment, 2024, p.material, "MT", p.kg * 9 // 10) for p in placed]
    return placed


def make_plans(cast: Cast, pools: Mapping[str, Mapping[str, int]]) -> tuple[Plan, ...]:
    """Every company's declaration and retirements; `pools` is whole kilograms by entity and material."""
    count = len(cast.entities)
    plans = []
    for number, group in enumerate(cast.companies):
        entity = cast.entities[number % count]
        many = len(cast.companies[number % count :: count])
        plans.append(_company_plan(number, tuple(group), entity, pools.get(entity.cnpj, {}), many))
    return tuple(plans)
