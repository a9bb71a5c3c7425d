"""Who may receive: registration, conditions of the quarter, suspension (arts. 2º, 3º, 6º to 10 and 12)."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law, rule
from lastro.units import ZERO, Mass

ORGANISATIONS = ("cooperative", "association")
MATERIALS = ("paper", "plastic", "metal", "glass")

REGISTRATION_MOVES = {
    # (from, to): who takes the step
    ("draft", "submitted"): "organisation",
    ("submitted", "in_analysis"): "semad",
    ("in_analysis", "analysed"): "semad",
    ("analysed", "validated"): "committee",
    ("analysed", "rejected"): "committee",
    ("rejected", "draft"): "organisation",
    ("validated", "suspended"): "semad",
    ("suspended", "validated"): "semad",
}


@rule(provisions=("art2",), label="Organização que pode receber")
def may_benefit(law: Law, *, kind: str) -> bool:
    """Only cooperatives and associations of pickers receive the incentive."""
    return kind in ORGANISATIONS


@rule(
    provisions=("art2-I", "art2-II", "art2-III", "art2-IV", "art2-V", "annex-note1"),
    label="Material do incentivo",
)
def material_counts(law: Law, *, material: str, act_in_force: bool) -> bool:
    """Paper, plastic, metal and glass count; any other waste only where an act of the committee says so."""
    return material in MATERIALS or act_in_force


@rule(provisions=("art7-I",), label="Constituída há mais de um ano", reading="mais-de-um-ano")
def old_enough(law: Law, *, constituted_on: date, on: date) -> bool:
    """More than a year has passed: the anniversary itself is exactly one year, and not yet more."""
    year = constituted_on.year + int(law.registration.years)
    try:
        anniversary = constituted_on.replace(year=year)
    except ValueError:  # 29 February: the year ends on the day that follows in the calendar
        anniversary = date(year, 3, 1)
    return on > anniversary


@rule(provisions=("art7-II",), label="Só pessoas capazes e em atividade")
def members_fit(law: Law, *, members: int, capable: int, active: int) -> bool:
    """Every member is legally capable and does the work; an organisation without members fits nothing."""
    return members > 0 and capable == members and active == members


@rule(provisions=("art7-III",), label="Filhos em idade escolar na escola")
def children_in_school(law: Law, *, school_age: int, proved: int) -> bool:
    """Every child of school age is enrolled and attends; only counts are kept, never a child's name."""
    return proved == school_age


@rule(provisions=("art7-pu",), label="Requisitos acrescentados pelo Comitê", reading="requisito-por-ato")
def added_requirements(law: Law, *, asked: tuple[str, ...], met: tuple[str, ...]) -> bool:
    """Whoever is paid meets every requirement that an act of the committee added, named by its act."""
    return set(asked) <= set(met)


@rule(provisions=("art9-I",), label="Dados cadastrais atualizados", reading="dados-de-doze-meses")
def data_fresh(law: Law, *, updated_on: date, on: date) -> bool:
    """The data were brought up to date within the last months before the day asked."""
    months = updated_on.year * 12 + updated_on.month - 1 + int(law.registration.fresh_months)
    last = date(months // 12, months % 12 + 1, 1)
    return on <= last.replace(day=_day_in(last, updated_on.day))


@rule(
    provisions=("art9-II", "art12-p2", "art12-p3", "annex-T"),
    label="Produtividade comprovada",
    reading="produtividade-do-trimestre",
)
def productive(law: Law, *, sold: Mass, measured: tuple[Mass | None, ...]) -> bool | None:
    """The quarter's work is proved by what was sold and measured; a lacking measure is the agency's task.

    None: nothing was measured at all, so productivity cannot be told.
    """
    known = [mass for mass in measured if mass is not None]
    if sold == ZERO:
        return False
    return any(mass > ZERO for mass in known) if known else None


@rule(provisions=("art12", "art12-alt"), label="Comprovante de venda aceito")
def proof_counts(law: Law, *, is_invoice: bool, proof_on: date, recognised_on: date | None) -> bool:
    """An invoice proves a sale; another paper only where the committee had recognised its kind before."""
    return is_invoice or (recognised_on is not None and recognised_on <= proof_on)


@rule(
    provisions=("art3", "art6", "art9-III", "art10"), label="Cadastro que permite receber",
)  # fmt: skip
def registered(law: Law, *, state: str, recognised: bool) -> bool:
    """Only a validated registration of a recognised organisation receives; a failed condition suspends it."""
    return state == "validated" and recognised


@rule(provisions=("art4-II", "art8", "art10"), label="Passo do cadastro")
def registration_step(law: Law, *, before: str, after: str, by: str) -> bool:
    """The agency analyses, the committee alone validates or rejects; who submits decides nothing."""
    return REGISTRATION_MOVES.get((before, after)) == by


@rule(provisions=("art9-IV",), label="Relação de repasses entregue")
def list_delivered(law: Law, *, earlier_grant: bool, delivered: bool) -> bool:
    """Who was granted the incentive before shows whom it was passed on to, before it is paid again."""
    return delivered or not earlier_grant


@rule(provisions=("art9-pu",), label="Cabe na prioridade e no orçamento")
def within_priority(law: Law, *, place: int, admitted: int) -> bool:
    """The incentive is extended step by step: the committee's order of priority decides who waits."""
    return place <= admitted


def _day_in(month: date, day: int) -> int:
    following = date(month.year + month.month // 12, month.month % 12 + 1, 1)
    return min(day, (following - month).days)
