"""What the decree says of the annual results report: base year, last day, the provision of each part."""

from __future__ import annotations

from lastro.lawkit import Law, ReportTerms

from . import rules

PARTS = {
    "report": ("art21", "art67-pu"),
    "members": ("art18", "art68"),
    "placed": ("art69",),
    "collective": ("art73",),
    "recovered": ("art55-I", "art57", "art70"),
    "origins": ("art27", "art28"),
    "targets": ("art42", "annex-1"),
    "attained": ("art63-III",),
    "geography": ("art71", "annex-2-a", "annex-2-b", "annex-2-c"),
    "partnerships": ("art45",),
    "make_up": ("post74-pu",),
    "verification": ("art69-pu",),
    "verifier": ("art53", "art60-pu"),
    "homologation": ("art60",),
    "destination": ("art69-pu", "art74"),
    "evidence": ("art58-pu", "art60"),
}
"""The provisions behind each part of the report and of the verifier's statement."""


def reports(law: Law, *, year: int) -> ReportTerms:
    """The terms of the report on the results of a year, delivered in the next."""
    return ReportTerms(
        base_year=rules.base_year(law, year=year),
        due=rules.report_due(law, year=year),
        articles={part: law.norm.cite(provisions) for part, provisions in PARTS.items()},
        make_up=rules.make_up_allowed(law, year=year, made_up_in=year + int(law.make_up.years_after)),
    )
