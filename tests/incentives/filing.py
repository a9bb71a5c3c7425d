"""A quarter's facts taken apart into the filings of which they would be made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from lastro.filings import Filing, Kind, Subject
from lastro.incentives import filed

NORM = "mg/decreto_45975_2012"
_BY_OFFICE = ("registration", "recognised", "granted_before", "transfer_list_delivered", "place")
_NOT_IN_REGISTRATION = (*_BY_OFFICE, "data_updated_on", "measured_kg", "sales")


@dataclass(frozen=True)
class Draft:
    """What somebody files on a day."""

    subject: Subject
    body: Mapping[str, Any]
    on: date
    addressee: str = ""
    public: bool = False

    def filing(self, number: int, version: int = 1) -> Filing:
        """The filing as a store would give it."""
        return Filing(
            number, self.subject, version, self.body, self.addressee, self.public, False, "x", self.on,
            datetime(2026, 1, 1, tzinfo=UTC),
        )  # fmt: skip


def drafts(facts: Mapping[str, Any]) -> Iterator[Draft]:
    """The filings behind a quarter's facts, as organisations, analysts and the committee make them."""
    year, number = facts["year"], facts["quarter"]
    period, opened = filed.period_of(year, number), date(year, 1, 2)
    body = {
        key: facts[key] for key in facts if key not in ("year", "quarter", "coefficients", "organisations")
    }
    yield Draft(
        Subject(Kind.QUARTER, filed.COMMITTEE, NORM, period), {**body, "step": "open"}, opened, "", True
    )
    for row in facts["coefficients"]:
        rest = {key: row[key] for key in row if key not in ("act", "decided_on")}
        act = {"act": row["act"], "decided_on": row["decided_on"], "about": "coefficients"}
        subject = Subject(Kind.ACT, filed.COMMITTEE, NORM, str(year), f"{row['act']}-{row['material']}")
        yield Draft(subject, {**act, "coefficients": [rest]}, date.fromisoformat(row["decided_on"]), "", True)
    for one in facts["organisations"]:
        yield from _organisation(one, year=year, number=number)


def _organisation(one: Mapping[str, Any], *, year: int, number: int) -> Iterator[Draft]:
    cnpj, period = one["cnpj"], filed.period_of(year, number)
    kept = {key: one[key] for key in one if key not in _NOT_IN_REGISTRATION}
    updated = date.fromisoformat(one["data_updated_on"])
    yield Draft(Subject(Kind.REGISTRATION, cnpj, NORM), {**kept, "submitted": True}, updated, filed.READERS)
    step = {"to": one["registration"], "recognised": one["recognised"], "place": one.get("place", 0)}
    yield Draft(Subject(Kind.STEP, filed.COMMITTEE, NORM, name=cnpj), step, updated, cnpj)
    if one["granted_before"]:
        before = filed.period_of(year - 1, 4)
        paid = {"amount_brl": "1000.00", "granted_on": f"{year}-01-10"}
        yield Draft(Subject(Kind.GRANT, filed.COMMITTEE, NORM, before, cnpj), paid, updated, cnpj)
        if one["transfer_list_delivered"]:
            body = {"received_brl": "1000.00", "passed_on_brl": "900.00", "members": 3}
            yield Draft(Subject(Kind.TRANSFER, cnpj, NORM, before), body, updated, filed.READERS)
    for month, mass in zip(filed.months_of(year, number), one["measured_kg"], strict=True):
        body = {"measured_kg": mass, "reason": "pesagem"}
        yield Draft(Subject(Kind.MEASURED, filed.ANALYSTS, NORM, month, cnpj), body, updated, cnpj)
    for place, sale in enumerate(one["sales"]):
        body = {key: sale[key] for key in sale if key != "delivered_on"}
        name = f"{sale.get('proof', place)}/{sale['material']}"
        on = date.fromisoformat(sale["delivered_on"])
        yield Draft(Subject(Kind.SALE, cnpj, NORM, period, name), body, on, filed.READERS)
