"""From the register to a paper to pay: the facts of a quarter, and what is collected by a day.

The facts made here are those that `parse` reads, so whoever reckons from a file reckons the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from lastro.errors import LastroError
from lastro.fees.answer import assess
from lastro.fees.fee_file import parse
from lastro.lawkit import Regulation
from lastro.units import Money

_COLLECTED = ("amount", "fine", "interest")


def facts_of(entry: Mapping[str, Any], *, year: int, quarter: int, more: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a quarter: what the register says of the establishment, and what is added for the time."""
    activities = [
        {key: row[key] for key in ("code", "began", "ended") if row.get(key)} for row in entry["activities"]
    ]
    said = {
        "document": entry["document"],
        "municipality": entry["municipality"],
        "year": year,
        "quarter": quarter,
        "person": entry["person"],
        "activities": activities,
    }
    return {**said, **{key: value for key, value in more.items() if key not in said}}


def with_notice(
    facts: Mapping[str, Any], *, received_on: date | None, deadline: date | None
) -> dict[str, Any]:
    """The facts once the payer received a notice; as they were where none was received."""
    if received_on is None or deadline is None or "notice" in facts:
        return dict(facts)
    return {**facts, "notice": {"received_on": received_on.isoformat(), "deadline": deadline.isoformat()}}


def collected(regulation: Regulation, facts: Mapping[str, Any], *, pay_by: date) -> dict[str, Any]:
    """What is to be paid on a day, part by part, in reais as decimal texts.

    Raises LastroError where the whole can't be told, or where there is nothing to pay.
    """
    charged = parse(json.dumps({k: v for k, v in facts.items() if k != "paid_on"}), today=pay_by)
    made, _ = assess(regulation, charged)
    if made.total is None or made.at_least:
        raise LastroError("A taxa está pendente: sem o valor inteiro não se emite documento. Veja o porquê.")
    if made.total == Money(0):
        raise LastroError("Nada é devido neste trimestre: não há documento a emitir.")
    parts = {name: getattr(made, name).brl_text for name in _COLLECTED if getattr(made, name) is not None}
    return {
        "amount_brl": made.total.brl_text,
        "parts": parts,
        "due": made.due.isoformat(),
        "pay_by": pay_by.isoformat(),
    }
