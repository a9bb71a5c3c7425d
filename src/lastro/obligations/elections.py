"""The best choice among those a norm allows: whether any meets every target, and which falls least short.

The space is small and finite but for the mass that may be split: a switch of each region that may, to each
other region, is tried; for each, the mass to be moved fills what is left over first, which no other split
betters. So the answer is exact: none of the choices tried falls less short, and no choice was left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from lastro.errors import InputMissing, TextMissing
from lastro.facts import CompanyFacts, TargetRow
from lastro.lawkit import Law, Regulation
from lastro.lawkit.elections import Choice, Judged, Options, Regional
from lastro.lawkit.trace import silence
from lastro.units import ExactMass


@dataclass(frozen=True)
class Proposal:
    """The best choice, as the norm itself judges it. `shortfall` is what regions lack together."""

    choice: Choice
    judged: Judged
    shortfall: ExactMass
    tried: int


def propose(regulation: Regulation, law: Law, case: Regional) -> Proposal:
    """The choice with the least shortfall over all regions, then the fewest switches, then by name.

    The norm judges the choice that is found: what the search says is never taken on trust.
    """
    elects = regulation.elects
    assert elects, "the norm has nothing to choose"
    with silence():
        options = elects.options(law, case)
    best: tuple[Fraction, int, tuple[tuple[str, str], ...]] | None = None
    found = Choice()
    tried = 0
    for switched in _switches(options, case):
        tried += 1
        short, choice = _filled(options, case, dict(switched))
        mark = (short, len(switched), switched)
        if best is None or mark < best:
            best, found = mark, choice
    assert best is not None, "not to switch is always a choice"
    judged = elects.judge(law, case, found)
    assert not judged.refused, f"the search made a choice that is refused: {judged.refused}"
    return Proposal(found, judged, ExactMass(best[0]), tried)


def _switches(options: Options, case: Regional) -> Iterator[tuple[tuple[str, str], ...]]:
    """Every way to switch: none, or for each region that may, one other region that receives its difference.

    Without the whole's target nobody may switch.
    """
    whole = sum((one.mg for one in case.achieved.values()), Fraction(0))
    regions = sorted(options.may_switch) if whole >= options.national.mg else []
    receivers = sorted(options.own)
    ways = [[None, *(to for to in receivers if to != region)] for region in regions]
    for picked in itertools.product(*ways):
        yield tuple((r, to) for r, to in zip(regions, picked, strict=True) if to is not None)


def _filled(options: Options, case: Regional, switched: Mapping[str, str]) -> tuple[Fraction, Choice]:
    """The shortfall of a way to switch, with the moved mass put where something is left over first."""
    target = {region: mass.mg for region, mass in options.own.items()}
    for region, to in switched.items():
        target[region] -= options.may_switch[region].mg
        target[to] += options.may_switch[region].mg
    spare = {r: _achieved(case, r) - mass for r, mass in target.items()}
    short = sum((-one for one in spare.values() if one < 0), Fraction(0))
    moved: dict[str, ExactMass] = {}
    left = options.to_move.mg
    for region in sorted(spare):
        take = min(left, max(Fraction(0), spare[region]))
        if take:
            moved[region] = ExactMass(take)
            left -= take
    if left and spare:
        first = min(spare)
        moved[first] = ExactMass(left + (moved[first].mg if first in moved else 0))
    return short + left, Choice(moved, switched)


def _achieved(case: Regional, region: str) -> Fraction:
    return case.achieved[region].mg if region in case.achieved else Fraction(0)


@dataclass(frozen=True)
class Answer:
    """What is proposed to one company for one group, or why nothing can be."""

    cnpj: str
    group: str
    proposal: Proposal | None
    message: str = ""

    def json(self) -> dict[str, Any]:
        """The answer for a program: masses in kilograms, as decimal texts."""
        if self.proposal is None:
            return {"company": self.cnpj, "group": self.group, "met": None, "message": self.message}
        found = self.proposal
        return {
            "company": self.cnpj,
            "group": self.group,
            "met": found.judged.all_met,
            "national_met": found.judged.national_met,
            "shortfall_kg": str(found.shortfall),
            "moved": {region: str(mass) for region, mass in sorted(found.choice.moved.items())},
            "switched": dict(sorted(found.choice.switched.items())),
            "targets": {region: str(mass) for region, mass in sorted(found.judged.targets.items())},
            "regions_met": dict(sorted(found.judged.met.items())),
            "tried": found.tried,
        }


def proposals(
    regulation: Regulation, companies: Iterable[CompanyFacts], *, year: int, targets: Sequence[TargetRow]
) -> tuple[Answer, ...]:
    """A proposal for every group in which a company placed anything, or why there is none."""
    elects = regulation.elects
    assert elects, "the norm has nothing to choose"
    law = regulation.law(date(year, 12, 31), targets=targets)
    answers = []
    for company in companies:
        groups = {regulation.group(p.material) for p in company.placed} - {None}
        for group in (g for g in regulation.groups if g in groups):
            try:
                case = elects.regional(law, company, year=year, group=group)
            except (TextMissing, InputMissing) as wrong:
                answers.append(Answer(company.cnpj, group, None, str(wrong)))
            else:
                answers.append(Answer(company.cnpj, group, propose(regulation, law, case)))
    return tuple(answers)
