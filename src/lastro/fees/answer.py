"""The fee of a quarter as the contract writes answers: every part, what was seen, and the explanation."""

from __future__ import annotations

from typing import Any

from lastro.errors import LastroError
from lastro.facts import Severity
from lastro.findings import finding_json
from lastro.ids import uf_of
from lastro.lawkit import Regulation, Step, listening
from lastro.lawkit.fees import Assessment, Charged
from lastro.quarters import quarter_end
from lastro.tables import municipality
from lastro.units import Money

PARTS = (
    "federal", "fee", "city_credit", "amount", "fine", "interest", "total", "forged_fine", "restored",
    "state_credit", "federal_offset",
)  # fmt: skip


def assess(regulation: Regulation, charged: Charged) -> tuple[Assessment, Step]:
    """Ask the norm, as it stood on the quarter's last day, for its fee, with the explanation.

    Raises LastroError for an establishment of another state, and whatever the norm raises.
    """
    assert regulation.charges, "the norm charges no fee"
    here = regulation.norm.jurisdiction
    if charged.place and uf_of(charged.place) != here:
        raise LastroError(
            f"municipality: {charged.place} é {municipality(charged.place)}, e a taxa de "
            f"{regulation.norm.short_title} é de quem está em {here}."
        )
    law = regulation.law(quarter_end(charged.year, charged.quarter))
    label = f"Taxa do {charged.quarter}º trimestre de {charged.year}"
    with listening(label, article=regulation.norm.short_title) as step:
        made = regulation.charges(law, charged)
        step.value = made.total
    return made, step


def answer(
    regulation: Regulation, charged: Charged, made: Assessment, *, trace: Step | None = None, lang: str = "pt"
) -> dict[str, Any]:
    """The whole answer; money in reais as decimal texts, null where it cannot be told."""
    return {
        "norm": regulation.norm.path,
        "document": charged.cnpj,
        "year": charged.year,
        "quarter": charged.quarter,
        "size": made.size,
        "due": made.due.isoformat(),
        "paid_on": charged.paid_on.isoformat() if charged.paid_on else None,
        "asked_on": (charged.paid_on or charged.asked_on).isoformat(),
        "days_late": made.days_late,
        **{f"{part}_brl": _text(getattr(made, part)) for part in PARTS},
        "at_least": made.at_least,
        "notes": list(made.notes),
        "findings": [finding_json(seen, lang=lang) for seen in made.findings],
        "trace": trace.json() if trace else None,
    }


def sound(made: Assessment) -> bool:
    """Whether the amounts stand as they are: all told, and nothing that was seen refuses any of them."""
    return made.total is not None and all(one.severity is not Severity.REFUSE for one in made.findings)


def _text(money: Money | None) -> str | None:
    return None if money is None else money.brl_text
