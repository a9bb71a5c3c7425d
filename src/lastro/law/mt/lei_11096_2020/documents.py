"""What the law asks of the fee's assessment, of the statement of credit, and of the report of activities."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows

from . import register

FEE = {
    "identification": ("art6-p1", "art9"),
    "size": ("art4-I", "art4-II", "art4-III", "art4-IV"),
    "activities": ("art6-p2", "art8-p2"),
    "federal": ("art8", "art8-p1"),
    "fee": ("art8",),
    "city_credit": ("art14", "art14-p1", "art15"),
    "amount": ("art8", "art14"),
    "due": ("art9",),
    "fine": ("art12-II", "art12-III"),
    "interest": ("art12-I",),
    "total": ("art12-I", "art12-II", "art12-III"),
    "forged_fine": ("art12-p2",),
    "restored": ("art14-p2", "art14-p3"),
    "state_credit": ("art8-p3",),
    "federal_offset": ("art8-p3",),
    "findings": ("art6", "art8"),
}
"""The provisions behind each part of the assessment and of the statement of credit."""


def fee(law: Law, *, year: int) -> Contents:
    """The assessment of a quarter's fee, or the credit that it gives."""
    return Contents(articles={part: law.norm.cite(cited) for part, cited in FEE.items()}, by="company")


def activities(law: Law, *, year: int) -> Contents:
    """The yearly report of activities. Its model is left to an ordinance that is not in our text."""
    yearly, size = law.norm.cite(("art11",)), law.norm.cite(("art4-I", "art4-II", "art4-III", "art4-IV"))
    codes = tuple(sorted(register.activities()))
    parts = (
        Part("person", size, (Field("size", "label", words=SIZES), Field("exempt", "flag")), many=False),
        Part(
            "activities", yearly,
            (Field("activity", "code", words=codes), Field("what", "text"), Field("began", "date"),
             Field("ended", "date", needed=False)),
        ),
    )  # fmt: skip
    due = register.report_due(law, year=year)
    return Contents(
        {"checks": law.norm.cite(("annex-01", "annex-22"))}, parts, due=due, judges=_judge, by="company"
    )


SIZES = ("natural_person", "individual", "micro", "small", "medium", "large")


def _judge(law: Law, rows: Rows) -> tuple[Check, ...]:
    """The level that the annex gives to each activity; where it gives none, that cannot be told."""
    found = []
    for n, one in enumerate(rows["activities"], 1):
        level = None if one["activity"] is None else register.level(law, code=str(one["activity"]))
        cited = law.norm.cite(("art8-p2",))
        told = None if level is None else f"{level}_level"
        found.append(Check(f"level.{n}", told, None, "label", None if level is None else True, cited, "X06"))
    return tuple(found)


DOCUMENTS = {"fee-assessment": fee, "credit-statement": fee, "activities-report": activities}
