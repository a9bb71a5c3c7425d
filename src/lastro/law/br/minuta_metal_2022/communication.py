"""What the draft asks of a plan of communication (arts. 23, 43 and 44) and of an audit (art. 23)."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows
from lastro.lawkit.form_checks import plans_done, present

from . import rules

CONTENTS = {
    "destination_is_due": "art44-I",
    "where_points_are": "art44-II",
    "how_to_discard": "art44-III",
    "results_and_targets": "art44-IV",
    "system_actions": "art44-V",
    "benefits": "art44-VI",
}
"""The six contents that every plan has; a seventh is what the ministry asked for, if it did."""

STRESSED = ("green_jobs", "greenhouse_gases", "energy", "natural_resources")
THEMES = ("disposal", "the_system", "results")


def plan(law: Law, *, year: int) -> Contents:
    """The plan of communication of a system, as it stands in a year, with what was done of it."""
    cite = law.norm.cite
    words = tuple(CONTENTS)
    parts = (
        Part("plan_version", cite(("art43",)), (Field("version"), Field("on", "date")), many=False),
        Part("audiences", cite(("art43",)), (Field("audience", "word"), Field("text"))),
        Part("contents", cite(("art44",)), (Field("subject", "label", words=words), Field("text"))),
        Part(
            "benefits_told", cite(("art44-VI",)),
            (Field("benefit", "label", words=STRESSED), Field("text")), least=0,
        ),
        Part(
            "asked_by_ministry", cite(("art44-VII",)),
            (Field("topic"), Field("on", "date"), Field("text")), least=0,
        ),
        Part(
            "plans", cite(("art23-II",)),
            (Field("theme", "label", words=THEMES), Field("action"), Field("done", "flag")),
        ),
    )  # fmt: skip
    return Contents({}, parts, judges=_judge)


def _judge(law: Law, rows: Rows) -> tuple[Check, ...]:
    cite = law.norm.cite
    wanted = {word: cite((one,)) for word, one in CONTENTS.items()}
    return (
        *present(rows["audiences"], "audience", {"consumers": cite(("art43",))}),
        *present(rows["contents"], "subject", wanted),
        *present(rows["benefits_told"], "benefit", dict.fromkeys(STRESSED, cite(("art44-VI",))), stops=False),
        *present(rows["plans"], "theme", dict.fromkeys(THEMES, cite(("art23-II",)))),
        plans_done(rows["plans"], cite(("art23-II",))),
    )


def audit(law: Law, *, year: int) -> Contents:
    """The report of a year's audit: papers seen, places visited, laws kept."""
    cite = law.norm.cite
    parts = (
        Part(
            "auditor", cite(("art23-p4", "art60")),
            (Field("cnpj", "cnpj"), Field("name"), Field("on", "date"), Field("same_group", "flag"),
             Field("is_verifier", "flag"), Field("hired_by", "label", words=("managing_entity", "group"))),
            many=False,
        ),
        Part("papers_seen", cite(("art23-p5",)), (Field("document"), Field("of_whom"), Field("seen"))),
        Part(
            "inspections", cite(("art23-p5",)),
            (Field("municipality", "town"), Field("place"), Field("on", "date"), Field("seen")),
        ),
        Part("laws_kept", cite(("art23-p5",)), (Field("what"), Field("kept", "flag"))),
    )  # fmt: skip
    return Contents({}, parts, judges=_audited, to="gap")


def _audited(law: Law, rows: Rows) -> tuple[Check, ...]:
    """The auditor stands apart; a law that is not kept is told, and takes nothing from the report."""
    (one,) = rows["auditor"]
    cited, met = law.norm.cite(("art23-p4", "art60")), None
    same, verifier, hired = one["same_group"], one["is_verifier"], one["hired_by"]
    if isinstance(same, bool) and isinstance(verifier, bool) and hired is not None:
        met = rules.audit_accepted(law, same_group=same, is_verifier=verifier, hired_by=str(hired))
    checks = [Check("audited", met, True, "flag", met, cited, "T06", stops=True)]
    for n, line in enumerate(rows["laws_kept"], 1):
        kept = line["kept"] if isinstance(line["kept"], bool) else None
        checks.append(Check(f"law_kept.{n}", kept, True, "flag", kept, law.norm.cite(("art23-p5",))))
    return tuple(checks)
