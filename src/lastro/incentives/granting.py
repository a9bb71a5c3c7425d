"""What of a quarter's answer is for everybody, what is for one organisation, and why it gets what it gets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from lastro.lawkit import Regulation, Step
from lastro.lawkit.grants import Quarter
from lastro.units import Mass, Money

FEWEST = 3
"""Of fewer sellers each could reckon from the sum what another sold: then the sum is not published."""

_NOT_PUBLIC = ("organisations", "trace")


def published(answer: Mapping[str, Any], *, granted_on: date) -> dict[str, Any]:
    """The sums of a quarter, as everybody may read them; no organisation is named in them."""
    paid = [one for one in answer["organisations"] if _paid(one)]
    return {
        **{key: answer[key] for key in answer if key not in _NOT_PUBLIC},
        "granted_on": granted_on.isoformat(),
        "organisations_paid": len(paid),
        "sold": _sold(paid),
    }


def _sold(paid: list[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The mass of each material that was paid, and of how many sellers; the mass of few stays unsaid."""
    sellers = {
        name: frozenset(one["cnpj"] for one in paid if name in one["sold_kg"])
        for name in sorted({name for one in paid for name in one["sold_kg"]})
    }
    unsaid = _unsaid(sellers)
    sold = {}
    for name, who in sellers.items():
        whole = sum(Mass.kg(one["sold_kg"][name]).mg for one in paid if one["cnpj"] in who)
        sold[name] = {
            "organisations": len(who),
            "mass_kg": None if name in unsaid else Mass(whole).kg_text,
        }
    return sold


def _unsaid(sellers: Mapping[str, frozenset[str]]) -> set[str]:
    """The materials whose mass is not said: of few sellers, and more until what is left out hides enough.

    The money granted less that of the masses said is that of the masses left out; with too few sellers behind
    these, it would say what was not to be said.
    """
    unsaid = {name for name, who in sellers.items() if len(who) < FEWEST}
    while unsaid and len(frozenset[str]().union(*(sellers[name] for name in unsaid))) < FEWEST:
        left = sorted(set(sellers) - unsaid, key=lambda name: (len(sellers[name]), name))
        if not left:
            break
        unsaid.add(left[0])
    return unsaid


def _paid(one: Mapping[str, Any]) -> bool:
    return one["amount_brl"] is not None and Money.brl(one["amount_brl"]).cents > 0


def each(answer: Mapping[str, Any], *, granted_on: date) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each organisation is told of its own part, by CNPJ."""
    for one in answer["organisations"]:
        yield one["cnpj"], {**one, "granted_on": granted_on.isoformat()}


# ── why ──────────────────────────────────────────────────────────────────────────────────────────────


def own_explanation(regulation: Regulation, trace: Step, quarter: Quarter, *, cnpj: str) -> Step:
    """The explanation of a quarter as one organisation reads it: its own facts, and of others only sums."""
    names = [one.name for one in quarter.organisations]
    numbers = [one.cnpj for one in quarter.organisations]
    least = regulation.rules["least_to_members"].label
    kept, seen, counted = [], 0, 0
    for step in trace.children:
        if seen < len(names) and step.label == names[seen]:
            mine, seen = numbers[seen] == cnpj, seen + 1
        elif step.label == least:
            mine, counted = numbers[counted] == cnpj, counted + 1
        else:
            mine = True
        if mine:
            kept.append(_own(step, frozenset(numbers), cnpj))
    return replace(trace, children=kept)


def _own(step: Step, numbers: frozenset[str], cnpj: str) -> Step:
    """A step in which what stands by organisation is the own part, beside the sum of all."""
    value, children = step.value, []
    for child in step.children:
        if _by_organisation(child.value, numbers):
            assert isinstance(child.value, Mapping)
            whole: Any = sum(child.value.values(), Fraction(0))
            children += [
                replace(child, label=f"{child.label} da organização", value=child.value.get(cnpj)),
                replace(child, label=f"{child.label} de todas", value=whole),
            ]
        else:
            children.append(_own(child, numbers, cnpj))
    if _by_organisation(value, numbers):
        assert isinstance(value, Mapping)
        value = value.get(cnpj)
    return replace(step, value=value, children=children)


def _by_organisation(value: object, numbers: frozenset[str]) -> bool:
    return isinstance(value, Mapping) and bool(value) and set(value) <= numbers
