"""What the decree asks of the quarter's memory (art. 15, § 1º) and of the year's accounts (art. 17)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows, Told
from lastro.units import Money

from . import grant

NOTHING = Money(0)

MEMORY = {
    "funds": ("art11-I", "art11-II", "art11-III", "art11-pu"),
    "proofs": ("art12",),
    "coefficients": ("art14", "art14-p1", "art14-p2"),
    "acts": ("art14-p1", "art14-p3"),
    "unit_values": ("art15-p1",),
    "sold": ("art13", "art14"),
    "payments": ("art15", "art15-p1"),
    "members": ("art16",),
    "left_out": ("art7-I", "art9-I", "art10", "art12"),
}
"""The provisions behind each part of the memory that the committee validates."""


def memory(law: Law, *, year: int) -> Contents:
    """The memory of a quarter's calculation: tonnes, coefficients, points, money, unit values, payments."""
    return Contents(articles={part: law.norm.cite(cited) for part, cited in MEMORY.items()}, by="cmrr")


def accounts(law: Law, *, year: int) -> Contents:
    """The yearly report of an organisation, physical and financial. The decree names no day for it."""
    yearly, passed, uses = (law.norm.cite((one,)) for one in ("art17", "art16", "art16-I-V"))
    parts = (
        Part("physical", yearly, (Field("material", "material"), Field("mass", "kg")), sums=("mass",)),
        Part("people", yearly, (Field("members", "count"), Field("benefited", "count")), many=False),
        Part(
            "received", yearly,
            (Field("quarter", "count"), Field("granted_year", "year"), Field("on", "date"),
             Field("amount", "brl"), Field("passed_on", "brl")),
            sums=("amount", "passed_on"),
        ),
        Part(
            "uses", uses,
            (Field("use", "word"), Field("what", "text"), Field("document", "text"), Field("amount", "brl")),
            least=0, sums=("amount",),
        ),
    )  # fmt: skip
    return Contents({"checks": passed}, parts, judges=_judge, by="operator")


def _judge(law: Law, rows: Rows) -> tuple[Check, ...]:
    """Each transfer's least to members, the uses allowed, and a balance that is not below zero."""
    received, used = rows["received"], rows["uses"]
    passed, uses, yearly = (law.norm.cite((one,)) for one in ("art16", "art16-I-V", "art17"))
    checks = [_passed_on(law, n, one, passed) for n, one in enumerate(received, 1)]
    for n, one in enumerate(used, 1):
        use = one["use"]
        met = None if use is None else grant.use_allowed(law, use=str(use))
        unit = "label" if met else "text"
        checks.append(Check(f"use.{n}", use, None, unit, met, uses, "T06", stops=True))
    whole = [_sum(received, "amount"), _sum(received, "passed_on"), _sum(used, "amount")]
    if None in whole:
        return (*checks, Check("balance", None, NOTHING, "brl", None, yearly))
    got, given, spent = (one for one in whole if one is not None)
    balance = grant.report_balance(law, received=got, passed_on=given, used=spent)
    return (
        *checks,
        Check("balance", balance, NOTHING, "brl", balance >= NOTHING, yearly, "T06", stops=True),
    )


def _passed_on(law: Law, n: int, one: Mapping[str, Told], article: str) -> Check:
    amount, passed = one["amount"], one["passed_on"]
    if not isinstance(amount, Money):
        return Check(f"passed_on.{n}", passed, None, "brl", None, article)
    least = grant.least_to_members(law, received=amount)
    met = passed >= least if isinstance(passed, Money) else None
    return Check(f"passed_on.{n}", passed, least, "brl", met, article, "B03")


def _sum(rows: Sequence[Mapping[str, Told]], name: str) -> Money | None:
    """The sum of a column; None where a line does not tell it, since missing is not zero."""
    found = [one[name] for one in rows]
    told = [one for one in found if isinstance(one, Money)]
    return Money(sum(one.cents for one in told)) if len(told) == len(found) else None


DOCUMENTS = {"quarter-memory": memory, "transfers": accounts}
