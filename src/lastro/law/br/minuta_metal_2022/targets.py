"""Recycling targets of the draft: regions, options, first year, what is left over (arts. 51 to 54, 58)."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from lastro.lawkit import Law, rule
from lastro.units import ExactMass, Mass, Share

NOTHING = ExactMass(Fraction(0))
MONTHS_OF_YEAR = 12


@rule(provisions=("art51-p1",), label="Ano da massa colocada")
def base_year(law: Law, *, year: int) -> int:
    """A year's targets are applied to what was placed on the market the year before."""
    return year - int(law.base.years_back)


@rule(provisions=("art51-p3", "art72"), label="Massa sujeita à meta", reading="retornaveis-fora")
def subject_mass(law: Law, *, placed: ExactMass, returnable: ExactMass, excluded: ExactMass) -> ExactMass:
    """Returnable packaging and that of medicines, pesticides and lubricants have no target here."""
    return placed - returnable - excluded


@rule(
    provisions=("art51-p2-I", "art51-I", "art51-II", "art13-pu"),
    label="Meta em massa",
    reading="indice-sobre-a-massa-nacional",
)
def target_mass(law: Law, *, index: Share, placed: ExactMass) -> ExactMass:
    """A regional or national index is taken of all that the company placed in the country."""
    return index.of(placed)


@rule(provisions=("art51-p2-III",), label="Meta de região sem vendas a somar nas demais")
def moved_from(law: Law, *, target: ExactMass, placed_there: ExactMass) -> ExactMass:
    """Where the company places nothing, the region's target is added to others that it chooses."""
    return target if placed_there == NOTHING else NOTHING


@rule(
    provisions=("art51-p2-IV",),
    label="Pode usar o índice nacional na região",
    reading="opcao-iv-sobre-o-inciso-i",
)
def may_use_national(law: Law, *, target: ExactMass, placed_there: ExactMass, national: Share) -> bool:
    """Where the target is a greater part of what was placed there than the national index, strictly."""
    return placed_there > NOTHING and target > national.of(placed_there)


@rule(
    provisions=("art51-p2-IV-a",),
    label="Diferença que passa a outra região",
    reading="opcao-iv-sobre-o-inciso-i",
)
def moved_by_option(law: Law, *, target: ExactMass, placed_there: ExactMass, national: Share) -> ExactMass:
    """What the option takes from a region is added to one other region, in the same year."""
    return target - national.of(placed_there)


@rule(provisions=("art51-p2-II", "art51-p2-IV-b"), label="Meta nacional cumprida")
def national_met(law: Law, *, target: ExactMass, achieved: ExactMass) -> bool:
    """All that the company achieved, wherever it was, against the national target."""
    return achieved >= target


@rule(provisions=("art51-p2-V",), label="Meta regional cumprida")
def region_met(law: Law, *, target: ExactMass, achieved: ExactMass) -> bool:
    """A region in which the company places packaging is compared with its own result."""
    return achieved >= target


@rule(provisions=("art51-p2-VI",), label="Índice de reciclagem cumprido")
def recycling_met(law: Law, *, national: bool, regions: tuple[bool, ...]) -> bool:
    """The national target and every regional one, together."""
    return national and all(regions)


@rule(provisions=("art51-p4",), label="Índice de reutilização")
def reuse_index(law: Law, *, placed: Mass, refilled: Mass) -> Share | None:
    """Returnable packaging has no target and is reported: how much of it was filled again."""
    return refilled.share_of(placed) if placed else None


@rule(provisions=("art51-p5",), label="Retornável inapta reciclada que conta")
def unfit_returnable(law: Law, *, recycled: Mass, unfit: Mass) -> Mass:
    """Returnables that can't be reused any more count when they are recycled."""
    return min(recycled, unfit)


@rule(provisions=("art3-V", "art52"), label="Índice de conteúdo reciclado")
def content_index(law: Law, *, recycled: Mass, whole: Mass) -> Share | None:
    """The recycled part of all the raw material of a metal's packaging; without mass there is no index."""
    return recycled.share_of(whole) if whole else None


@rule(provisions=("art53",), label="Meses cheios do primeiro ano", reading="meses-cheios")
def full_months(law: Law, *, start: date) -> int:
    """The whole months left in the year when Phase 2 begins; one that began before the day is not whole."""
    return MONTHS_OF_YEAR - start.month + (1 if start.day == 1 else 0)


@rule(
    provisions=("art53", "art53-pu-I", "art53-pu-II"),
    label="Percentual nacional do primeiro ano",
    reading="teto-antes-da-proporcao",
)
def first_year_share(law: Law, *, annual: Share, metal: str, index: str, months: int) -> Share:
    """The year's national share, held to the first year's ceiling, in proportion to the whole months left."""
    ceiling: Share = getattr(getattr(law.first_year, metal), index)
    return Share(min(annual, ceiling).of_one * Fraction(months, MONTHS_OF_YEAR))


@rule(provisions=("art53",), label="Percentual regional do primeiro ano", reading="teto-antes-da-proporcao")
def first_year_region(law: Law, *, annual: Share, months: int) -> Share:
    """A regional share of the first year, in the same proportion and without a ceiling."""
    return Share(annual.of_one * Fraction(months, MONTHS_OF_YEAR))


@rule(provisions=("art54",), label="Sobra para o ano seguinte", reading="sobra-so-de-meta-cumprida")
def surplus(law: Law, *, all_met: bool, achieved: ExactMass, target: ExactMass) -> ExactMass:
    """What exceeds the national target may be deducted the next year, if all its year's targets were met."""
    return max(NOTHING, achieved - target) if all_met else NOTHING


@rule(provisions=("art54",), label="Meta depois da sobra", reading="sobra-so-de-meta-cumprida")
def after_surplus(law: Law, *, target: ExactMass, left_over: ExactMass, years_since: int) -> ExactMass:
    """The surplus of the year before is deducted from the target; an older one is gone."""
    return max(NOTHING, target - left_over) if years_since == law.surplus.years else target


@rule(provisions=("art58",), label="Metas quantitativas cumpridas")
def all_met(law: Law, *, recycling: bool, content: bool | None) -> bool | None:
    """Recycling and recycled content, together; a metal without a content target by recycling alone."""
    return recycling if content is None else recycling and content
