"""What the draft asks beside its targets: phases, windows, points, sides, reports, keeping. Article order."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

from lastro.lawkit import Law, rule
from lastro.units import ExactMass, Mass, Money, Share

TONNE_MG = Mass.parse("1 t").mg
RANKS = ("reuse", "recycling", "treatment", "landfill")


@rule(provisions=("art3-VIII",), label="Linha da meta")
def target_line(law: Law, *, metal: str) -> str | None:
    """Aluminium has its own line; steel and other metals and alloys share the other."""
    return (
        "aluminium" if metal == "aluminium" else "steel_other" if metal in ("steel", "other_metal") else None
    )


@rule(provisions=("art5-p1", "art18"), label="Último dia da Fase 1", reading="fase-1-de-180-dias")
def first_phase_ends(law: Law, *, in_force: date) -> date:
    """Phase 1 lasts 180 days from the entry into force."""
    return in_force + timedelta(days=int(law.phase.first_days))


@rule(provisions=("art5-p3", "art5-p6"), label="Primeiro dia da Fase 2", reading="fase-1-de-180-dias")
def second_phase_begins(law: Law, *, in_force: date) -> date:
    """Phase 2 begins the next day, whatever of Phase 1 is still open."""
    return in_force + timedelta(days=int(law.phase.first_days) + 1)


@rule(provisions=("art5-p1-VII", "art12"), label="Manual e dados prontos")
def manual_due(law: Law, *, published: date) -> date:
    """The manual and the reporting of data are due 120 days after publication, not after entry into force."""
    return published + timedelta(days=int(law.manual.days))


@rule(
    provisions=("art5-p4", "art5-p4-I", "art5-p4-II", "art5-p4-III", "art5-p4-IV"), label="Destinação aceita"
)
def destination_accepted(law: Law, *, destination: str, licensed: bool, reason: bool) -> bool:
    """Reuse, recycling, treatment, and landfill for proved rejects; the lower ranks give their reason."""
    return licensed and destination in RANKS and (RANKS.index(destination) < 2 or reason)


@rule(
    provisions=("art7-VII-a", "art57", "art23-V"), label="Massa que conta", reading="entrada-na-recicladora"
)
def counted(law: Law, *, entry: Mass, certified: Mass | None) -> Mass | None:
    """What counts is weighed on entry at the recycling unit, as far as a certificate proves it."""
    return None if certified is None else min(entry, certified)


@rule(
    provisions=("art7-p1-I", "art7-p1-II", "art38-III"),
    label="O lado do metal também responde",
    reading="cem-quilometros-inclusive",
)
def metal_side_answers(law: Law, *, km: Fraction) -> bool:
    """Up to 100 km from a recycling unit the metal's makers answer too; beyond it, only the product's."""
    return km <= int(law.distance.metal_side_km)


@rule(provisions=("art16",), label="Custo destacado na nota")
def visible_fee_accepted(law: Law, *, shown: Money, contracted: Money, units: int) -> bool:
    """What an invoice shows is the contracted cost of its units, whole and with nothing added."""
    return shown.cents == contracted.cents * units


@rule(provisions=("art16-pu",), label="Devolução do depósito")
def deposit_refund(law: Law, *, deposit: Money, returned: int) -> Money:
    """A deposit scheme gives back what the invoice showed for each packaging returned."""
    return Money(deposit.cents * returned)


@rule(provisions=("art19-III",), label="Saldo do sistema na contabilidade global")
def equalised(law: Law, *, attained: ExactMass, target: ExactMass) -> ExactMass:
    """What a system destined above its own target, or below it."""
    return attained - target


@rule(provisions=("art19-III",), label="Compensação entre sistemas")
def compensation(law: Law, *, deficit: ExactMass, price: Money) -> Money:
    """A system short of its target compensates by the tonne, at the price agreed."""
    return Money((deficit.mg * price.cents / TONNE_MG + Fraction(1, 2)).__floor__())


@rule(provisions=("art20",), label="Próxima reunião do grupo de acompanhamento")
def meeting_due(law: Law, *, last: date) -> date:
    """The follow-up group meets at least every 180 days."""
    return last + timedelta(days=int(law.gap.meeting_days))


@rule(
    provisions=("art23-p3", "art36-IX", "art38-V"), label="Entrega dos resultados ao grupo de acompanhamento"
)
def results_due(law: Law, *, year: int) -> date:
    """The results of a year reach the follow-up group by 1 March of the next."""
    due: date = law.report.to_group.of(year + 1)
    return due


@rule(provisions=("art19-IV", "art59-pu"), label="Entrega do relatório ao ministério")
def report_due(law: Law, *, year: int) -> date:
    """The consolidated report of a year reaches the ministry by 31 March of the next."""
    due: date = law.report.to_ministry.of(year + 1)
    return due


@rule(provisions=("art23-p6",), label="Nota dentro da janela")
def in_window(law: Law, *, issued_on: date, year: int) -> bool:
    """Only invoices of the target's year or of the one before it are accepted."""
    return year - int(law.window.years_back) <= issued_on.year <= year


@rule(provisions=("art36-VIII", "art38-IV", "art56"), label="Massa sem explicação")
def unexplained(law: Law, *, received: Mass, destined: Mass, stock: Mass) -> Mass:
    """All that is received is destined or still there."""
    return received - destined - stock


@rule(provisions=("art41", "art41-I", "art41-II"), label="Remuneração ao município")
def municipal_pay(
    law: Law, *, mass: Mass, price: Money, agreed_on: date | None, served_on: date
) -> Money | None:
    """Public cleaning is paid by the tonne under a prior agreement; without one nothing is owed."""
    if agreed_on is None or agreed_on > served_on:
        return None
    return Money((Fraction(mass.mg * price.cents, TONNE_MG) + Fraction(1, 2)).__floor__())


@rule(provisions=("art48",), label="Reavaliação dos planos")
def plan_review(law: Law, *, last: date) -> date:
    """Plans are evaluated anew at least every two years."""
    year = last.year + int(law.plans.years)
    return last.replace(year=year) if (last.month, last.day) != (2, 29) else date(year, 3, 1)


@rule(
    provisions=("art55-II", "art55-III"),
    label="Pontos de recebimento no município",
    reading="pontos-para-cima",
)
def points_required(law: Law, *, population: int) -> int:
    """One receiving point for every 10,000 inhabitants begun, and one where there are fewer."""
    return max(1, -(-population // int(law.points.inhabitants)))


@rule(provisions=("art55-I",), label="Pontos de consolidação e o seu prazo", reading="primeiro-ano-da-fase-2")
def consolidation_due(law: Law, *, start: date) -> date:
    """Each state has a consolidation point by the end of the first year of Phase 2."""
    year = start.year + 1
    again = start.replace(year=year) if (start.month, start.day) != (2, 29) else date(year, 3, 1)
    return again - timedelta(days=1)


@rule(provisions=("art55-p1",), label="Pontos a instalar até o ano da Fase 2", reading="pontos-para-cima")
def points_by_year(law: Law, *, points: int, year_of_phase: int) -> int:
    """A tenth of all points every year of Phase 2, added up; a part of a point is a point."""
    part: Share = law.points.yearly
    due = min(Fraction(1), part.of_one * year_of_phase) * points
    return -(-due.numerator // due.denominator)


@rule(provisions=("art55-p2",), label="Pode ter menos pontos", reading="pontos-a-menos-por-admissao")
def may_have_fewer(law: Law, *, exceeded: tuple[bool, ...]) -> bool:
    """Fewer points may be admitted where the national and every regional result exceed their targets."""
    return bool(exceeded) and all(exceeded)


@rule(provisions=("art60", "art60-pu", "art23-p4"), label="Auditoria independente")
def audit_accepted(law: Law, *, same_group: bool, is_verifier: bool, hired_by: str) -> bool:
    """A yearly audit is a third party's, hired by the audited, and neither of its group nor its verifier."""
    return not same_group and not is_verifier and hired_by in ("company", "managing_entity")


@rule(provisions=("art64",), label="Guarda dos comprovantes até", reading="guarda-pelo-codigo-civil")
def keep_until(law: Law, *, on: date, agency_years: int) -> date:
    """Proofs of contaminated packaging are kept five years, or longer where the agency says so."""
    year = on.year + max(int(law.hazardous.years), agency_years)
    try:
        return on.replace(year=year)
    except ValueError:  # 29 February of a year that has none
        return date(year, 3, 1)


@rule(provisions=("art74",), label="Revisão do cronograma")
def revision_due(law: Law, *, last_year: int) -> date:
    """The schedule is revised at least 180 days before its last year begins."""
    return date(last_year, 1, 1) - timedelta(days=int(law.revision.days))
