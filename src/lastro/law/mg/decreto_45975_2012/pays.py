"""The quarter as the decree pays it: who is entitled, on which sales, with which coefficient, how much."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from lastro.facts import Finding, Severity
from lastro.lawkit import Law
from lastro.lawkit.grants import Coefficient, Granted, Organisation, Quarter, QuarterGranted, Sale
from lastro.lawkit.trace import listening, silence
from lastro.quarters import quarter_end, quarter_start
from lastro.units import ZERO, Mass, Money, total

from . import committee, grant, registration

CENTS = 100
"""The cents of a real."""


def pays(law: Law, quarter: Quarter) -> QuarterGranted:
    """Split the quarter's money among those entitled. A coefficient that is missing stops every amount."""
    due = grant.proofs_due(law, year=quarter.year, quarter=quarter.number, closed=quarter.closed)
    available = grant.funds(law, budget=quarter.budget, donations=quarter.donations, other=quarter.other)
    minimum = grant.quarter_minimum(law, annual=quarter.annual)
    k = _coefficients(law, quarter)
    judged = [_judged(law, quarter, one, due, k) for one in quarter.organisations]
    points = {cnpj: value for cnpj, _, value, _ in judged if value is not None}
    blocked = _blocked(law, available, minimum, judged)
    share = grant.bill if quarter.by_tonne else grant.split
    amounts = {} if blocked else share(law, available=available, points=points)
    whole = sum(points.values(), Fraction(0))
    paid = Money(sum(one.cents for one in amounts.values()))
    return QuarterGranted(
        due=due, available=available, minimum=minimum, blocked=blocked, left=available - paid,
        granted=tuple(_granted(law, one, amounts, k) for one in judged), coefficients=k,
        unit_values=_unit_values(law, quarter, k, available=available, paid=paid, whole=whole),
    )  # fmt: skip


def _unit_values(
    law: Law, quarter: Quarter, k: Mapping[str, Fraction], *, available: Money, paid: Money, whole: Fraction
) -> dict[str, Fraction]:
    """The reais that a tonne of each material brought; a bill that is paid whole brought the coefficient."""
    if quarter.by_tonne and whole * CENTS <= available.cents:
        return dict(k)
    return {name: grant.unit_value(law, available=paid, points=whole, k=one) for name, one in k.items()}


_Judged = tuple[str, dict[str, Mass], Fraction | None, tuple[Finding, ...]]


def _judged(law: Law, quarter: Quarter, one: Organisation, due: date, k: Mapping[str, Fraction]) -> _Judged:
    with listening(one.name, article=law.norm.cite(("art9", "art10"))) as step:
        against = _entitlement(law, quarter, one)
        sold, found = _sold(law, quarter, one, due)
        if any(f.severity is Severity.REFUSE for f in against):
            step.value = Fraction(0)
            return one.cnpj, sold, Fraction(0), (*against, *found)
        lacking = sorted(name for name in sold if _key(name, k) is None)
        if lacking:
            missing = (
                _finding(
                    law, "B01", ", ".join(lacking), "coeficiente fixado por ato do Comitê", ("art14-p1",)
                ),
            )
            return one.cnpj, sold, None, (*against, *found, *missing)
        used = {name: k[str(_key(name, k))] for name in sold}
        step.value = made = grant.points(law, sold=sold, k=used)
    return one.cnpj, sold, made, (*against, *found)


def _entitlement(law: Law, quarter: Quarter, one: Organisation) -> tuple[Finding, ...]:
    """What arts. 7 and 9 ask, each with its own article; a suspended registration is told as such."""
    found = [
        _finding(law, "B02", what, _SAYS[what], cited, sure=met is not None)
        for what, (met, cited) in _conditions(law, quarter, one).items()
        if not met
    ]
    found += _added(law, quarter, one)
    if one.state == "suspended":
        found.append(_finding(law, "B05", "cadastro", "cadastro validado e não suspenso", ("art10",)))
    elif not registration.registered(law, state=one.state, recognised=one.recognised):
        found.append(
            _finding(
                law, "B02", "cadastro", "validado pelo Comitê e organização reconhecida", ("art6", "art9-III")
            )
        )
    return tuple(found)


def _added(law: Law, quarter: Quarter, one: Organisation) -> list[Finding]:
    """What acts of the committee ask besides, of which something is lacking on the quarter's last day."""
    last = quarter_end(quarter.year, quarter.number)
    asked = [r for r in quarter.requirements if r.binds(last)]
    acts = tuple(r.act for r in asked)
    if not asked or registration.added_requirements(law, asked=acts, met=one.meets):
        return []
    return [
        _finding(law, "B02", f"requisito do ato {r.act}", r.what, ("art7-pu",))
        for r in asked
        if r.act not in one.meets
    ]


def _conditions(
    law: Law, quarter: Quarter, one: Organisation
) -> dict[str, tuple[bool | None, tuple[str, ...]]]:
    """Each condition, whether it holds on the quarter's last day (None: cannot be told), and its article."""
    last = quarter_end(quarter.year, quarter.number)
    sold, seen = total(s.mass for s in one.sales), registration
    fit = seen.members_fit(law, members=one.members, capable=one.capable, active=one.active)
    listed = seen.list_delivered(law, earlier_grant=one.earlier_grant, delivered=one.list_delivered)
    school = seen.children_in_school(law, school_age=one.school_age, proved=one.in_school)
    placed = quarter.admitted is None or seen.within_priority(law, place=one.place, admitted=quarter.admitted)
    return {
        "tipo da organização": (seen.may_benefit(law, kind=one.kind), ("art2",)),
        "constituição": (seen.old_enough(law, constituted_on=one.constituted_on, on=last), ("art7-I",)),
        "membros": (fit, ("art7-II",)),
        "filhos na escola": (school, ("art7-III",)),
        "dados cadastrais": (seen.data_fresh(law, updated_on=one.updated_on, on=last), ("art9-I",)),
        "produtividade": (seen.productive(law, sold=sold, measured=one.measured), ("art9-II", "art12-p3")),
        "relação de repasses": (listed, ("art9-IV",)),
        "ordem de prioridade": (placed, ("art9-pu",)),
    }


_SAYS = {
    "tipo da organização": "cooperativa ou associação de catadores",
    "constituição": "mais de um ano até o fim do trimestre",
    "membros": "todos capazes e em atividade",
    "filhos na escola": "todos os filhos em idade escolar matriculados e frequentes",
    "dados cadastrais": "atualizados nos últimos doze meses",
    "produtividade": "vendas no trimestre e ao menos uma medição acima de zero",
    "relação de repasses": "entregue, da concessão anterior",
    "ordem de prioridade": "lugar dentro do que as diretrizes admitem",
}


def _sold(
    law: Law, quarter: Quarter, one: Organisation, due: date
) -> tuple[dict[str, Mass], tuple[Finding, ...]]:
    """The mass of each material on proofs that count, and why the others do not."""
    sold: dict[str, Mass] = {}
    found: list[Finding] = []
    names = {c.name for c in quarter.coefficients}
    for number, sale in enumerate(one.sales, 1):
        why = _sale_refused(law, quarter, sale, due, names)
        if why:
            code, seen, expected, cited = why
            found.append(_finding(law, code, f"venda {number}: {seen}", expected, cited))
        else:
            sold[sale.name] = sold.get(sale.name, ZERO) + sale.mass
    return sold, tuple(found)


def _sale_refused(
    law: Law, quarter: Quarter, sale: Sale, due: date, names: set[str]
) -> tuple[str, str, str, tuple[str, ...]] | None:
    if sale.delivered_on > due:
        return "B04", f"entregue em {sale.delivered_on:%d/%m/%Y}", f"até {due:%d/%m/%Y}", ("art12",)
    if not _in_quarter(law, quarter, sale.sold_on):
        return "B02", f"vendida em {sale.sold_on:%d/%m/%Y}", "venda dentro do trimestre", ("art12",)
    if not registration.proof_counts(
        law, is_invoice=sale.invoice, proof_on=sale.sold_on, recognised_on=sale.recognised_on
    ):
        return (
            "B02",
            "comprovante não reconhecido",
            "nota fiscal, ou comprovante reconhecido antes",
            ("art12",),
        )
    known = sale.name in names or sale.material in names
    if not registration.material_counts(law, material=sale.material, act_in_force=known):
        return (
            "B02",
            f"material {sale.material}",
            f"um de {', '.join(registration.MATERIALS)}, ou outro com coeficiente fixado por ato do Comitê",
            ("art2-V",),
        )
    return None


def _blocked(law: Law, available: Money, minimum: Money, judged: list[_Judged]) -> tuple[str, ...]:
    why = []
    if available < minimum:
        cited = law.norm.cite(("art11-pu",))
        why.append(f"Disponível {available}, abaixo do mínimo do trimestre, {minimum} ({cited}).")
    if any(value is None for _, _, value, _ in judged):
        cited = law.norm.cite(("art14-p1",))
        why.append(
            f"Coeficiente não carregado para um material vendido: a divisão depende de todos ({cited})."
        )
    return tuple(why)


def _granted(law: Law, judged: _Judged, amounts: Mapping[str, Money], k: Mapping[str, Fraction]) -> Granted:
    cnpj, sold, points, found = judged
    amount = amounts.get(cnpj)
    least = None if amount is None else grant.least_to_members(law, received=amount)
    return Granted(cnpj, sold, points, amount, least, found, _by_material(law, sold, points, k))


def _by_material(
    law: Law, sold: Mapping[str, Mass], points: Fraction | None, k: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """The points of each material, whose sum the explanation has; none without a right to them."""
    if points is None:
        return {}
    used = {name: _key(name, k) for name in sold}
    with silence():
        made = {
            name: grant.points(law, sold={name: mass}, k={name: k[key]})
            for name, mass in sold.items()
            if (key := used[name]) is not None
        }
    return made if sum(made.values(), Fraction(0)) == points else {}


def _coefficients(law: Law, quarter: Quarter) -> dict[str, Fraction]:
    """Those in force for the quarter's sales: a material's first at once, its changes after their wait."""
    in_force: dict[str, Fraction] = {}
    first = quarter_start(quarter.year, quarter.number)
    for one in sorted(quarter.coefficients, key=lambda c: (c.decided_on, c.act)):
        begins = _begins(law, one, in_force)
        if begins <= first or (
            one.name not in in_force and begins <= quarter_end(quarter.year, quarter.number)
        ):
            in_force[one.name] = one.value
    return in_force


def _begins(law: Law, one: Coefficient, in_force: Mapping[str, Fraction]) -> date:
    if one.name not in in_force:
        return one.decided_on
    return committee.coefficient_from(law, decided_on=one.decided_on)


def _key(name: str, k: Mapping[str, Fraction]) -> str | None:
    """A subclass has its own coefficient, or takes its material's."""
    material = name.partition("/")[0]
    return name if name in k else material if material in k else None


def _in_quarter(law: Law, quarter: Quarter, day: date) -> bool:
    return day.year == quarter.year and grant.cycle_quarter(law, on=day) == quarter.number


def _finding(
    law: Law, code: str, found: str, expected: str, cited: tuple[str, ...], *, sure: bool = True
) -> Finding:
    """What stands against somebody; what cannot be told is looked at by a person and refuses nobody."""
    severity = Severity.REFUSE if sure else Severity.REVIEW
    return Finding(code, severity, found=found, expected=expected, article=law.norm.cite(cited))
