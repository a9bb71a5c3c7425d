"""What the decree asks of a brand owner's statement (art. 11) and of the report on returnables (art. 46)."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows
from lastro.units import Mass

from . import duties


def brand_owner(law: Law, *, year: int) -> Contents:
    """The statement with which an owner of a brand covers what others make for it."""
    cite = law.norm.cite
    parts = (
        Part("brand_owner", cite(("art11-p4-I",)), (Field("name"), Field("cnpj", "cnpj")), many=False),
        Part("system_adhered", cite(("art11-p4-II",)), (Field("system"), Field("registration")), many=False),
        Part(
            "period", cite(("art11-p4-III",)), (Field("covered_from", "date"), Field("covered_to", "date")),
            many=False,
        ),
        Part(
            "declared", cite(("art11-p4-IV",)),
            (Field("made_to_order_covered", "flag"), Field("signed_by"), Field("signed_on", "date")),
            many=False,
        ),
    )  # fmt: skip

    def judge(law: Law, rows: Rows) -> tuple[Check, ...]:
        return _stated(law, rows, year)

    return Contents({}, parts, judges=judge, by="company")


def _stated(law: Law, rows: Rows, year: int) -> tuple[Check, ...]:
    """What is not declared covers nothing; days without cover are told."""
    (period,), (declared,) = rows["period"], rows["declared"]
    covers = declared["made_to_order_covered"]
    met = covers if isinstance(covers, bool) else None
    cited = law.norm.cite(("art11-p4-IV",))
    first, last, days = period["covered_from"], period["covered_to"], None
    if isinstance(first, date) and isinstance(last, date):
        days = duties.uncovered_days(law, year=year, covered_from=first, covered_to=last)
    return (
        Check("made_to_order_covered", met, True, "flag", met, cited, "T06", stops=True),
        Check(
            "uncovered_days", days, 0, "count", None if days is None else days == 0,
            law.norm.cite(("art11-p4-III",)),
        ),
    )  # fmt: skip


def returnables(law: Law, *, year: int) -> Contents:
    """The yearly report that proves returnables and how they come back; without it there is no discount."""
    article = law.norm.cite(("art46-p3",))
    parts = (
        Part(
            "returnables", article,
            (Field("material", "material"), Field("placed", "kg"), Field("returned", "kg"), Field("system")),
            sums=("placed", "returned"),
        ),
        Part("invoices", article, (Field("access_key"), Field("mass", "kg")), sums=("mass",)),
    )  # fmt: skip
    return Contents({}, parts, judges=_returned, by="company")


def _returned(law: Law, rows: Rows) -> tuple[Check, ...]:
    """What came back beside what invoices show; the decree leaves the rest to the agency: this only tells."""
    cited = law.norm.cite(("art46-p3",))
    told = [one["returned"] for one in rows["returnables"]]
    shown = [one["mass"] for one in rows["invoices"]]
    known, proved = ([one for one in col if isinstance(one, Mass)] for col in (told, shown))
    if len(known) < len(told) or len(proved) < len(shown):
        return (Check("returned_proved", None, None, "kg", None, cited),)
    back, most = (Mass(sum(one.mg for one in col)) for col in (known, proved))
    return (Check("returned_proved", back, most, "kg", back <= most, cited, "T06"),)


STATEMENTS = {"brand-owner-statement": brand_owner, "returnables-report": returnables}
