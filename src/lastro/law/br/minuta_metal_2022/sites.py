"""What the draft asks of points: one for every ten thousand inhabitants, a tenth of them each year."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.sites import SiteTerms

from . import rules


def sites(law: Law) -> SiteTerms:
    """The terms of art. 55; points tell where they stand (art. 59, II)."""
    return SiteTerms(
        required=lambda people: rules.points_required(law, population=people),
        by_year=lambda points, year: rules.points_by_year(law, points=points, year_of_phase=year),
        consolidation=int(law.points.consolidation),
        coordinates=True,
        article=law.norm.cite(("art55-II", "art55-III", "art55-p1")),
    )
