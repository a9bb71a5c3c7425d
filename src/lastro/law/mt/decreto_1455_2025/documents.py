"""What the decree asks of the declaration of packaging (art. 14), an operator's file (art. 59) and others."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law
from lastro.lawkit.contents import Check, Contents, Field, Part, Rows

from . import duties, kept, rules, statements

SIZES = ("mei", "me", "epp", "cooperative")


def declaration(law: Law, *, year: int) -> Contents:
    """The packaging that a small firm or a cooperative placed in the state in a year."""
    cite = law.norm.cite
    classes = tuple(code for code in sorted(duties.catalogue()) if code.startswith(duties.SMALL_FIRMS_MAY))
    parts = (
        Part(
            "establishment", cite(("art14-I",)),
            (Field("company_size", "label", words=SIZES), Field("licence")), many=False,
        ),
        Part(
            "packaging", cite(("art14-II-b", "art14-p1")),
            (Field("class", "code", words=classes), Field("material", "material"),
             Field("professional", "flag", needed=False), Field("federal_agreement", "flag", needed=False),
             Field("placed", "kg")),
            sums=("placed",),
        ),
    )  # fmt: skip
    return Contents({}, parts, due=duties.declaration_due(law, year=year), judges=_within, by="company")


def _within(law: Law, rows: Rows) -> tuple[Check, ...]:
    """The exemption that the declaration serves reaches some products only."""
    cited, found = law.norm.cite(("art14-p1", "art14-p1-d")), []
    for n, one in enumerate(rows["packaging"], 1):
        code, professional, agreement = one["class"], one["professional"], one["federal_agreement"]
        met = None
        if code is not None and not (code == "II-d" and professional is True and agreement is None):
            met = duties.small_firm_product(
                law, code=str(code), professional=professional is True, federal_agreement=agreement is True
            )
        found.append(Check(f"within_exemption.{n}", met, True, "flag", met, cited, "T06", stops=True))
    return tuple(found)


def operator_file(law: Law, *, year: int) -> Contents:
    """The papers on which an operator is vetted for a year, one line an operator."""
    cite = law.norm.cite
    fields = (
        Field("cnpj", "cnpj"), Field("name"), Field("state_registration", instead="exempt_of_registration"),
        Field("municipal_registration", instead="exempt_of_registration"),
        Field("exempt_of_registration", "text", needed=False), Field("licence", instead="waiver"),
        Field("licence_to", "date", instead="waiver"), Field("waiver", needed=False), Field("permit"),
        Field("permit_to", "date", needed=False), Field("vetted_on", "date"),
    )  # fmt: skip
    article = cite(("art59", "art59-I", "art59-II", "art59-III", "art59-IV"))
    return Contents({}, (Part("operators", article, fields),), judges=_vetted)


def _vetted(law: Law, rows: Rows) -> tuple[Check, ...]:
    """On the day of the vetting the licence stands; the vetting then holds for its year."""
    found = []
    for n, one in enumerate(rows["operators"], 1):
        on, licence = one["vetted_on"], one["licence_to"]
        if isinstance(licence, date):
            met = licence >= on if isinstance(on, date) else None
            cited = law.norm.cite(("art59-III",))
            found.append(Check(f"licence_stands.{n}", licence, on, "date", met, cited, "T06", stops=True))
        last = rules.vetting_last_day(law, vetted_on=on) if isinstance(on, date) else None
        cited = law.norm.cite(("art59",))
        met = None if last is None else True
        found.append(Check(f"vetted_to.{n}", last, None, "date", met, cited))
    return tuple(found)


def qualification(law: Law, *, year: int) -> Contents:
    """What an entity hands over when the agency asks for its qualification and for its verifiers'."""
    cite = law.norm.cite
    paper = (
        Field("document"),
        Field("issued_by"),
        Field("on", "date"),
        Field("valid_to", "date", needed=False),
    )
    parts = (
        Part(
            "request", cite(("art54",)), (Field("asked_on", "date"), Field("answered_on", "date")), many=False
        ),
        Part("entity_papers", cite(("art54",)), paper),
        Part("verifier_papers", cite(("art54", "art53")), (Field("cnpj", "cnpj"), Field("name"), *paper)),
    )
    return Contents({}, parts, judges=_qualified)


def _qualified(law: Law, rows: Rows) -> tuple[Check, ...]:
    """A paper that has run out by the day of the answer is told with its line."""
    (request,) = rows["request"]
    on, cited, found = request["answered_on"], law.norm.cite(("art54",)), []
    for key in ("entity_papers", "verifier_papers"):
        for n, one in enumerate(rows[key], 1):
            last = one["valid_to"]
            if isinstance(last, date):
                met = last >= on if isinstance(on, date) else None
                found.append(Check(f"{key}_stand.{n}", last, on, "date", met, cited, "T06"))
    return tuple(found)


DOCUMENTS = {
    "packaging-declaration": declaration,
    "operator-file": operator_file,
    "qualification": qualification,
    **statements.STATEMENTS,
    **kept.KEPT,
}
