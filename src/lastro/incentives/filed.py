"""The quarter as it was filed: what organisations, the analysing office and the committee said, as facts.

The document made here is the one that `parse` reads, so whoever reckons from a file reckons the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from lastro.filings import Filing, Kind
from lastro.lawkit import Regulation
from lastro.quarters import MONTHS, quarter_end, quarter_start

READERS = "bolsa"
"""The word by which the analysing office and the committee both read what organisations file."""

ANALYSTS, COMMITTEE = "cmrr", "committee"
OFFICES = (READERS, ANALYSTS, COMMITTEE)

_FROM_REGISTRATION = (
    *("cnpj", "name", "kind", "constituted_on", "members", "members_capable", "members_active"),
    *("children_of_school_age", "children_in_school"),
)
_FROM_SALE = ("material", "subclass", "mass_kg", "value_brl", "invoice", "sold_on", "proof")
_FROM_QUARTER = ("annual_brl", "budget_brl", "donations_brl", "other_brl", "closed", "admitted", "reading")
_REVIEWED = frozenset({"in_analysis", "analysed", "rejected"})
"""States that a new version of the registration takes back to `submitted`."""


def period_of(year: int, number: int) -> str:
    """How filings name a quarter."""
    return f"{year}-T{number}"


def months_of(year: int, number: int) -> tuple[str, ...]:
    """How filings name the months of a quarter."""
    first = quarter_start(year, number).month
    return tuple(f"{year}-{first + n:02d}" for n in range(MONTHS))


@dataclass(frozen=True)
class Standing:
    """How the registration of an organisation stands, and what the committee said of it."""

    state: str
    recognised: bool = False
    place: int = 0
    step: Filing | None = None


@dataclass(frozen=True)
class Filed:
    """Everything that was filed under the norm: of registrations every version, of the rest what stands."""

    filings: tuple[Filing, ...]

    def of(self, kind: Kind, **which: str) -> list[Filing]:
        """The filings of a kind whose subject says what is asked for, the oldest first."""
        found = [
            one
            for one in self.filings
            if one.subject.kind is kind and all(getattr(one.subject, k) == v for k, v in which.items())
        ]
        return sorted(found, key=lambda one: one.id)

    def registration(self, party: str, *, by: date | None = None) -> Filing | None:
        """The version of an organisation's registration that stands, or stood on a day."""
        found = [one for one in self.of(Kind.REGISTRATION, party=party) if by is None or one.on <= by]
        return found[-1] if found else None

    def standing(self, party: str) -> Standing:
        """The state of an organisation's registration: where the last step took it, or the organisation."""
        last = self.registration(party)
        if last is None:
            return Standing("draft")
        steps = self.of(Kind.STEP, name=party)
        if not steps:
            return Standing("submitted" if last.body.get("submitted") else "draft")
        step = steps[-1]
        state = str(step.body["to"])
        if state in _REVIEWED and last.id > step.id:
            state = "submitted" if last.body.get("submitted") else "draft"
        decided = [one for one in steps if one.subject.party == COMMITTEE]
        said: Mapping[str, Any] = decided[-1].body if decided else {}
        valid = said.get("to") == "validated"
        return Standing(state, valid and said.get("recognised") is True, int(said.get("place") or 0), step)

    def acts(self, about: str) -> list[Mapping[str, Any]]:
        """What acts of the committee say about a matter, in the order in which they were decided."""
        found = [one.body for one in self.of(Kind.ACT, party=COMMITTEE) if one.body.get("about") == about]
        return sorted(found, key=lambda body: (str(body["decided_on"]), str(body["act"])))

    def grant(self, party: str, *, before: str = "9999") -> Filing | None:
        """The last grant that paid an organisation something, in a quarter before that one."""
        found = [one for one in self.of(Kind.GRANT, name=party) if one.subject.period < before]
        paid = [one for one in found if one.body.get("amount_brl") not in (None, "0", "0.00")]
        return max(paid, key=lambda one: (one.subject.period, one.id), default=None)


def step_allowed(regulation: Regulation, *, before: str, after: str, by: str) -> bool:
    """Whether the norm lets this office (`organisation`, `semad` or `committee`) take the registration on."""
    law = regulation.law(date.max)
    return bool(regulation.rules["registration_step"](law, before=before, after=after, by=by))


def document(filed: Filed, *, year: int, number: int) -> dict[str, Any] | None:
    """The facts of a quarter as one document; None while the committee has not opened the quarter.

    An organisation has part in it whose registration was handed in by the end of the month after the quarter.
    """
    period = period_of(year, number)
    opened = filed.of(Kind.QUARTER, party=COMMITTEE, period=period)
    if not opened:
        return None
    body = opened[-1].body
    parties = sorted({one.subject.party for one in filed.of(Kind.REGISTRATION)})
    rows = [_organisation(filed, party, year=year, number=number) for party in parties]
    return {
        "year": year,
        "quarter": number,
        **{key: body[key] for key in _FROM_QUARTER if body.get(key) is not None},
        "coefficients": [
            {**row, "decided_on": act["decided_on"], "act": act["act"]}
            for act in filed.acts("coefficients")
            for row in act["coefficients"]
        ],
        "requirements": list(requirements(filed)),
        "organisations": [row for row in rows if row is not None],
    }


def requirements(filed: Filed) -> Iterable[dict[str, Any]]:
    """What acts of the committee ask of a registration besides the decree."""
    for act in filed.acts("requirement"):
        yield {key: act[key] for key in ("act", "what", "since", "until") if act.get(key) is not None}


def last_update(year: int, number: int) -> date:
    """The day by which data of a quarter were brought up to date: the last of the month that follows it."""
    after = quarter_end(year, number) + timedelta(days=32)
    return after.replace(day=1) - timedelta(days=1)


def _organisation(filed: Filed, party: str, *, year: int, number: int) -> dict[str, Any] | None:
    said = filed.registration(party, by=last_update(year, number))
    if said is None or not said.body.get("submitted"):
        return None
    period, standing = period_of(year, number), filed.standing(party)
    granted = filed.grant(party, before=period)
    listed = granted and filed.of(Kind.TRANSFER, party=party, period=granted.subject.period)
    return {
        **{key: said.body[key] for key in _FROM_REGISTRATION if key in said.body},
        "data_updated_on": said.on.isoformat(),
        "registration": standing.state,
        "recognised": standing.recognised,
        "place": standing.place,
        "granted_before": granted is not None,
        "transfer_list_delivered": bool(listed),
        "requirements_met": list(said.body.get("requirements_met", ())),
        "measured_kg": [_measured(filed, party, month) for month in months_of(year, number)],
        "sales": [_sale(filed, one) for one in filed.of(Kind.SALE, party=party, period=period)],
    }


def _measured(filed: Filed, party: str, month: str) -> str | None:
    """What the office measured in a month; None where it did not."""
    found = filed.of(Kind.MEASURED, party=ANALYSTS, period=month, name=party)
    return found[-1].body.get("measured_kg") if found else None


def _sale(filed: Filed, one: Filing) -> dict[str, Any]:
    """A proof of sale, delivered on the day of its version; another paper is recognised by an act."""
    row = {key: one.body[key] for key in _FROM_SALE if one.body.get(key) not in (None, "")}
    known = [act["decided_on"] for act in filed.acts("proof") if act.get("paper") == one.body.get("paper")]
    recognised = {} if one.body.get("invoice") or not known else {"recognised_on": min(known)}
    return {**row, "delivered_on": one.on.isoformat(), **recognised}
