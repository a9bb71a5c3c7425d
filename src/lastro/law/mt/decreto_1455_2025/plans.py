"""Plans, their contents and clocks, origins, and what proof by invoices asks (arts. 16 to 56)."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import pairwise

from lastro.lawkit import Law, rule
from lastro.units import ZERO, Mass, Money, Share

from .duties import in_days

TONNE_MG = Mass.parse("1 t").mg


@rule(provisions=("art16", "art16-pu"), label="Plano coletivo bem formado")
def collective_plan(law: Law, *, systems: int, plans: int, responsibles: int, cnpjs: int) -> bool:
    """A collective plan has one system, one plan, one who answers, and the CNPJs of those that it covers."""
    return systems == plans == responsibles == 1 and cnpjs > 0


@rule(provisions=("art17",), label="Meta do plano aceita")
def plan_target_accepted(law: Law, *, proposed: Share, table: Share) -> bool:
    """A plan's target is at least that of the table."""
    return proposed >= table


@rule(provisions=("art39",), label="Metas progressivas do setor sem tabela")
def progressive(law: Law, *, targets: tuple[Share, ...]) -> bool:
    """A sector without a target in the table proposes yearly ones, each greater than the one before."""
    return bool(targets) and all(one < after for one, after in pairwise(targets))


@rule(provisions=("art23-IV", "art23-V", "art23-VI", "art25"), label="Conteúdo do plano completo")
def plan_complete(
    law: Law, *, stages_with_actors: bool, monitoring: bool, education: int, capacity: int
) -> bool:
    """A plan says who does each stage, how it is monitored, and has actions of education and capacity."""
    return stages_with_actors and monitoring and education > 0 and capacity > 0


@rule(provisions=("art19",), label="Prazo para outro plano", reading="trinta-dias-corridos")
def new_plan_due(law: Law, *, ended_on: date) -> date:
    """Who leaves a plan or falls into default has thirty days for another."""
    return in_days(ended_on, int(law.joining.days))


@rule(provisions=("art20",), label="Prazo depois do fim do termo", reading="trinta-dias-corridos")
def term_plan_due(law: Law, *, ended_on: date, continued: bool) -> date | None:
    """When a term ends, its adherents have thirty days for a new plan, unless the plan goes on."""
    return None if continued else in_days(ended_on, int(law.joining.days))


@rule(provisions=("art19", "art20"), label="Falta depois de", reading="trinta-dias-corridos")
def breach_after(law: Law, *, ended_on: date, closed: tuple[date, ...]) -> date:
    """A breach opens only after as many business days, as the State counts; `closed` are days off."""
    day, left = ended_on, int(law.joining.days)
    while left:
        day = in_days(day, 1)
        left -= day.weekday() < 5 and day not in closed
    return day


@rule(provisions=("art24",), label="Compensação à prefeitura")
def municipal_compensation(
    law: Law, *, mass: Mass, price: Money, municipal_origin: bool, agreed_before: bool, rejects_to_city: bool
) -> Money:
    """Material that came through the city's collection, or rejects left to it, is paid for by the tonne.

    Where a picker entity had a prior agreement with the city, only what is of the city's own collection is.
    """
    if not (municipal_origin or not agreed_before or rejects_to_city):
        return Money(0)
    return Money((Fraction(mass.mg * price.cents, TONNE_MG) + Fraction(1, 2)).__floor__())


@rule(provisions=("art26-I",), label="Sistema estruturante")
def structuring(law: Law, *, conditions: tuple[bool, ...]) -> bool:
    """A system is structuring only if it meets all the conditions of the federal decree."""
    return bool(conditions) and all(conditions)


@rule(provisions=("art27-II",), label="Origem por concessionária aceita")
def concession_origin(law: Law, *, accessory_revenue: bool) -> bool:
    """What a concessionaire sorts is eligible only if its contract foresees that it sells."""
    return accessory_revenue


@rule(provisions=("art27-III",), label="Origem de catadores aceita")
def picker_origin(law: Law, *, kind: str, homologated: bool) -> bool:
    """What pickers sort is eligible from a homologated cooperative or association."""
    return kind in ("cooperative", "association") and homologated


@rule(provisions=("art27-IV",), label="Origem de ponto privado aceita")
def private_point_origin(law: Law, *, pgrs: bool) -> bool:
    """What private points collect is eligible, unless it came under a waste management plan."""
    return not pgrs


@rule(provisions=("art38-pu",), label="Municípios da base geográfica")
def municipalities_base(law: Law, *, declared: int | None, in_state: int) -> int:
    """The municipalities that a company names, or all those of the state where it does not know."""
    return in_state if declared is None else declared


@rule(provisions=("art46",), label="Retornáveis comprovadas")
def returnables_proved(law: Law, *, invoices: bool, system: bool) -> bool:
    """Returnable packaging is proved by tax documents and by a reverse system of its own."""
    return invoices and system


@rule(provisions=("art52-pu",), label="Massa com movimentação cadastrada")
def movement_proved(law: Law, *, mass: Mass, manifests: int) -> Mass:
    """Mass of which no movement is registered proves nothing."""
    return mass if manifests > 0 else ZERO


@rule(provisions=("art53",), label="Auditoria por verificador")
def audited_by_verifier(law: Law, *, role: str) -> bool:
    """Only a results verifier audits."""
    return role == "verifier"


@rule(provisions=("art56",), label="Prova por notas cabível")
def invoices_prove(law: Law, *, supports_cooperatives: bool, operates: bool) -> bool:
    """Proof by invoices is for systems that structure cooperatives, or that really operate."""
    return supports_cooperatives or operates
