"""What the decree has a system keep: contracts, providers, budget, manual, plan, what it followed up."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law, forms
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows
from lastro.units import Money

STAGES = ("disposed", "stored", "transported", "destined")
"""The stages of art. 9º, all of which the funds of a system pay for."""

SERVICES = ("transport", "storage", "destination")


def instrument(law: Law, *, year: int) -> Contents:
    """A private instrument by which what is done for the system is paid (art. 19), also with cooperatives."""
    return forms.instrument(law.norm.cite(("art19",)), law.norm.cite(("art37-I", "art37-II")))


def provider(law: Law, *, year: int) -> Contents:
    """A provider of services that the system enabled."""
    fields = (
        Field("cnpj", "cnpj"), Field("name"), Field("service", "label", words=SERVICES),
        Field("enabled_on", "date"), Field("licence", instead="waiver"),
        Field("licence_to", "date", instead="waiver"), Field("waiver", needed=False),
        Field("to", "date", needed=False),
    )  # fmt: skip
    part = Part("provider", law.norm.cite(("art8-II-a",)), fields, many=False)
    return Contents({}, (part,), judges=_licensed, series=True, until="provider.licence_to")


def _licensed(law: Law, rows: Rows) -> tuple[Check, ...]:
    """On the day a provider is enabled its licence stands, unless it needs none."""
    (one,) = rows["provider"]
    last, on = one["licence_to"], one["enabled_on"]
    if not isinstance(last, date):
        return ()
    met = last >= on if isinstance(on, date) else None
    cited = law.norm.cite(("art8-II-a",))
    return (Check("provider_licensed", last, on, "date", met, cited, "T06", stops=True),)


def budget(law: Law, *, year: int) -> Contents:
    """What each stage of the system costs in a year, and what pays for it."""
    fields = (
        Field("stage", "label", words=STAGES),
        Field("cost", "brl"),
        Field("funding", "brl"),
        Field("origin_of_funds"),
    )
    part = Part("budget", law.norm.cite(("art16-II",)), fields, sums=("cost", "funding"))
    return Contents({}, (part,), judges=_covered)


def _covered(law: Law, rows: Rows) -> tuple[Check, ...]:
    """The funds cover every stage: none is left out, and none costs more than what pays for it."""
    cited = law.norm.cite(("art16-II",))
    return tuple(_stage(stage, rows, cited) for stage in STAGES)


def _stage(stage: str, rows: Rows, cited: str) -> Check:
    mine = [row for row in rows["budget"] if row["stage"] == stage]
    if not mine:
        return Check(f"covered_{stage}", None, None, "brl", False, cited, "T02", stops=True)
    costs = [row["cost"] for row in mine if isinstance(row["cost"], Money)]
    funds = [row["funding"] for row in mine if isinstance(row["funding"], Money)]
    if len(costs) < len(mine) or len(funds) < len(mine):
        return Check(f"covered_{stage}", None, None, "brl", None, cited, "T02")
    cost, fund = Money(sum(m.cents for m in costs)), Money(sum(m.cents for m in funds))
    return Check(f"covered_{stage}", fund, cost, "brl", fund.cents >= cost.cents, cited, "T06", stops=True)


def manual(law: Law, *, year: int) -> Contents:
    """The manual of operation, and that it is published."""
    return forms.manual(law.norm.cite(("art3-VIII",)), law.norm.cite(("art15",)))


def system_plan(law: Law, *, year: int) -> Contents:
    """The plan as it is published after a change."""
    return forms.system_plan(law.norm.cite(("art45",)))


def follow_up(law: Law, *, year: int) -> Contents:
    """What the entity looked at in its system in a year, what it found, and what it did about it."""
    fields = (
        Field("on", "date"), Field("aspect"), Field("found"), Field("action"), Field("done", "flag"),
    )  # fmt: skip
    return Contents({}, (Part("followed", law.norm.cite(("art27-II",)), fields),), judges=_followed)


def _followed(law: Law, rows: Rows) -> tuple[Check, ...]:
    """What is still to be done is told, and stops nothing."""
    cited, found = law.norm.cite(("art27-II",)), []
    for n, one in enumerate(rows["followed"], 1):
        done = one["done"]
        found.append(
            Check(f"followed.{n}", done, True, "flag", done if isinstance(done, bool) else None, cited)
        )
    return tuple(found)


def municipal(law: Law, *, year: int) -> Contents:
    """What was agreed with a city before its service does anything for the system."""
    return forms.agreement(law.norm.cite(("art39",)))


def between_entities(law: Law, *, year: int) -> Contents:
    """What two entities agreed beforehand, and the weight that one makes good to the other."""
    fields = (
        Field("cnpj", "cnpj"), Field("name"), Field("agreed_on", "date"), Field("on", "date"),
        Field("mass", "kg"), Field("amount", "brl", needed=False), Field("document"),
    )  # fmt: skip
    part = Part("entity_compensation", law.norm.cite(("art55",)), fields, many=False)
    return Contents({}, (part,), judges=_agreed_before, series=True, contract=True)


def _agreed_before(law: Law, rows: Rows) -> tuple[Check, ...]:
    """Without an instrument from before, nothing is made good by weight."""
    (one,) = rows["entity_compensation"]
    agreed, on = one["agreed_on"], one["on"]
    met = agreed <= on if isinstance(agreed, date) and isinstance(on, date) else None
    cited = law.norm.cite(("art55",))
    return (Check("agreed_before", agreed, on, "date", met, cited, "T06", stops=True),)


KEPT = {
    "instrument": instrument,
    "provider": provider,
    "system-budget": budget,
    "operating-manual": manual,
    "system-plan": system_plan,
    "system-follow-up": follow_up,
    "municipal-agreement": municipal,
    "entity-compensation": between_entities,
}
