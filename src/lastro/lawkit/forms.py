"""Documents of which several norms ask the same contents: each norm gives the provision behind its own."""

from __future__ import annotations

from datetime import date

from lastro.lawkit.contents import Check, Contents, Field, Part, Rows
from lastro.lawkit.form_checks import present
from lastro.lawkit.parameters import Law


def dossier(article: str) -> Contents:
    """What a company outside every entity keeps for the agencies: its plan, its points, where it all went."""
    parts = (
        Part("plan_version", article, (Field("version"), Field("on", "date"), Field("document")), many=False),
        Part("points", article, (Field("id"), Field("address"), Field("municipality", "town"))),
        Part(
            "destined", article, (Field("certificate"), Field("recycler", "cnpj"), Field("mass", "kg")),
            sums=("mass",),
        ),
    )  # fmt: skip
    return Contents({}, parts, by="company")


def importer(article: str) -> Contents:
    """Who runs the system of an importer, as it is told on the day of a statement."""
    who = (Field("system"), Field("cnpj", "cnpj"), Field("name"), Field("on", "date"))
    return Contents({}, (Part("system_runner", article, who, many=False),), by="company")


def by_system(article: str) -> Part:
    """What a group tells the ministry of each system: sums, and no weight of a company."""
    fields = (
        Field("cnpj", "cnpj"), Field("name"), Field("delivered_on", "date"), Field("municipalities", "count"),
        Field("points", "count"), Field("received", "kg"), Field("destined", "kg"), Field("owed", "kg"),
    )  # fmt: skip
    return Part("systems", article, fields, sums=("municipalities", "points", "received", "destined", "owed"))


COUNTERPARTS = ("manufacturer", "importer", "distributor", "merchant", "cooperative", "supplier", "other")
SUBJECTS = ("handling", "transport", "storage")
"""What a manual of operation tells how to do."""


def instrument(article: str, cooperatives: str) -> Contents:
    """A private instrument of a system: with whom, for what, from when until when.

    `article` has it that what is done is paid by such an instrument; `cooperatives`, that a cooperative that
    takes part is constituted, enabled and under one.
    """
    fields = (
        Field("counterpart", "label", words=COUNTERPARTS), Field("cnpj", "cnpj"), Field("name"),
        Field("object"), Field("signed_on", "date"), Field("from", "date"), Field("to", "date", needed=False),
        Field("document"), Field("constituted", "flag", needed=False), Field("enabled", "flag", needed=False),
    )  # fmt: skip

    def judge(law: Law, rows: Rows) -> tuple[Check, ...]:
        (one,) = rows["instrument"]
        found = [_in_order(one["from"], one["to"], article)]
        if one["counterpart"] == "cooperative":
            for name in ("constituted", "enabled"):
                told = one[name]
                met = told if isinstance(told, bool) else None
                found.append(
                    Check(f"cooperative_{name}", told, True, "flag", met, cooperatives, "T06", stops=True)
                )
        return tuple(found)

    parts = (Part("instrument", f"{article}; {cooperatives}", fields, many=False),)
    return Contents({}, parts, judges=judge, series=True, until="instrument.to", contract=True)


def _in_order(start: object, end: object, article: str) -> Check:
    """Whether something that holds for a time begins before it ends; without an end it holds until undone."""
    known = isinstance(start, date)
    met = start <= end if isinstance(start, date) and isinstance(end, date) else True if known else None
    return Check("period_in_order", met, True, "flag", met, article, "T06", stops=True)


def agreement(article: str) -> Contents:
    """What was agreed with a municipality before its public service does anything for the system."""
    fields = (
        Field("municipality", "town"), Field("cnpj", "cnpj"), Field("service"), Field("agreed_on", "date"),
        Field("from", "date"), Field("to", "date", needed=False), Field("document"),
    )  # fmt: skip

    def judge(law: Law, rows: Rows) -> tuple[Check, ...]:
        (one,) = rows["agreement"]
        agreed, start = one["agreed_on"], one["from"]
        met = agreed <= start if isinstance(agreed, date) and isinstance(start, date) else None
        return (
            Check("agreed_before", agreed, start, "date", met, article, "T06", stops=True),
            _in_order(start, one["to"], article),
        )

    part = Part("agreement", article, fields, many=False)
    return Contents({}, (part,), judges=judge, series=True, until="agreement.to", contract=True)


def manual(article: str, published: str) -> Contents:
    """How a system handles, carries and stores what comes back: one version of its manual, published."""
    parts = (
        Part(
            "manual_version",
            published,
            (Field("version"), Field("on", "date"), Field("document")),
            many=False,
        ),
        Part("manual", article, (Field("subject", "label", words=SUBJECTS), Field("text"))),
    )

    def judge(law: Law, rows: Rows) -> tuple[Check, ...]:
        return present(rows["manual"], "subject", dict.fromkeys(SUBJECTS, article))

    return Contents({}, parts, judges=judge, public=True)


def system_plan(article: str) -> Contents:
    """One version of the plan of a system, published with what changed since the version before."""
    fields = (Field("version"), Field("on", "date"), Field("document"), Field("changes", needed=False))
    return Contents({}, (Part("system_plan", article, fields, many=False),), public=True)
