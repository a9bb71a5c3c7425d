"""The fee of a quarter: how much, when, and the credits on both sides (arts. 5º to 10, 14 and 15)."""

from __future__ import annotations

from datetime import date, timedelta

from lastro.lawkit import Law, rule
from lastro.quarters import quarter_end, quarter_start
from lastro.units import Money, Share

from .register import half_up

NOTHING = Money(0)
SIZES = ("micro", "small", "medium", "large")


@rule(provisions=("art5", "art6"), label="Em atividade no trimestre")
def active(law: Law, *, year: int, quarter: int, began: date, ended: date | None) -> bool:
    """The fee is due for a quarter in which a listed activity was carried out, inspected or not."""
    first = quarter_start(year, quarter)
    return began <= quarter_end(year, quarter) and (ended is None or ended >= first)


@rule(provisions=("art8", "art8-p1"), label="TCFA da célula", reading="tcfa-de-2015")
def federal_fee(law: Law, *, level: str, size: str, silviculture: bool) -> Money | None:
    """The federal fee of a level and a size; None where the federal table has no cell for that person.

    Silviculture left the federal list: since then its federal fee, and with it the state's, is nothing.
    """
    if silviculture and not law.tcfa.silviculture_listed:
        return NOTHING
    if size == "individual":
        size = "micro"
    if size not in SIZES:
        return None
    return Money(getattr(getattr(law.tcfa, level), size).cents)


@rule(provisions=("art8",), label="TFA/MT do trimestre")
def fee(law: Law, *, federal: Money) -> Money:
    """The state's fee is six tenths of the federal one of the same period, in cents, the half upwards."""
    return half_up(law.fee.share.of_one * federal.cents)


@rule(provisions=("art6-p1", "art6-p2"), label="Atividade de maior valor")
def highest(law: Law, *, fees: tuple[Money, ...]) -> Money:
    """Each establishment pays once, for the activity of the highest fee."""
    return max(fees, default=NOTHING)


@rule(provisions=("art9",), label="Vencimento", reading="calendario-de-cuiaba")
def due(law: Law, *, year: int, quarter: int, closed: tuple[date, ...]) -> date:
    """The fee is due on the fifth business day after the quarter; `closed` are the days off then."""
    day, left = quarter_end(year, quarter), int(law.fee.business_day)
    while left:
        day += timedelta(days=1)
        left -= day.weekday() < 5 and day not in closed
    return day


@rule(provisions=("art14-p1",), label="Município cuja taxa compensa", reading="convenio-no-trimestre-inteiro")
def municipality_qualifies(
    law: Law, *, year: int, quarter: int, recognised: bool, agreed_from: date | None, agreed_to: date | None
) -> bool:
    """Only a municipality recognised by the council, with an agreement in force for the whole quarter."""
    first = quarter_start(year, quarter)
    if not recognised or agreed_from is None or agreed_from > first:
        return False
    return agreed_to is None or agreed_to >= quarter_end(year, quarter)


@rule(provisions=("art14", "art15"), label="Crédito da taxa municipal", reading="teto-para-baixo")
def municipal_credit(law: Law, *, fee: Money, paid: Money, inspection_fee: bool) -> Money:
    """A municipal inspection fee of the same quarter is credited, up to a quarter; nothing else is."""
    most = Money((law.municipal.limit.of_one * fee.cents).__floor__())
    return min(paid, most) if inspection_fee else NOTHING


@rule(provisions=("art14-p2",), label="Dívida que a restituição reabre")
def restored_debt(law: Law, *, credited: Money, refunded: Money) -> Money:
    """A refund of the municipal fee restores the state's claim, for what had been credited."""
    return min(credited, refunded)


@rule(provisions=("art14-p3",), label="Valor corrigido desde o vencimento")
def corrected(law: Law, *, amount: Money, index: Share) -> Money:
    """What a refund restores is corrected by the state's index since the original due date."""
    return half_up((1 + index.of_one) * amount.cents)


@rule(provisions=("art8-p3",), label="Crédito para a TCFA: parte do Estado")
def state_credit(law: Law, *, federal: Money, paid_to_state: Money) -> Money:
    """What was paid as the state's fee, within its limit, is credit against the federal one."""
    return min(paid_to_state, half_up(law.fee.share.of_one * federal.cents))


@rule(provisions=("art8-p3",), label="Estimativa do abatimento federal", reading="dois-campos-de-credito")
def federal_offset(law: Law, *, federal: Money, paid_to_state: Money, paid_to_city: Money) -> Money:
    """The federal law counts what was really paid to the State and to the city, up to the same six tenths."""
    return min(paid_to_state + paid_to_city, half_up(law.fee.share.of_one * federal.cents))
