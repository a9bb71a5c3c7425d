"""What the decree asks of points: one for every twenty-five thousand inhabitants of a served municipality."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.sites import SiteTerms

from . import rules


def sites(law: Law) -> SiteTerms:
    """The terms of art. 48, § 2º; addresses are told, coordinates need not be (art. 56, § 1º, II)."""
    return SiteTerms(
        required=lambda people: rules.points_required(law, population=people),
        by_year=None,
        consolidation=0,
        coordinates=False,
        article=law.norm.cite(("art48-p2",)),
    )
