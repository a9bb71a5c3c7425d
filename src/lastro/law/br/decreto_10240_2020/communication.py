"""What the decree asks of a system's plan of communication (arts. 41 and 42)."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows
from lastro.lawkit.form_checks import plans_done, present

CONTENTS = {
    "destination_and_no_mixing": "art42-I",
    "private_data": "art42-II",
    "care_in_return": "art42-III",
    "life_cycle": "art42-IV",
    "where_points_are": "art42-V",
    "site_of_actions": "art42-VI",
}
"""The six contents of a plan, by the provision that asks for each."""

AIMS = ("publicise", "products_returned", "packaging_returned")


def plan(law: Law, *, year: int) -> Contents:
    """The plan of communication of a system, as it stands in a year."""
    cite = law.norm.cite
    parts = (
        Part("plan_version", cite(("art41",)), (Field("version"), Field("on", "date")), many=False),
        Part("aims", cite(("art41",)), (Field("aim", "label", words=AIMS), Field("text"))),
        Part("contents", cite(("art42",)), (Field("subject", "label", words=tuple(CONTENTS)), Field("text"))),
        Part("plans", cite(("art41",)), (Field("action"), Field("done", "flag")), least=0),
    )
    return Contents({}, parts, judges=_judge)


def _judge(law: Law, rows: Rows) -> tuple[Check, ...]:
    """Every content is there; an aim that is not (the packaging's, most often) is told and does not stop."""
    cite = law.norm.cite
    wanted = {word: cite((one,)) for word, one in CONTENTS.items()}
    aims = dict.fromkeys(AIMS, cite(("art41",)))
    found = (*present(rows["contents"], "subject", wanted), *present(rows["aims"], "aim", aims, stops=False))
    return (*found, plans_done(rows["plans"], cite(("art41",)))) if rows["plans"] else found
