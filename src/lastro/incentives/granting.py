"""What of a quarter's answer is for everybody, what is for one organisation, and why it gets what it gets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from lastro.disclosure import Atom, publishable
from lastro.lawkit import Regulation, Step
from lastro.lawkit.grants import Quarter
from lastro.units import Mass, Money, exact

_NOT_PUBLIC = ("organisations", "trace")


def published(answer: Mapping[str, Any], *, granted_on: date) -> dict[str, Any]:
    """The sums of a quarter, as everybody may read them; no organisation is named in them."""
    paid = [one for one in answer["organisations"] if _paid(one)]
    return {
        **{key: answer[key] for key in answer if key not in _NOT_PUBLIC},
        "granted_on": granted_on.isoformat(),
        "organisations_paid": len(paid),
        "sold": _sold(paid, answer.get("unit_values_brl_per_t") or {}),
    }


def _sold(paid: list[Mapping[str, Any]], values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The mass of each material that was paid, and of how many sellers; the mass of few stays unsaid.

    The money granted is said too: so the whole stands first, in money, and a material is said only where what
    is left of the money gives nobody away (lastro.disclosure).
    """
    of: dict[str, dict[str, int]] = {name: {} for name in sorted({n for one in paid for n in one["sold_kg"]})}
    for one in paid:
        for name, mass in one["sold_kg"].items():
            of[name][one["cnpj"]] = of[name].get(one["cnpj"], 0) + Mass.kg(mass).mg
    atoms = {
        (name, cnpj): Atom(cnpj, mg * _value(values, name))
        for name, sold in of.items()
        for cnpj, mg in sold.items()
    }
    sums = {name: [(name, cnpj) for cnpj in of[name]] for name in sorted(of, key=lambda n: (-len(of[n]), n))}
    said = publishable({"": list(atoms), **sums}, atoms)
    return {
        name: {
            "organisations": len(sold),
            "mass_kg": Mass(sum(sold.values())).kg_text if name in said else None,
        }
        for name, sold in of.items()
    }


def _value(values: Mapping[str, Any], name: str) -> Fraction:
    """What a tonne of a material brought, R$, as published (cut after some decimals, "…"); 1 where unsaid."""
    found = values.get(name) or values.get(name.partition("/")[0])
    return exact(str(found).rstrip("…")) if found else Fraction(1)


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
