"""What the decree asks of the report of performance (arts. 56 and 62) and of the group's consolidation."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows
from lastro.lawkit.form_checks import mass_of, plans_done, recyclers_agree, system_balances
from lastro.lawkit.forms import by_system
from lastro.units import ZERO, Mass

from . import communication, entities, individual, kept, rules

LICENCES = ("valid", "expired", "waived")
POINTS = ("fixed", "mobile")
SECRET = ("received", "destined", "unit_weights", "recyclers", "packaging", "targets")
"""The sections that may be kept from the public, at the asking of a company and with a ground."""


def performance(law: Law, *, year: int) -> Contents:
    """The results of a year, as companies and managing entities report them."""
    return Contents(
        articles={"targets": law.norm.cite(("art56-p1-VI",))}, parts=_parts(law),
        due=rules.report_due(law, year=year), judges=_judge, targets=True, to="gap",
    )  # fmt: skip


def _parts(law: Law) -> tuple[Part, ...]:
    cite = law.norm.cite
    return (
        Part("municipalities", cite(("art56-p1-I",)), (Field("municipality", "town"),)),
        Part(
            "points", cite(("art56-p1-II",)),
            (Field("id"), Field("address"), Field("municipality", "town"),
             Field("point_kind", "label", words=POINTS)),
        ),
        Part(
            "received", cite(("art56-p1-III",)), (Field("municipality", "town"), Field("mass", "kg")),
            sums=("mass",),
        ),
        Part(
            "destined", cite(("art53-pu",)),
            (Field("certificate"), Field("recycler", "cnpj"), Field("mass", "kg")), sums=("mass",),
        ),
        Part("stock", cite(("art33-I",)), (Field("opening", "kg"), Field("closing", "kg")), many=False),
        Part(
            "unit_weights", cite(("art56-p1-IV",)),
            (Field("product"), Field("average", "kg"), Field("year", "year")),
        ),
        Part(
            "recyclers", cite(("art56-p1-V",)),
            (Field("cnpj", "cnpj"), Field("name"), Field("mass", "kg"),
             Field("licence", "label", words=LICENCES)),
            sums=("mass",),
        ),
        Part("plans", cite(("art56-p1-VII",)), (Field("action"), Field("done", "flag"))),
        Part(
            "packaging", cite(("art62-II",)),
            (Field("material", "material"), Field("received", "kg"), Field("placed", "kg")),
            sums=("received", "placed"),
        ),
        Part(
            "audits", cite(("art56-p4", "art56-p5-II")),
            (Field("cnpj", "cnpj"), Field("on", "date"), Field("same_group", "flag"),
             Field("hired_by", "label", words=("company", "managing_entity", "group"))),
            least=0,
        ),
        Part("criteria", cite(("art33-II",)), (Field("criterion"), Field("document"))),
        Part("aspects", cite(("art56-p1-VIII",)), (Field("text"),), least=0),
        Part(
            "secrets", cite(("art27-III", "art68")),
            (Field("section", "section", words=SECRET), Field("asked_by", "cnpj"), Field("ground")), least=0,
        ),
    )  # fmt: skip


def _judge(law: Law, rows: Rows) -> tuple[Check, ...]:
    cite = law.norm.cite
    return (
        _balance(law, rows),
        *recyclers_agree(rows, cite(("art56-p1-V",))),
        plans_done(rows["plans"], cite(("art56-p1-VII",))),
        *_audited(law, rows),
        *_marked(law, rows),
    )


def _balance(law: Law, rows: Rows) -> Check:
    """What came in, with what was there, went out with proof or is still there."""
    (stock,) = rows["stock"]
    parts = (mass_of(rows["received"]), stock["opening"], mass_of(rows["destined"]), stock["closing"])
    cited = law.norm.cite(("art33-I", "art49-p4"))
    known = [one for one in parts if isinstance(one, Mass)]
    if len(known) < len(parts):
        return Check("unexplained", None, ZERO, "kg", None, cited)
    received, opening, destined, closing = known
    left = rules.unexplained(law, received=received + opening, destined=destined, stock=closing)
    return Check("unexplained", left, ZERO, "kg", left == ZERO, cited, "T06", stops=True)


def _audited(law: Law, rows: Rows) -> tuple[Check, ...]:
    """Audits are yearly; a report without one is told to be so, and goes on."""
    cited = law.norm.cite(("art56-p4", "art56-p5-I", "art56-p5-II"))
    if not rows["audits"]:
        return (Check("audited", False, True, "flag", False, cited, "T02"),)
    found = []
    for n, one in enumerate(rows["audits"], 1):
        same, hired = one["same_group"], one["hired_by"]
        met = None
        if isinstance(same, bool) and hired is not None:
            met = rules.audit_accepted(law, same_group=same, hired_by=str(hired))
        found.append(Check(f"audited.{n}", met, True, "flag", met, cited, "T06", stops=True))
    return tuple(found)


def _marked(law: Law, rows: Rows) -> tuple[Check, ...]:
    """What is kept from the public was asked for, and has its ground."""
    cited, found = law.norm.cite(("art27-III", "art68")), []
    for n, one in enumerate(rows["secrets"], 1):
        asked, ground = one["asked_by"] is not None, one["ground"] is not None
        met = entities.secrecy_marked(law, asked=asked, ground=ground)
        found.append(Check(f"secret.{n}", met, True, "flag", met, cited, "T02"))
    return tuple(found)


def consolidated(law: Law, *, year: int) -> Contents:
    """What the group sends to the ministry: sums by system, and no weight of a company."""
    article = law.norm.cite(("art56-p2", "art56-p3", "art20-X"))
    return Contents(
        articles={},
        parts=(by_system(article),),
        due=rules.report_due(law, year=year),
        judges=_equalise,
        by="group",
    )


def _equalise(law: Law, rows: Rows) -> tuple[Check, ...]:
    """Each system's balance in the global accounts of the group."""
    return system_balances(
        rows["systems"], law.norm.cite(("art20-IX",)),
        lambda attained, target: rules.equalised(law, attained=attained, target=target),
    )  # fmt: skip


DOCUMENTS = {
    "performance": performance,
    "ministry-report": consolidated,
    "communication-plan": communication.plan,
    **individual.INDIVIDUAL,
    **kept.KEPT,
}
