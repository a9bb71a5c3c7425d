"""The fee of one establishment for one quarter: the steps of arts. 4º to 15, in the order they are taken."""

from __future__ import annotations

from datetime import date

from lastro.errors import InputMissing
from lastro.facts import Finding
from lastro.findings import finding
from lastro.lawkit import Law
from lastro.lawkit.fees import Assessment, Charged, CityFee
from lastro.lawkit.parameters import load
from lastro.lawkit.trace import silence
from lastro.units import Money, Share

from . import fee as fees
from . import late, register

NOTHING = Money(0)
SILVICULTURE = "20"
"""The annex's code with silviculture in it; said of any other code, the word spares nothing."""


def charges(law: Law, charged: Charged) -> Assessment:
    """The fee, what is credited, what is added, and what it is credit for.

    `law` is the law of the quarter's last day; the additions are those of the day of payment.
    """
    due = fees.due(law, year=charged.year, quarter=charged.quarter, closed=charged.closed)
    size, federal, full, found = _base(law, charged)
    pending = any(one.code == "X06" for one in found)
    notes = _notes(law, charged, None if pending else full)
    if full is None:
        return _pending(size, due, found, notes)
    credit = _city_credit(law, charged, full, found)
    amount = full - credit
    day = charged.paid_on or charged.asked_on
    fine, interest = _additions(law, charged, amount, due, day, found)
    paid = amount if charged.paid_on else NOTHING
    city = charged.city.paid if charged.city and charged.city.inspection_fee else NOTHING
    return Assessment(
        size=size, due=due, federal=federal, fee=full, city_credit=credit, amount=amount,
        days_late=late.days_late(law, due=due, paid=day), fine=fine, interest=interest,
        total=amount + fine + interest,
        forged_fine=late.forged_fine(law, fee=full) if charged.forged else None,
        restored=_restored(law, charged, credit, due, found),
        state_credit=None if federal is None else fees.state_credit(law, federal=federal, paid_to_state=paid),
        federal_offset=None if federal is None else fees.federal_offset(
            law, federal=federal, paid_to_state=paid, paid_to_city=city
        ),
        findings=tuple(found), at_least=pending, notes=notes,
    )  # fmt: skip


def _notes(law: Law, charged: Charged, full: Money | None) -> tuple[str, ...]:
    """What has to be said beside the amounts: why nothing is owed, which days off are not known."""
    notes = []
    if full == NOTHING:
        with silence():
            notes.append(_why_nothing(law, charged))
    if not charged.local_days:
        notes.append(
            "Feriados do próprio município não estão na tabela: se algum cai até o vencimento, informe-o em "
            "“closed”, pois o vencimento muda."
        )
    return tuple(notes)


def _why_nothing(law: Law, charged: Charged) -> str:
    when = f"no {charged.quarter}º trimestre de {charged.year}"
    if not any(_active(law, charged, a.began, a.ended) for a in charged.activities):
        cited = law.norm.cite(("art5", "art6"))
        return f"Nada é devido: nenhuma atividade informada esteve em curso {when} ({cited})."
    if _exempt(law, charged, []):
        return f"Nada é devido: a isenção informada vale {when} ({law.norm.cite(('art7',))})."
    cited = law.norm.cite(("art8",))
    return f"Nada é devido: a taxa federal do nível e do porte é R$ 0,00 {when} ({cited})."


def _base(law: Law, charged: Charged) -> tuple[str | None, Money | None, Money | None, list[Finding]]:
    """The size, the federal fee and the state's fee before credits; None where one cannot be told."""
    found: list[Finding] = []
    now = [a for a in charged.activities if _active(law, charged, a.began, a.ended)]
    if not now or _exempt(law, charged, found):
        return _size(law, charged, []), None, NOTHING, found
    size = _size(law, charged, found)
    if size is None:
        return None, None, None, found
    pairs = []
    for one in now:
        level = register.level(law, code=one.code)
        federal = None
        if level is not None:
            felled = one.silviculture and one.code == SILVICULTURE
            federal = fees.federal_fee(law, level=level, size=size, silviculture=felled)
        if federal is None:
            found.append(_untold(law, one.code, level))
        else:
            pairs.append((fees.fee(law, federal=federal), federal))
    if not pairs:
        return size, None, None, found
    if len(pairs) > 1:
        found.append(_said(law, "X02", f"{len(pairs)} atividades", "a de maior valor", ("art6-p2",)))
    full = fees.highest(law, fees=tuple(one for one, _ in pairs))
    return size, max(federal for _, federal in pairs), full, found


def _untold(law: Law, code: str, level: str | None) -> Finding:
    """Why an activity's fee cannot be told: the annex gives it no level, or the table that person no cell."""
    if level is None:
        return _said(law, "X06", f"código {code}, sem nível no anexo", "um nível no anexo", ("art8-p2",))
    seen = f"código {code}, de pessoa natural sem empresa"
    return _said(law, "X06", seen, "uma célula da tabela federal, que só tem as de empresas", ("art8",))


def _size(law: Law, charged: Charged, found: list[Finding]) -> str | None:
    person, revenue = charged.person, charged.revenue
    unknown = revenue is None and person != "natural_person"
    size = None
    if not unknown:
        size = register.size(
            law, person=person, revenue=revenue or NOTHING, mei=charged.mei, excluded=charged.excluded
        )
    if size is None:
        seen = "receita não informada" if unknown else "sem porte na lei: o órgão decide"
        found.append(_said(law, "X01", seen, "receita bruta da empresa no ano anterior", ("art4-II",)))
    elif charged.mei and size != "individual":
        expected = f"receita bruta até {Money(law.size.mei.cents)} de um empresário individual"
        found.append(_said(law, "X01", "MEI com outra receita ou pessoa", expected, ("art4-p1",)))
    return size


def _exempt(law: Law, charged: Charged, found: list[Finding]) -> bool:
    one = charged.exemption
    if one is None:
        return False
    met = (
        register.public_body(law, kind=one.kind)
        or (one.kind == "social" and register.social_body(
            law, recognised=one.recognised, distributes=one.distributes,
            in_the_country=one.in_the_country, books=one.books,
        ))
        or (one.kind == "subsistence" and register.subsistence(law, declared=True, refused=one.refused))
    )  # fmt: skip
    if not met:
        found.append(
            _said(law, "X05", one.kind, "condições da isenção comprovadas", ("art7-I", "art7-II", "art7-III"))
        )
    return met


def _city_credit(law: Law, charged: Charged, full: Money, found: list[Finding]) -> Money:
    city = charged.city
    if city is None or full == NOTHING or not _qualifies(law, charged, city):
        if city is not None and full != NOTHING:
            expected = "município reconhecido, com convênio em todo o trimestre"
            found.append(_said(law, "X03", f"{city.paid} pagos ao município", expected, ("art14-p1",)))
        return NOTHING
    credit = fees.municipal_credit(law, fee=full, paid=city.paid, inspection_fee=city.inspection_fee)
    if credit < city.paid:
        expected = (
            f"até {credit}" if city.inspection_fee else "taxa municipal de fiscalização, e nenhuma outra"
        )
        cited = ("art14",) if city.inspection_fee else ("art15",)
        found.append(_said(law, "X03", f"{city.paid} pagos ao município", expected, cited))
    return credit


def _qualifies(law: Law, charged: Charged, city: CityFee) -> bool:
    return fees.municipality_qualifies(
        law, year=charged.year, quarter=charged.quarter, recognised=city.recognised,
        agreed_from=city.agreed_from, agreed_to=city.agreed_to,
    )  # fmt: skip


def _additions(
    law: Law, charged: Charged, amount: Money, due: date, day: date, found: list[Finding]
) -> tuple[Money, Money]:
    """The fine and the interest of a fee paid, or asked about, on a day."""
    days = late.days_late(law, due=due, paid=day)
    if not days or amount == NOTHING:
        return NOTHING, NOTHING
    interest = late.interest(law, amount=amount, months=_months(law, charged, due, day))
    notice = charged.notice
    if notice is not None and day >= notice.received_on:
        fine = late.notice_fine(law, amount=amount, within_deadline=day <= notice.deadline)
        return fine, interest
    fine = late.late_fine(law, amount=amount, days=days)
    if law.late.per_day * days > law.late.ceiling:
        found.append(_said(law, "X04", f"{days} dias", f"teto de {law.late.ceiling}", ("art12-II",)))
    return fine, interest


def _months(law: Law, charged: Charged, due: date, day: date) -> tuple[Share, ...]:
    """The rate of every month after that of the due date to that of the day asked, each by its own law.

    Raises InputMissing naming every month whose rate is asked for and not loaded.
    """
    rates, lacking = [], []
    month = _next(due)
    while month <= day:
        there = Law(law.norm, month, load(law.norm.package))
        last = (month.year, month.month) == (day.year, day.month)
        try:
            rates.append(late.month_interest(there, selic=charged.selic.get(month), payment_month=last))
        except InputMissing:
            lacking.append(f"{month:%m/%Y}")
        month = _next(month)
    if lacking:
        raise InputMissing(late.untold(lacking))
    return tuple(rates)


def _restored(law: Law, charged: Charged, credit: Money, due: date, found: list[Finding]) -> Money | None:
    """What a municipal refund makes owed again, corrected since the fee was due; None without one."""
    city = charged.city
    if city is None or city.refunded_on is None or credit == NOTHING:
        return None
    debt = fees.restored_debt(law, credited=credit, refunded=city.refunded)
    if charged.index is None:
        expected = "índice de correção desde o vencimento, carregado"
        found.append(_said(law, "X03", f"{debt} a restabelecer", expected, ("art14-p3",)))
        return debt
    return fees.corrected(law, amount=debt, index=charged.index)


def _pending(size: str | None, due: date, found: list[Finding], notes: tuple[str, ...]) -> Assessment:
    return Assessment(
        size=size, due=due, federal=None, fee=None, city_credit=None, amount=None, days_late=0, fine=None,
        interest=None, total=None, forged_fine=None, restored=None, state_credit=None, federal_offset=None,
        findings=tuple(found), notes=notes,
    )  # fmt: skip


def _active(law: Law, charged: Charged, began: date, ended: date | None) -> bool:
    return fees.active(law, year=charged.year, quarter=charged.quarter, began=began, ended=ended)


def _next(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def _said(law: Law, code: str, seen: str, expected: str, cited: tuple[str, ...]) -> Finding:
    return finding(code, found=seen, expected=expected, article=law.norm.cite(cited))
