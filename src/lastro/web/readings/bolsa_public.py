"""The quarters of the Bolsa Reciclagem as everybody may read them: sums, acts, and nobody's name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lastro.filings import Kind
from lastro.stores.postgres.filings import NOBODY, Filings
from lastro.units import Mass, Money
from lastro.web import office
from lastro.web.readings.bolsa import regulation


@dataclass(frozen=True)
class Public:
    """A quarter as everybody may read it: sums, and no organisation's name."""

    period: str
    quarter: Mapping[str, Any]
    grant: Mapping[str, Any] | None

    @property
    def year(self) -> int:
        return int(self.period[:4])

    @property
    def number(self) -> int:
        return int(self.period[-1])

    @property
    def name(self) -> str:
        return f"{self.number}º trimestre de {self.year}"

    def money(self, key: str) -> Money | None:
        """An amount of the grant; None while nothing was granted."""
        told = (self.grant or {}).get(key)
        return None if told is None else Money.brl(str(told))

    @property
    def materials(self) -> list[tuple[str, int, Mass | None, str]]:
        """Each material: how many sold it, how much (unsaid where few did), and what a tonne brought."""
        if self.grant is None:
            return []
        values = self.grant.get("unit_values_brl_per_t", {})
        return [
            (name, int(of["organisations"]), None if of["mass_kg"] is None else Mass.kg(of["mass_kg"]),
             str(values.get(name) or values.get(name.partition("/")[0]) or ""))
            for name, of in sorted(self.grant.get("sold", {}).items())
        ]  # fmt: skip


def public() -> list[Public]:
    """The quarters that the committee opened, the latest first, with their sums once granted."""
    stranger, path = Filings(office.store(), sees=NOBODY), regulation().norm.path
    grants = {one.subject.period: one.body for one in stranger.standing(Kind.GRANT, norm=path, name="")}
    opened = stranger.standing(Kind.QUARTER, norm=path)
    found = [Public(one.subject.period, one.body, grants.get(one.subject.period)) for one in opened]
    return sorted(found, key=lambda one: one.period, reverse=True)


def acts() -> list[Mapping[str, Any]]:
    """The committee's acts, the latest first."""
    stranger, path = Filings(office.store(), sees=NOBODY), regulation().norm.path
    found = [one.body for one in stranger.standing(Kind.ACT, norm=path)]
    return sorted(found, key=lambda body: str(body.get("decided_on", "")), reverse=True)
