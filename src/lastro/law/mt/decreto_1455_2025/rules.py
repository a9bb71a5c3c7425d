"""Decreto MT 1.455/2025, as arithmetic. Article order; one small rule per provision.

Masses are exact, shares are of one, years are calendar years. What a rule cannot know it is not given.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from lastro.ids import Origin
from lastro.lawkit import Law, rule
from lastro.units import ZERO, ExactMass, Mass, Share

GRAM = Mass.parse("1 g")
"""A certificate speaks of whole grams (field VII is in kilograms with three decimals at most)."""


@rule(
    provisions=("art6-p1-I-l", "art46-p4"), label="Massa descartável colocada no mercado",
    reading="base-so-descartaveis",
)  # fmt: skip
def one_way_mass(law: Law, *, placed: ExactMass, returnable: ExactMass) -> ExactMass:
    """What must come back as waste is the one-way packaging; returnables come back by their own scheme."""
    return placed - returnable


@rule(provisions=("art7-p5", "art69"), label="Ano-base da massa colocada no mercado")
def base_year(law: Law, *, year: int) -> int:
    """The target of a year is applied to what was placed in the year before it."""
    return year - int(law.base.years_back)


@rule(provisions=("art7-p5", "art69"), label="Massa a recuperar")
def target_mass(law: Law, *, target: Share, placed: ExactMass) -> ExactMass:
    """What is owed is the target's share of the mass placed on the state's market the year before."""
    return target.of(placed)


@rule(provisions=("art14-I",), label="Dispensa de plano e relatório", reading="porte-com-declaracao")
def exempt_from_plan(law: Law, *, size: str, declared: bool) -> bool:
    """Small firms and cooperatives owe no plan and no annual report while they deliver their declaration."""
    return declared and size in ("mei", "me", "epp", "cooperative")


@rule(provisions=("art21", "art67-pu"), label="Entrega do Relatório Anual de Resultados")
def report_due(law: Law, *, year: int) -> date:
    """The results of a year are reported by 30 July of the next."""
    due: date = law.report.due.of(year + int(law.report.years_after))
    return due


ELIGIBLE = frozenset({Origin.MUNICIPAL, Origin.CONCESSION, Origin.PICKER_ENTITY, Origin.PRIVATE_PEV})
"""The origins of art. 27, I to IV."""


@rule(
    provisions=("art27", "art28"), label="Origem elegível", reading="reciclador-so-com-prova",
)  # fmt: skip
def eligible_origin(
    law: Law, *, origin: Origin, destination_proved: bool | None, upstream_known: bool
) -> bool:
    """Four origins are eligible as such; a private recycler only with proof of destination and of the chain.

    Any other origin (a waste management plan, a dealer, the scrap of an industry) is not on the list. What is
    not proved is not eligible: art. 28 makes the certificates of destination and the tracing of invoices a
    condition.
    """
    if origin is Origin.PRIVATE_RECYCLER:
        return destination_proved is True and upstream_known
    return origin in ELIGIBLE


@rule(provisions=("art27", "art28"), label="Sistema em que a origem conta")
def origin_counts_in_scheme(law: Law, *, origin: Origin, scheme: str) -> bool:
    """A private recycler's mass counts only for systems that issue certificates; the four origins for all."""
    return origin in ELIGIBLE or (origin is Origin.PRIVATE_RECYCLER and scheme == "certificates")


@rule(provisions=("art28",), label="Massa elegível do reciclador privado")
def recycler_mass(law: Law, *, mass: Mass, upstream_counted: Mass) -> Mass:
    """A recycler's mass counts only where it was not counted earlier in the chain."""
    return max(ZERO, mass - upstream_counted)


@rule(provisions=("art29",), label="Aerossóis fora do material", reading="aerossois-fora")
def without_aerosols(law: Law, *, mass: ExactMass, aerosol: ExactMass) -> ExactMass:
    """Aerosol packaging meets no target through its material, and makes none."""
    return max(ExactMass(Fraction(0)), mass - aerosol)


@rule(
    provisions=("art39-p2", "art41"), label="Meta mais exigente entre as fontes",
    reading="fonte-mais-exigente",
)  # fmt: skip
def strictest(law: Law, *, targets: tuple[Share, ...]) -> Share:
    """Where several acts set a target, the most demanding prevails."""
    return max(targets)


@rule(provisions=("art7-p3", "art40"), label="Meta do termo de compromisso", reading="termo-justificado")
def term_target(law: Law, *, target: Share, term: Share, justified: bool) -> Share:
    """A term's own target, if justified, holds for its adherents; else it is never below the table."""
    return term if justified else max(target, term)


@rule(provisions=("art42", "art57"), label="Meta alcançada com o próprio material")
def met_by_material(law: Law, *, owed: ExactMass, achieved: Mass) -> bool:
    """Each material meets its own target; what is left over in one does not help another."""
    return achieved.exact >= owed


@rule(provisions=("art43",), label="Apuração independente do material", reading="estruturante-art-44")
def met_regardless_of_material(
    law: Law, *, owed: Mapping[str, ExactMass], achieved: Mapping[str, Mass]
) -> bool:
    """With formal partnerships proved, a structuring system may be judged on the total alone."""
    return _sum(achieved) >= _sum(owed)


@rule(provisions=("art44-I", "art44-II"), label="Metade livre alcançada", reading="estruturante-art-44")
def free_half_met(law: Law, *, owed: Mapping[str, ExactMass], achieved: Mapping[str, Mass]) -> bool:
    """What is left after every material's own half must reach the half that knows no material."""
    free: Share = law.structuring.free_half
    own: Share = law.structuring.material_half
    return _sum(achieved) - _sum(owed) * own >= _sum(owed) * free


@rule(provisions=("art44-II",), label="Metade do próprio material alcançada")
def material_half_met(law: Law, *, owed: ExactMass, achieved: Mass) -> bool:
    """Half of the target of each material is met with that material."""
    own: Share = law.structuring.material_half
    return achieved.exact >= owed * own


def _sum(masses: Mapping[str, ExactMass] | Mapping[str, Mass]) -> ExactMass:
    return ExactMass(sum((Fraction(m.mg) for m in masses.values()), Fraction(0)))


@rule(
    provisions=("art46-p1",), label="Pontos de desconto por embalagens retornáveis",
    reading="retornaveis-degraus-inteiros",
)  # fmt: skip
def returnable_points(law: Law, *, returnable: ExactMass, placed: ExactMass) -> Share:
    """Every full step of returnables in all the packaging placed is worth one point."""
    step: Share = law.returnables.step
    point: Share = law.returnables.discount
    return Share(returnable.mg / placed.mg) // step * point


@rule(
    provisions=("art46-p1", "art46-p2"), label="Desconto por embalagens retornáveis",
    reading="retornaveis-degraus-inteiros",
)  # fmt: skip
def returnables_discount(law: Law, *, target: Share, returnable: ExactMass, placed: ExactMass) -> Share:
    """Every full step of returnables takes one point off the target, up to half of it."""
    ceiling: Share = law.returnables.ceiling
    return min(returnable_points(law, returnable=returnable, placed=placed), target * ceiling)


@rule(
    provisions=("art49", "art50"), label="Desconto por retornáveis permitido",
    reading="arts-49-50-barram-os-dois",
)  # fmt: skip
def returnables_allowed(law: Law, *, scheme: str, sector: str) -> bool:
    """Neither a company in a scheme run by certificates nor a collective tyre plan has the discount.

    Of a company whose scheme is not known, nothing says that it may have it.
    """
    barred = ("certificates", "collective") if sector == "pneus" else ("certificates",)
    return scheme != "" and scheme not in barred


@rule(provisions=("art49",), label="Último dia de compra do certificado", reading="compra-ate-o-fim-do-ano")
def last_purchase_day(law: Law, *, year: int) -> date:
    """Certificates on a year's sales can be bought at any time of the year that follows."""
    return date(year + int(law.certificates.purchase_years_after), 12, 31)


@rule(provisions=("art59",), label="Último dia da homologação do operador", reading="prazo-em-anos")
def vetting_last_day(law: Law, *, vetted_on: date) -> date:
    """An operator is vetted at least once a year: twelve months from the last time."""
    return same_day(vetted_on, years=int(law.vetting.validity))


@rule(provisions=("art61",), label="Massa ainda certificável da nota", reading="gramas-inteiros")
def certifiable(law: Law, *, invoice: Mass, certified: Mass) -> Mass:
    """One certificate for each mass: what was certified already is not there any more."""
    left = max(0, invoice.mg - certified.mg)
    return Mass(left - left % GRAM.mg)


@rule(provisions=("art62",), label="Certificado que ainda pode ser vendido")
def may_be_sold(law: Law, *, sales: int) -> bool:
    """A certificate is sold once, by the managing entity; who bought it does not pass it on."""
    return sales < int(law.certificates.sales)


@rule(provisions=("art26-II",), label="Sistema que pode emitir certificados")
def system_certifies(law: Law, *, term_foresees: bool) -> bool:
    """Only a system whose term of commitment with the agency foresees certificates issues any that count."""
    return term_foresees


@rule(provisions=("art26-II",), label="Comprador aderente do termo")
def may_buy(law: Law, *, adherent: bool) -> bool:
    """Only who adheres to the term buys certificates that count."""
    return adherent


@rule(provisions=("art63-III",), label="Percentual de atingimento")
def attained_share(law: Law, *, achieved: Mass, placed: ExactMass) -> Share:
    """What part of the mass placed was compensated. Raises ZeroDivisionError when nothing was placed."""
    return Share(achieved.mg / placed.mg)


@rule(provisions=("art65",), label="Último dia de validade do certificado", reading="prazo-em-anos")
def certificate_last_day(law: Law, *, issued_on: date) -> date:
    """A certificate lives one year: to the same day of the next year, that day included."""
    return same_day(issued_on, years=int(law.certificates.validity))


@rule(provisions=("art70",), label="Nota dentro da janela do ano", reading="janela-ano-da-nota")
def in_window(law: Law, *, issued_on: date, year: int) -> bool:
    """Only invoices issued in the reference year of the report count."""
    return bool(year - law.window.years_back <= issued_on.year <= year)


@rule(provisions=("art71",), label="Municípios a atender na faixa", reading="geografica-por-municipios")
def towns_to_serve(law: Law, *, geographic: Share, towns: int) -> int:
    """The share of a class's towns that must be served, rounded up to whole towns."""
    exact = geographic.of_one * towns
    return -(-exact.numerator // exact.denominator)


@rule(provisions=("art72",), label="Massa em Mato Grosso pela participação no ICMS")
def icms_proxy(law: Law, *, national: Mass, icms_share: Share) -> ExactMass:
    """Without state data, the national mass is taken in the state's part of the ICMS revenue."""
    return icms_share.of(national)


@rule(provisions=("art74",), label="Último dia de guarda dos comprovantes", reading="prazo-em-anos")
def keep_until(law: Law, *, issued_on: date) -> date:
    """Proofs of destination are kept for five years."""
    return same_day(issued_on, years=int(law.retention.years))


@rule(provisions=("post74-pu",), label="Compensação no ano seguinte", reading="compensacao-desligada")
def make_up_allowed(law: Law, *, year: int, made_up_in: int) -> bool:
    """A missed target may be made up in the next year only, once the text that allows it is loaded."""
    return bool(law.make_up.enabled) and made_up_in == year + int(law.make_up.years_after)


@rule(
    provisions=("annex-2-a", "annex-2-b", "annex-2-c"), label="Índice geográfico da faixa do município",
    reading="geografica-por-municipios",
)  # fmt: skip
def geographic_target(law: Law, *, target: Share, population: int) -> Share:
    """The larger the town, the larger the part of the quantitative target that its class must reach."""
    bands = law.geographic
    part: Share
    if population >= bands.large.population:
        part = bands.large.share
    elif population >= bands.medium.population:
        part = bands.medium.share
    else:
        part = bands.small.share
    return target * part


def same_day(day: date, *, years: int) -> date:
    """The same day some years later; where that day does not exist, the next one.

    Source: Código Civil, art. 132, § 3º.
    """
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 3, 1)
