"""What the draft asks of the results given to the follow-up group (arts. 23, 59) and of the consolidation.

A draft obliges nobody: a document under it only simulates, and says so on every page.
"""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows
from lastro.lawkit.form_checks import plans_done, recyclers_agree, system_balances
from lastro.lawkit.forms import by_system
from lastro.units import Mass

from . import communication, entities, individual, kept, rules, targets

LICENCES = ("valid", "expired", "waived")
METALS = ("aluminium", "steel", "other_metal")
SECRET = ("received", "destined", "recyclers", "adherents", "reuse", "targets")
"""The sections that may be kept from the public, where it is asked for and has a ground."""


def results(law: Law, *, year: int) -> Contents:
    """The results of a year, as entities and individual systems give them to the group."""
    return Contents(
        articles={"targets": law.norm.cite(("art59-V",))}, parts=_parts(law),
        due=rules.results_due(law, year=year), judges=_judge, targets=True, to="gap",
    )  # fmt: skip


def _parts(law: Law) -> tuple[Part, ...]:
    cite = law.norm.cite
    metal = Field("material", "label", words=METALS)
    return (
        Part("municipalities", cite(("art59-I",)), (Field("municipality", "town"),)),
        Part(
            "points", cite(("art59-II",)),
            (Field("id"), Field("address"), Field("municipality", "town"), Field("latitude", "degrees"),
             Field("longitude", "degrees")),
        ),
        Part("received", cite(("art59-III",)), (metal, Field("mass", "kg")), sums=("mass",)),
        Part(
            "destined", cite(("art59-III", "art23-V")),
            (Field("certificate"), Field("recycler", "cnpj"), metal, Field("mass", "kg")), sums=("mass",),
        ),
        Part(
            "recyclers", cite(("art59-IV",)),
            (Field("cnpj", "cnpj"), Field("name"), Field("mass", "kg"),
             Field("licence", "label", words=LICENCES)),
            sums=("mass",),
        ),
        Part("plans", cite(("art59-VI",)), (Field("action"), Field("done", "flag"))),
        Part(
            "adherents", cite(("art23-p3",)),
            (Field("name"), Field("cnpj", "cnpj"), Field("main_activity")),
        ),
        Part("reuse", cite(("art51-p4",)), (Field("placed", "kg"), Field("refilled", "kg")), many=False),
        Part(
            "audits", cite(("art23-p4", "art60")),
            (Field("cnpj", "cnpj"), Field("on", "date"), Field("same_group", "flag"),
             Field("is_verifier", "flag"), Field("hired_by", "label", words=("managing_entity", "group"))),
            least=0,
        ),
        Part("aspects", cite(("art59-VII",)), (Field("text"),), least=0),
        Part(
            "secrets", cite(("art23-III", "art68")),
            (Field("section", "section", words=SECRET), Field("asked_by", "cnpj"), Field("ground")), least=0,
        ),
    )  # fmt: skip


def _judge(law: Law, rows: Rows) -> tuple[Check, ...]:
    cite = law.norm.cite
    return (
        *recyclers_agree(rows, cite(("art59-III", "art59-IV"))),
        plans_done(rows["plans"], cite(("art59-VI",))),
        _reuse(law, rows),
        *_audited(law, rows),
        *_marked(law, rows),
    )


def _reuse(law: Law, rows: Rows) -> Check:
    """Returnables have no target; how much of them was filled again is told all the same."""
    (one,) = rows["reuse"]
    cited, placed, refilled = law.norm.cite(("art51-p4",)), one["placed"], one["refilled"]
    if not isinstance(placed, Mass) or not isinstance(refilled, Mass):
        return Check("reuse_index", None, None, "share", None, cited)
    index = targets.reuse_index(law, placed=placed, refilled=refilled)
    return Check("reuse_index", index, None, "share", None if index is None else True, cited)


def _audited(law: Law, rows: Rows) -> tuple[Check, ...]:
    """Audits are yearly; a report without one is told to be so, and goes on."""
    cited = law.norm.cite(("art23-p4", "art60"))
    if not rows["audits"]:
        return (Check("audited", False, True, "flag", False, cited, "T02"),)
    found = []
    for n, one in enumerate(rows["audits"], 1):
        same, verifier, hired = one["same_group"], one["is_verifier"], one["hired_by"]
        met = None
        if isinstance(same, bool) and isinstance(verifier, bool) and hired is not None:
            met = rules.audit_accepted(law, same_group=same, is_verifier=verifier, hired_by=str(hired))
        found.append(Check(f"audited.{n}", met, True, "flag", met, cited, "T06", stops=True))
    return tuple(found)


def _marked(law: Law, rows: Rows) -> tuple[Check, ...]:
    """What is kept from the public is marked, and has its ground."""
    cited, found = law.norm.cite(("art23-III", "art68")), []
    for n, one in enumerate(rows["secrets"], 1):
        marked, ground = one["section"] is not None, one["ground"] is not None
        met = entities.secrecy_marked(law, marked=marked, ground=ground)
        found.append(Check(f"secret.{n}", met, True, "flag", met, cited, "T02"))
    return tuple(found)


def consolidated(law: Law, *, year: int) -> Contents:
    """What the group sends to the ministry: sums by system, each with the day on which it told them."""
    article = law.norm.cite(("art19-IV", "art23-p1", "art59-pu"))
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
        rows["systems"], law.norm.cite(("art19-III",)),
        lambda attained, target: rules.equalised(law, attained=attained, target=target),
    )  # fmt: skip


DOCUMENTS = {
    "group-results": results,
    "ministry-report": consolidated,
    "communication-plan": communication.plan,
    "audit-report": communication.audit,
    **individual.INDIVIDUAL,
    **kept.KEPT,
}
