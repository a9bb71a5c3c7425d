"""Metal packaging (draft): whole companies, with every choice they declare, against the second opinion."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from random import Random
from typing import Any

from lastro.facts import CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material
from lastro.lawkit import library
from lastro.units import Mass
from tests.oracle import me
from tests.oracle.draws import percent, rounds

NORM = library.find("br/minuta_metal_2022")
GROUP = {"aluminium": ("aluminium", Material.ALUMINIUM), "steel": ("steel_other", Material.STEEL)}
STATE = {"N": ("PA", "AM"), "NE": ("BA", "CE"), "CO": ("MT", "GO"), "SE": ("SP", "MG"), "S": ("PR", "RS")}
UNIT = 120_000  # milligrams: a hundredth of a point of it, a twelfth of that, is a whole milligram


def kg(mass: Fraction) -> str:
    assert mass.denominator == 1
    return f"{int(mass) // 10**6}.{int(mass) % 10**6:06d}"


@dataclass
class Drawn:
    """One company and metal in 2026: its facts as the product reads them and for the second opinion."""

    metal: str
    annual: dict[str, Fraction]
    content: Fraction
    start: date | None
    surplus: list[tuple[int, int]]
    declared: tuple[int, int] | None
    placed: dict[str, int] = field(default_factory=dict)
    returnable: dict[str, int] = field(default_factory=dict)
    recovered: dict[str, int] = field(default_factory=dict)
    moves: dict[str, Fraction] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)

    @property
    def index(self) -> dict[str, Fraction]:
        return {
            name: rate if self.start is None else me.first_year(rate, self.start) or Fraction(0)
            for name, rate in self.annual.items()
        }

    @property
    def national(self) -> Fraction:
        rate = sum(self.annual.values(), Fraction(0))
        if self.start is None:
            return rate
        return me.first_year(rate, self.start, me.CAPS[self.metal][0]) or Fraction(0)

    @property
    def brought(self) -> Fraction:
        return sum((Fraction(mass) for year, mass in self.surplus if year == 2025), Fraction(0))

    @property
    def base(self) -> dict[str, int]:
        return {name: me.base(mass, self.returnable.get(name, 0)) for name, mass in self.placed.items()}

    @property
    def mine(self) -> me.Company:
        return me.Company(self.base, self.recovered, self.moves, self.options)

    def content_met(self) -> bool | None:
        """Art. 52: None where it was not told, or there is nothing to take it of."""
        index = None if self.declared is None else me.content(*self.declared)
        if index is None:
            return None
        cap = me.CAPS[self.metal][1]
        wanted = self.content if self.start is None else me.first_year(self.content, self.start, cap)
        return index >= (wanted or 0)

    def facts(self, rng: Random) -> tuple[CompanyFacts, list[TargetRow]]:
        group, material = GROUP[self.metal]
        elections: list[dict[str, Any]] = [
            {"option": "art51_III", "material": group, "to": to, "mass_kg": kg(mass)}
            for to, mass in self.moves.items()
        ]
        elections += [
            {"option": "art51_IV", "material": group, "from": one, "to": to}
            for one, to in self.options.items()
        ]
        elections += [
            {"option": "surplus", "material": group, "year": year, "mass_kg": kg(Fraction(mass))}
            for year, mass in self.surplus
        ]
        if self.start is not None:
            elections.append({"option": "first_year", "phase2_start": self.start.isoformat()})
        if self.declared is not None:
            part, whole = (kg(Fraction(one)) for one in self.declared)
            elections.append(
                {"option": "content", "material": self.metal, "recycled_kg": part, "total_kg": whole}
            )
        placed = tuple(
            Placement(2025, material, rng.choice(STATE[name]), Mass(mass), Mass(self.returnable.get(name, 0)))
            for name, mass in self.placed.items()
        )
        retired = tuple(
            Retired(2026, material, rng.choice(STATE[name]), "", None, Mass(mass))
            for name, mass in self.recovered.items()
        )
        rows = {
            **{(name, group): rate for name, rate in self.annual.items()},
            ("conteudo", self.metal): self.content,
        }
        rows["nacional", group] = sum(self.annual.values(), Fraction(0))
        table = [
            TargetRow(
                sector, one, 2026, f"{int(rate * 10_000) // 100}.{int(rate * 10_000) % 100:02d}%", "teste"
            )
            for (sector, one), rate in rows.items()
        ]
        return CompanyFacts("", "", "collective", placed, retired, tuple(elections)), table


def drawn(rng: Random) -> Drawn:
    whole = rng.choice((0, rng.randrange(1, 1_000))) * 1_000
    one = Drawn(
        metal=rng.choice(tuple(GROUP)),
        annual={name: percent(rng, 20) for name in me.REGIONS},
        content=percent(rng),
        start=date(2026, rng.randint(1, 12), rng.choice((1, 2, 16))) if rng.random() < 0.4 else None,
        surplus=[
            (rng.choice((2024, 2025)), rng.randrange(50) * UNIT) for _ in range(rng.choice((0, 0, 1, 2)))
        ],
        declared=(rng.randint(0, whole), whole) if rng.random() < 0.8 else None,
    )
    for name in me.REGIONS:
        if rng.random() < 0.85:
            one.placed[name] = rng.choice((0, rng.randrange(1, 200), rng.randrange(1, 200))) * UNIT
            one.returnable[name] = rng.choice(
                (0, 0, 0, one.placed[name], one.placed[name] // UNIT // 2 * UNIT)
            )
    sold = [name for name, mass in one.base.items() if mass]
    total = sum(one.base.values())
    left = sum((one.index[name] * total for name in me.REGIONS if name not in sold), Fraction(0))
    if sold and left:
        cut = Fraction(int(left * rng.randint(0, 4) / 4))
        one.moves[rng.choice(sold)] = cut
        other = rng.choice(sold)
        one.moves[other] = one.moves.get(other, Fraction(0)) + left - cut
        if rng.random() < 0.05:
            one.moves[other] += 1
    for name in sold:
        if rng.random() < (0.5 if me.may_opt(one.index[name], one.national, total, one.base[name]) else 0.02):
            one.options[name] = rng.choice(sold)
    try:
        wanted = me.regional_targets(one.mine, one.index, one.national)
    except me.Refused:
        wanted = {name: one.index[name] * total for name in me.REGIONS}
    for name, mass in wanted.items():
        one.recovered[name] = max(0, -int(-mass // 1) + rng.choice((0, 0, 0, 0, 0, 0, -1, 1, UNIT)))
    return one


def test_a_company_through_the_offices() -> None:
    seen: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    assert NORM.obliges is not None
    assert NORM.settles is not None
    for seed, rng in rounds("me company"):
        one = drawn(rng)
        if not one.placed:
            continue
        company, rows = one.facts(rng)
        law, group = NORM.law(date(2026, 12, 31), targets=rows), GROUP[one.metal][0]
        owed = NORM.obliges(law, company, year=2026, group=group)
        total = sum(one.base.values())
        assert owed.base.mg == total, seed
        answer = NORM.settles(law, company, year=2026, group=group, owed={group: owed})
        assert answer.achieved.mg == sum(one.recovered.values()), seed
        none_left = one.start is not None and me.full_months(one.start) == 0
        if not total or none_left:  # no target: nothing is owed, and with mass placed nothing is "met" either
            assert (owed.target, owed.mass.mg) == (None, 0), seed
            assert answer.met is (None if total else True), seed
            continue
        assert owed.mass.mg == max(one.national * total - one.brought, 0), seed
        try:
            recycling = me.judge(one.mine, one.index, one.national, brought=one.brought).met
        except me.Refused:
            recycling = False  # a choice that the text does not allow proves nothing
        content = one.content_met()
        wanted = False if not recycling else content
        assert answer.met == wanted, seed
        seen[answer.met] += 1
    assert all(seen.values()), seen
