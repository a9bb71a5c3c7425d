"""A cooperative's quarter in the Bolsa Reciclagem: what it filed, what it will be paid and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro import incentives
from lastro.filings import Filing, Kind
from lastro.ids import Material
from lastro.incentives import filed as room
from lastro.incentives import granting
from lastro.incentives.filed import Filed, Standing
from lastro.jsonfile import JsonRefused
from lastro.lawkit import Regulation, Step, library
from lastro.lawkit.grants import Granted, Quarter, QuarterGranted
from lastro.quarters import quarter_end, quarter_of, quarter_start
from lastro.stores.postgres.filings import Filings
from lastro.units import Mass, Money
from lastro.web import office
from lastro.web.readings.documents import Said, said

_EARLIER = 4
_KINDS = (Kind.STEP, Kind.MEASURED, Kind.SALE, Kind.ACT, Kind.QUARTER, Kind.GRANT, Kind.TRANSFER)
_CANDIDATES = (*(material.value for material in Material), "metal")


def regulation() -> Regulation:
    """The norm in force that pays an incentive."""
    return next(one for one in library.every() if one.pays is not None and one.norm.status == "in_force")


def everything() -> Filed:
    """All that organisations, analysts and the committee filed; never what only one organisation keeps.

    A page shows of it what is the reader's own, and sums: the money of a quarter is shared among all, so
    nobody's part can be reckoned without everybody's facts.
    """
    filings, path = Filings(office.store(), sees=room.OFFICES), regulation().norm.path
    found = filings.standing(Kind.REGISTRATION, norm=path, earlier=True)
    for kind in _KINDS:
        found += filings.standing(kind, norm=path)
    return Filed(tuple(found))


def materials(filed: Filed) -> list[str]:
    """What may be sold: what the norm counts by itself, and what an act set a coefficient for."""
    counts = regulation().rules["material_counts"]
    law = regulation().law(office.today())
    named = [one for one in _CANDIDATES if counts(law, material=one, act_in_force=False)]
    acts = {str(row["material"]) for act in filed.acts("coefficients") for row in act["coefficients"]}
    return named + sorted(acts - set(named))


def subclasses(filed: Filed) -> list[tuple[str, str]]:
    """The subclasses that acts set coefficients for, with their materials."""
    rows = [row for act in filed.acts("coefficients") for row in act["coefficients"]]
    return sorted({(str(row["material"]), str(row["subclass"])) for row in rows if row.get("subclass")})


# ── the quarter of one organisation ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Computed:
    """A quarter as the facts filed so far make it."""

    quarter: Quarter
    made: QuarterGranted
    trace: Step


def computed(filed: Filed, *, year: int, number: int) -> Computed | None:
    """What the quarter would pay now; None while it is not opened, or nobody has part in it."""
    facts = room.document(filed, year=year, number=number)
    if facts is None or not facts["organisations"]:
        return None
    try:
        quarter = incentives.parse(json.dumps(facts))
    except JsonRefused:
        return None
    made, trace = incentives.granted(regulation(), quarter)
    return Computed(quarter, made, trace)


@dataclass(frozen=True)
class Month:
    """One month of a quarter: what the organisation measured, and what the office did."""

    name: str
    first: date
    by_material: Mapping[str, Mass]
    filing: Filing | None
    measured: Mass | None


@dataclass(frozen=True)
class Statement:
    """A quarter for one organisation: what it filed, what it will be paid, what stands against it."""

    year: int
    number: int
    due: date
    opened: bool
    standing: Standing
    months: tuple[Month, ...]
    sales: tuple[Filing, ...]
    own: Granted | None
    blocked: tuple[str, ...]
    unit_values: Mapping[str, Any]
    against: tuple[Said, ...]
    why: Step | None
    grant: Filing | None
    transfer: Filing | None

    @property
    def name(self) -> str:
        return f"{self.number}º trimestre de {self.year}"

    @property
    def first(self) -> date:
        return quarter_start(self.year, self.number)

    @property
    def last(self) -> date:
        return quarter_end(self.year, self.number)

    @property
    def over(self) -> bool:
        """Whether the last day for proofs has gone by."""
        return office.today() > self.due

    @property
    def amount(self) -> Money | None:
        """What was granted, else what the facts make now; None where it cannot be told."""
        if self.grant is not None:
            told = self.grant.body.get("amount_brl")
            return None if told is None else Money.brl(str(told))
        return self.own.amount if self.own else None

    @property
    def least(self) -> Money | None:
        """What of that goes at least to the pickers."""
        amount = self.amount
        return least_to_members(amount, on=self.last) if amount is not None else None

    @property
    def short(self) -> Money | None:
        """What the list that was handed in lacks to the least that pickers get; None where nothing lacks."""
        if self.transfer is None:
            return None
        said = self.transfer.body
        lacks = Money.brl(str(said["least_to_members_brl"])) - Money.brl(str(said["passed_on_brl"]))
        return lacks if lacks.cents > 0 else None

    @property
    def transfer_due(self) -> date | None:
        """The last day on which what was granted is transferred."""
        day = self.grant.body.get("granted_on") if self.grant else None
        norm = regulation()
        if day is None:
            return None
        granted_on = date.fromisoformat(str(day))
        found: date = norm.rules["transfer_due"](norm.law(granted_on), granted_on=granted_on)
        return found

    @property
    def sold(self) -> Mapping[str, Mass]:
        """What its proofs say by material, counted or not."""
        sums: dict[str, Mass] = {}
        for one in self.sales:
            name = str(one.body["material"])
            sums[name] = sums.get(name, Mass(0)) + Mass.kg(str(one.body["mass_kg"]))
        return sums


def least_to_members(received: Money, *, on: date) -> Money:
    """What of an amount goes at least to the pickers, by the norm of a day."""
    norm = regulation()
    found: Money = norm.rules["least_to_members"](norm.law(on), received=received)
    return found


def statement(party: str, *, year: int, number: int, filed: Filed | None = None) -> Statement:
    """The quarter of an organisation, with the facts filed up to now."""
    filed = filed or everything()
    period, now = room.period_of(year, number), computed(filed, year=year, number=number)
    own = next((one for one in now.made.granted if one.cnpj == party), None) if now else None
    grants = filed.of(Kind.GRANT, period=period, name=party)
    transfers = filed.of(Kind.TRANSFER, period=period, party=party)
    return Statement(
        year=year,
        number=number,
        due=now.made.due if now else _due(year, number),
        opened=bool(filed.of(Kind.QUARTER, party=room.COMMITTEE, period=period)),
        standing=filed.standing(party),
        months=_months(filed, party, year=year, number=number),
        sales=tuple(filed.of(Kind.SALE, party=party, period=period)),
        own=own,
        blocked=now.made.blocked if now else (),
        unit_values=now.made.unit_values if now and not now.made.blocked else {},
        against=tuple(said(one) for one in own.findings) if own else (),
        why=granting.own_explanation(regulation(), now.trace, now.quarter, cnpj=party)
        if now and own
        else None,
        grant=grants[-1] if grants else None,
        transfer=transfers[-1] if transfers else None,
    )


def _due(year: int, number: int) -> date:
    norm = regulation()
    law = norm.law(quarter_end(year, number))
    found: date = norm.rules["proofs_due"](law, year=year, quarter=number, closed=())
    return found


def _months(filed: Filed, party: str, *, year: int, number: int) -> tuple[Month, ...]:
    """The months of a quarter as measured by the organisation and by the office."""
    own = Filings(office.store(), sees=party)
    rows = {one.subject.period: one for one in own.standing(Kind.MEASURE, party=party)}
    found = []
    for name in room.months_of(year, number):
        row = rows.get(name)
        told = filed.of(Kind.MEASURED, party=room.ANALYSTS, period=name, name=party)
        kg = told[-1].body.get("measured_kg") if told else None
        masses = row.body["by_material_kg"] if row else {}
        found.append(
            Month(
                name, date.fromisoformat(f"{name}-01"), {m: Mass.kg(str(v)) for m, v in masses.items()}, row,
                None if kg is None else Mass.kg(str(kg)),
            )
        )  # fmt: skip
    return tuple(found)


def quarters(party: str, *, today: date, filed: Filed) -> list[Statement]:
    """This quarter and those before it, the latest first; and any other that paid the organisation."""
    year, number = today.year, quarter_of(today)
    wanted = []
    for _ in range(_EARLIER):
        wanted.append((year, number))
        year, number = (year, number - 1) if number > 1 else (year - 1, 4)
    paid = [one.subject.period for one in filed.of(Kind.GRANT, name=party)]
    wanted += [(int(p[:4]), int(p[-1])) for p in paid if (int(p[:4]), int(p[-1])) not in wanted]
    return [statement(party, year=y, number=n, filed=filed) for y, n in sorted(wanted, reverse=True)]
