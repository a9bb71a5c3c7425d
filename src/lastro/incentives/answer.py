"""The incentive of a quarter as the contract writes answers: amounts, findings, explanation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lastro.facts import Severity
from lastro.findings import finding_json
from lastro.lawkit import Regulation, Step, listening
from lastro.lawkit.glossary import capital
from lastro.lawkit.grants import Granted, Quarter, QuarterGranted
from lastro.quarters import quarter_end
from lastro.units import decimal_text

KIND = "incentivo por serviços ambientais"
"""What is paid is neither a salary nor a purchase."""


def granted(regulation: Regulation, quarter: Quarter) -> tuple[QuarterGranted, Step]:
    """Ask the norm, as it stood on the quarter's last day, for its incentive and the explanation."""
    assert regulation.pays, "the norm pays no incentive"
    law = regulation.law(quarter_end(quarter.year, quarter.number))
    label = f"{capital(KIND)}, {quarter.number}º trimestre de {quarter.year}"
    with listening(label, article=regulation.norm.short_title) as step:
        made = regulation.pays(law, quarter)
        step.value = made.available - made.left
    return made, step


def sound(made: QuarterGranted) -> bool:
    """Whether the quarter is granted to all who ask on all they show: nothing stands against any."""
    seen = (found for one in made.granted for found in one.findings)
    return not made.blocked and all(one.severity is not Severity.REFUSE for one in seen)


def answer(
    regulation: Regulation,
    quarter: Quarter,
    made: QuarterGranted,
    *,
    trace: Step | None = None,
    lang: str = "pt",
) -> dict[str, Any]:
    """The whole answer; masses in kilograms and money in reais as decimal texts, exact."""
    names = {one.cnpj: one.name for one in quarter.organisations}
    return {
        "norm": regulation.norm.path,
        "kind": KIND,
        "year": quarter.year,
        "quarter": quarter.number,
        "proofs_due": made.due.isoformat(),
        "minimum_brl": made.minimum.brl_text,
        "available_brl": made.available.brl_text,
        "granted_brl": None if made.blocked else (made.available - made.left).brl_text,
        "left_brl": None if made.blocked else made.left.brl_text,
        "blocked": list(made.blocked),
        "unit_values_brl_per_t": _plain(made.unit_values) if not made.blocked else {},
        "organisations": [_one(one, names[one.cnpj], lang) for one in made.granted],
        "trace": trace.json() if trace else None,
    }


def _one(one: Granted, name: str, lang: str) -> dict[str, Any]:
    return {
        "cnpj": one.cnpj,
        "name": name,
        "sold_kg": {material: mass.kg_text for material, mass in sorted(one.sold.items())},
        "points": None if one.points is None else decimal_text(one.points),
        "amount_brl": None if one.amount is None else one.amount.brl_text,
        "least_to_members_brl": None if one.least_to_members is None else one.least_to_members.brl_text,
        "findings": [finding_json(seen, lang=lang) for seen in one.findings],
    }


def _plain(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: decimal_text(value) for name, value in sorted(values.items())}
