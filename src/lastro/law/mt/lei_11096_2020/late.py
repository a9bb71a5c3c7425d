"""What is added to a fee that is not paid in time (art. 12)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from lastro.errors import InputMissing
from lastro.lawkit import Law, rule
from lastro.units import Money, Share

from .register import half_up

NONE = Share.parse("0%")


@rule(provisions=("art12-II",), label="Dias de atraso")
def days_late(law: Law, *, due: date, paid: date) -> int:
    """Every day of the calendar counts, from the day after the fee was due to the day it is paid."""
    return max(0, (paid - due).days)


@rule(provisions=("art12-II",), label="Multa de mora espontânea")
def late_fine(law: Law, *, amount: Money, days: int) -> Money:
    """A third of a percent a day, cut to three places as the law prints it, up to a fifth of the fee."""
    return half_up(min(law.late.per_day * days, law.late.ceiling).of_one * amount.cents)


@rule(provisions=("art12-III",), label="Multa depois da notificação", reading="notificacao-substitui")
def notice_fine(law: Law, *, amount: Money, within_deadline: bool) -> Money:
    """After a notice the fine is a quarter of the fee, or a fifth if paid by the day that the notice sets."""
    share: Share = law.late.within_notice if within_deadline else law.late.after_notice
    return half_up(share.of_one * amount.cents)


@rule(provisions=("art12-p2",), label="Multa por documento simulado")
def forged_fine(law: Law, *, fee: Money) -> Money:
    """A simulated document or false receipt costs the quarter's whole fee, to whoever uses or supplies it."""
    return half_up(law.late.forged.of_one * fee.cents)


@rule(provisions=("art12-I",), label="Juros do mês", reading="juros-desde-o-mes-seguinte")
def month_interest(law: Law, *, selic: Share | None, payment_month: bool) -> Share:
    """One percent a month or part of one; since March 2024 the month's SELIC, and one percent in the last.

    Raises InputMissing where the month's SELIC is asked for and not loaded.
    """
    fixed: Share = law.interest.monthly
    if law.interest.measure == "fixed" or payment_month:
        return fixed
    if selic is None:
        raise InputMissing(untold((f"{law.on:%m/%Y}",)))
    return selic


def untold(months: Sequence[str]) -> str:
    """What is said where the SELIC of some months is not loaded."""
    every = len(months) > 1
    asked = "Informe a taxa de cada mês" if every else "Informe a taxa do mês"
    return (
        f"SELIC de {', '.join(months)}: não {'carregadas' if every else 'carregada'}. {asked}, com a fonte."
    )


@rule(provisions=("art12-I",), label="Juros de mora", reading="juros-desde-o-mes-seguinte")
def interest(law: Law, *, amount: Money, months: tuple[Share, ...]) -> Money:
    """The months' rates are added up and taken of the fee, never of the fine or of one another."""
    return half_up(sum((one.of_one for one in months), NONE.of_one) * amount.cents)


@rule(provisions=("art12-p1",), label="Parcelas", reading="parcelas-da-fazenda")
def instalments(law: Law, *, amount: Money, number: int) -> tuple[Money, ...]:
    """A debt in equal parts, the cents left over on the first ones; how many, the treasury's rules say."""
    whole, left = divmod(amount.cents, number)
    return tuple(Money(whole + (place < left)) for place in range(number))
