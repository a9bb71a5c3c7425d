"""Decreto 10.240/2020, as arithmetic, in the order of its articles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction

from lastro.lawkit import Law, rule
from lastro.units import ExactMass, Mass, Money, Share

NOTHING = ExactMass(Fraction(0))
TONNE_MG = Mass.parse("1 t").mg


@rule(provisions=("art3-XIV", "art4", "art4-p1", "annex1"), label="Produto deste decreto")
def in_scope(law: Law, *, volts: int, household: bool, listed: bool) -> bool:
    """A household product of the list that works at up to 240 volts."""
    return volts <= law.scope.volts and household and listed


@rule(provisions=("art3-XVII", "art3-XVIII"), label="Uso doméstico")
def household_use(law: Law, *, natural_person: bool) -> bool:
    """Own, residential or family use by a natural person.

    What governments and firms use is counted elsewhere.
    """
    return natural_person


@rule(provisions=("art3-IV", "art7"), label="Descarte aceito", reading="pequenas-recebem-e-nao-contam")
def disposal_accepted(law: Law, *, natural_person: bool, small_firm: bool, option: bool) -> bool:
    """Household users return; a system may choose to accept similar products of micro and small firms too."""
    return natural_person or (small_firm and option)


@rule(provisions=("art8", "art8-I", "art8-II"), label="Fase do sistema")
def phase(law: Law, *, on: date) -> int:
    """Phase 1 ran to the end of 2020; everything from 2021 on is Phase 2."""
    return 2 if on >= date.fromisoformat(law.phase.second_begins) else 1


@rule(provisions=("art8-p4-I", "art8-p4-II"), label="Revisão do cronograma aceita", reading="so-remanejar")
def reschedule_accepted(law: Law, *, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """A revision moves municipalities among the years; it takes none out and puts none in."""
    return sorted(before) == sorted(after)


@rule(provisions=("art13-I", "art13-II"), label="Reciclador aceito")
def recycler_accepted(law: Law, *, on: date, licence_to: date | None, enabled_from: date | None) -> bool:
    """A recycler is licensed on the day it receives, and enabled by the company or entity before it."""
    licensed = licence_to is not None and on <= licence_to
    return licensed and enabled_from is not None and enabled_from <= on


@rule(provisions=("art16-I",), label="Parte do custo", reading="parcela-do-peso-domestico")
def cost_shares(law: Law, *, cost: Money, placed: Mapping[str, Mass]) -> Mapping[str, Money]:
    """A system's cost is shared by household mass placed, to the last cent; without any mass nobody pays."""
    whole = sum(mass.mg for mass in placed.values())
    if not whole:
        return dict.fromkeys(placed, Money(0))
    exact = {name: Fraction(cost.cents * mass.mg, whole) for name, mass in placed.items()}
    cents = {name: value.__floor__() for name, value in exact.items()}
    left = cost.cents - sum(cents.values())
    for name in sorted(exact, key=lambda one: (cents[one] - exact[one], one))[:left]:
        cents[name] += 1
    return {name: Money(value) for name, value in cents.items()}


@rule(provisions=("art16-III",), label="Valor por produto, atualizado")
def updated_fee(law: Law, *, fee: Money, index: Share) -> Money:
    """Funds are fixed by type of product, and updated by an official index."""
    return Money((fee.cents * (1 + index.of_one) + Fraction(1, 2)).__floor__())


@rule(provisions=("art17",), label="Custo destacado na nota")
def visible_fee_accepted(law: Law, *, shown: Money, contracted: Money, units: int) -> bool:
    """What an invoice shows is the contracted cost of its units, whole and with nothing added."""
    return shown.cents == contracted.cents * units


@rule(provisions=("art20-II", "art73"), label="Instrumento de governança do grupo de acompanhamento")
def governance_due(law: Law) -> date:
    """The follow-up group has its governance instrument 180 days after the decree came into force."""
    return law.norm.in_force_since + timedelta(days=int(law.gap.governance_days))


@rule(provisions=("art20-IX",), label="Saldo do sistema na contabilidade global")
def equalised(law: Law, *, attained: ExactMass, target: ExactMass) -> ExactMass:
    """What a system destined above its own target, or below it.

    The systems' balances add up to the whole's.
    """
    return attained - target


@rule(provisions=("art23",), label="Próxima reunião do grupo de acompanhamento")
def meeting_due(law: Law, *, last: date) -> date:
    """The follow-up group meets at least every 180 days."""
    return last + timedelta(days=int(law.gap.meeting_days))


@rule(provisions=("art33-I", "art49-p4"), label="Massa sem explicação")
def unexplained(law: Law, *, received: Mass, destined: Mass, stock: Mass) -> Mass:
    """All that is received is destined, orphan and grey products too.

    What is neither destined nor in stock is amiss.
    """
    return received - destined - stock


@rule(provisions=("art36-p1", "art36-p2"), label="Deveres de comerciante")
def merchant_duties(law: Law, *, sells: bool, role: str) -> bool:
    """Whoever sells to consumers, mobile operators too, in a shop or not, has a merchant's duties."""
    return sells and role in ("merchant", "mobile_operator")


@rule(provisions=("art46",), label="Reavaliação dos planos (recomendada)")
def plan_review(law: Law, *, last: date) -> date:
    """Plans are preferably evaluated anew every two years: a reminder, never a default."""
    year = last.year + int(law.plans.years)
    return last.replace(year=year) if (last.month, last.day) != (2, 29) else date(year, 3, 1)


@rule(
    provisions=("art48-p2", "annex3"), label="Pontos de recebimento no município", reading="pontos-para-cima"
)
def points_required(law: Law, *, population: int) -> int:
    """A served municipality has one receiving point for every 25,000 inhabitants begun, and at least one."""
    return max(1, -(-population // int(law.points.inhabitants)))


@rule(provisions=("art49", "art49-p1", "art49-p2", "art51-I", "art51-II"), label="Massa a coletar e destinar")
def target_mass(law: Law, *, target: Share, base: ExactMass) -> ExactMass:
    """Each year's target is its share of the members' own weight of the base year, alone and not added up."""
    return target.of(base)


@rule(provisions=("art49-p1", "art71"), label="Meta do quinto ano", reading="meta-vencida")
def fifth_year_target(law: Law, *, year: int) -> Share | None:
    """The fifth year's target stands in the decree itself.

    No other year's does, and none after it is implied.
    """
    target: Share = law.fifth_year.target
    return target if year == law.fifth_year.year else None


@rule(provisions=("art49-p3",), label="Ano-base da categoria")
def base_year(law: Law, *, other: int | None, grounds: bool) -> int:
    """2018, or another year that the life cycle of a category asks for, with technical grounds."""
    return other if other is not None and grounds else int(law.base.year)


@rule(provisions=("art50-p1", "art50-p2"), label="Crédito usado", reading="tres-livros-de-saldo")
def credit_used(law: Law, *, shortfall: ExactMass, credits: tuple[Mass, ...]) -> ExactMass:
    """Results of Phase 1 and surpluses of earlier years cover a shortfall, oldest first, and no more."""
    return max(NOTHING, min(shortfall, ExactMass(Fraction(sum(one.mg for one in credits)))))


@rule(provisions=("art50-p2",), label="Sobra do ano", reading="tres-livros-de-saldo")
def surplus(law: Law, *, attained: ExactMass, target: ExactMass) -> ExactMass:
    """A year's surplus is what was destined in it above its target, before any credit."""
    return max(NOTHING, attained - target)


@rule(provisions=("art52", "art33-II-a"), label="Peso médio ponderado da unidade")
def average_unit_mass(law: Law, *, units: Mapping[str, int], unit_mass: Mapping[str, Mass]) -> ExactMass:
    """The weighted mean mass of a unit of a product type, by the units each model sold."""
    sold = sum(units.values())
    mg = sum(number * unit_mass[name].mg for name, number in units.items())
    return ExactMass(Fraction(mg, sold)) if sold else NOTHING


@rule(provisions=("art52", "art51-I", "art51-II"), label="Peso do ano-base")
def base_mass(law: Law, *, units: Mapping[str, int], unit_mass: Mapping[str, Mass]) -> ExactMass:
    """The weight sold in the base year: each model's units times its mass."""
    return ExactMass(Fraction(sum(number * unit_mass[name].mg for name, number in units.items())))


@rule(provisions=("art52",), label="Peso equivalente", reading="conta-o-peso-provado")
def equivalent_mass(law: Law, *, average: ExactMass, units: int) -> ExactMass:
    """The weight that as many units would have by the mean.

    Shown beside the weighed one, never in its place.
    """
    return ExactMass(average.mg * units)


@rule(provisions=("art53",), label="Peso verificado", reading="pesado-uma-vez")
def weighed(law: Law, *, consolidation: Mass | None, recycler: Mass | None) -> Mass | None:
    """Weight is checked on entry at a consolidation point or a recycler; weighed at both, it counts once."""
    known = [mass for mass in (consolidation, recycler) if mass is not None]
    return min(known) if known else None


@rule(provisions=("art53-pu",), label="Peso que conta", reading="conta-o-peso-provado")
def counted(law: Law, *, checked: Mass, proved: Mass) -> Mass:
    """Only weight whose adequate destination is proved is reported."""
    return min(checked, proved)


@rule(provisions=("art55",), label="Compensação entre entidades")
def compensation(law: Law, *, deficit: ExactMass, price: Money, agreed: bool) -> Money | None:
    """Entities compensate one another by the tonne, where an instrument agreed it before; else not at all."""
    if not agreed:
        return None
    return Money((deficit.mg * price.cents / TONNE_MG + Fraction(1, 2)).__floor__())


@rule(provisions=("art56-p2",), label="Entrega do relatório de desempenho")
def report_due(law: Law, *, year: int) -> date:
    """The results of a year are reported to the ministry by the last day of March of the next."""
    due: date = law.report.due.of(year + 1)
    return due


@rule(provisions=("art56-p5-I", "art56-p5-II"), label="Auditoria independente")
def audit_accepted(law: Law, *, same_group: bool, hired_by: str) -> bool:
    """An auditor stands outside the audited group, and companies or entities hire it."""
    return not same_group and hired_by in ("company", "managing_entity")


@rule(provisions=("art61", "art62-I"), label="Embalagem sem explicação")
def packaging_unexplained(law: Law, *, received: Mass, destined: Mass, stock: Mass) -> Mass:
    """Packaging has a ledger of its own, by material; what is received is destined or still there."""
    return received - destined - stock


@rule(provisions=("art63", "art64"), label="Massa de embalagens a recuperar")
def packaging_target(law: Law, *, target: Share, placed: ExactMass) -> ExactMass:
    """Packaging of electronics follows the target of a packaging instrument.

    Other packaging may offset it.
    """
    return target.of(placed)
