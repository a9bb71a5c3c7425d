"""The elections of art. 51, § 2º, III and IV: what may be chosen, and how a choice is judged."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from lastro.lawkit import Law
from lastro.lawkit.elections import Choice, Judged, Options, Regional
from lastro.units import ExactMass

from . import targets

NOTHING = ExactMass(Fraction(0))


def options(law: Law, case: Regional) -> Options:
    """Targets by item I, what regions without sales must hand on, and who may use the whole's index."""
    placed = _sum(case.placed)
    item_one = {r: targets.target_mass(law, index=i, placed=placed) for r, i in case.index.items()}
    sold = {r: m for r, m in case.placed.items() if m > NOTHING}
    to_move = _sum(
        {r: targets.moved_from(law, target=t, placed_there=sold.get(r, NOTHING)) for r, t in item_one.items()}
    )
    may_switch = {
        r: targets.moved_by_option(law, target=item_one[r], placed_there=m, national=case.national)
        for r, m in sold.items()
        if targets.may_use_national(law, target=item_one[r], placed_there=m, national=case.national)
    }
    own = {r: item_one[r] for r in case.index if r in sold}
    whole = targets.target_mass(law, index=case.national, placed=placed)
    return Options(own, to_move, may_switch, max(NOTHING, whole - case.deducted))


def judge(law: Law, case: Regional, choice: Choice) -> Judged:
    """Apply a choice and compare every region and the whole; a choice that breaks a rule is refused."""
    there = options(law, case)
    refused = _refused(there, choice)
    national = targets.national_met(law, target=there.national, achieved=_sum(case.achieved))
    if choice.switched and not national:
        refused.append("a opção do inciso IV pede a meta nacional cumprida (art. 51, § 2º, IV, b)")
    final = dict(there.own)
    for region, mass in choice.moved.items():
        final[region] = final.get(region, NOTHING) + mass
    for region, to in choice.switched.items():
        difference = there.may_switch.get(region, NOTHING)
        final[region] = final.get(region, NOTHING) - difference
        final[to] = final.get(to, NOTHING) + difference
    met = {
        r: targets.region_met(law, target=t, achieved=case.achieved.get(r, NOTHING)) for r, t in final.items()
    }
    every = targets.recycling_met(law, national=national, regions=tuple(met.values()))
    return Judged(final, met, national, every and not refused, tuple(refused))


def _refused(there: Options, choice: Choice) -> list[str]:
    why = []
    if _sum(choice.moved) != there.to_move:
        why.append(f"somam-se {there.to_move} às outras regiões, sem reduzir (art. 51, § 2º, III)")
    if any(mass < NOTHING for mass in choice.moved.values()):
        why.append("a massa que passa a uma região não é negativa (art. 51, § 2º, III)")
    for region in choice.moved:
        if region not in there.own:
            why.append(f"{region}: a empresa não coloca massa na região (art. 51, § 2º, III)")
    for region, to in choice.switched.items():
        if region not in there.may_switch:
            why.append(f"{region}: a meta não passa do índice nacional na região (art. 51, § 2º, IV)")
        if to == region or to not in there.own:
            why.append(f"{to}: a diferença vai a outra região, em que há vendas (art. 51, § 2º, IV, a)")
    return why


def _sum(masses: Mapping[str, ExactMass]) -> ExactMass:
    return ExactMass(sum((one.mg for one in masses.values()), Fraction(0)))
