"""What the decree has an entity settle with cities (art. 24): what is paid for the material of theirs."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows
from lastro.units import Mass, Money

from . import plans


def compensation(law: Law, *, year: int) -> Contents:
    """What an entity owes and paid each city in a year for material or rejects that came through it."""
    fields = (
        Field("municipality", "town"), Field("mass", "kg"), Field("price_tonne", "brl"),
        Field("municipal_origin", "flag"), Field("agreed_before", "flag"), Field("rejects_to_city", "flag"),
        Field("amount", "brl"), Field("paid_on", "date", needed=False), Field("document", needed=False),
    )  # fmt: skip
    part = Part("city_compensation", law.norm.cite(("art24",)), fields, sums=("mass", "amount"))
    return Contents({}, (part,), judges=_owed)


def _owed(law: Law, rows: Rows) -> tuple[Check, ...]:
    """Each city gets at least what the rule makes of mass and price, and the day of payment is told."""
    cited, found = law.norm.cite(("art24",)), []
    for n, one in enumerate(rows["city_compensation"], 1):
        mass, price, paid = one["mass"], one["price_tonne"], one["amount"]
        flags = {name: one[name] for name in ("municipal_origin", "agreed_before", "rejects_to_city")}
        known = all(isinstance(value, bool) for value in flags.values())
        if not (known and isinstance(mass, Mass) and isinstance(price, Money) and isinstance(paid, Money)):
            found.append(Check(f"city_owed.{n}", paid, None, "brl", None, cited))
            continue
        owed = plans.municipal_compensation(
            law, mass=mass, price=price, municipal_origin=flags["municipal_origin"] is True,
            agreed_before=flags["agreed_before"] is True, rejects_to_city=flags["rejects_to_city"] is True,
        )  # fmt: skip
        met = paid.cents >= owed.cents
        found.append(Check(f"city_owed.{n}", paid, owed, "brl", met, cited, "T06", stops=True))
        if owed.cents:
            on = one["paid_on"]
            done = isinstance(on, date)
            found.append(Check(f"city_paid.{n}", on, None, "date", done or None, cited))
    return tuple(found)


KEPT = {"municipal-compensation": compensation}
