"""Lei MT 11.096/2020 (TFA) from its text alone: whole cents, fractions, calendar days.

The federal fee it is a share of stands here as published in 2015 (annex of Lei 6.938 as updated).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from fractions import Fraction

from tests.oracle.days import after_quarter, bank, national, nth_working_day

# Federal fee a quarter, in cents: potential of pollution by size.
TCFA = {
    "Baixo": {"micro": 0, "small": 28984, "medium": 57967, "large": 115935},
    "Médio": {"micro": 0, "small": 46374, "medium": 92748, "large": 231869},
    "Alto": {"micro": 12880, "small": 57967, "medium": 115935, "large": 579673},
}
# Sole annex: the codes by potential; 21 and 22 have none.
HIGH = (1, 3, 8, 10, 15, 18)
LOW = (9, 12, 14, 19)


def potential(code: int) -> str | None:
    """Sole annex: the potential of an activity's code; none for 21 and 22."""
    if code in (21, 22):
        return None
    return "Alto" if code in HIGH else "Baixo" if code in LOW else "Médio"


def size(revenue: int, *, complementary_law: bool, individual: bool = False, mei: bool = False) -> str | None:
    """Art. 4: class by the year's gross revenue in cents; none where its words reach nobody.

    A small firm outside LC 123 has none; nor has an individual above 12 million: item IV says "legal person".
    """
    if revenue > 12_000_000_00:
        return None if individual else "large"
    if revenue > 4_800_000_00:
        return "medium"
    if individual and mei and revenue <= 81_000_00:
        return "mei"
    if not complementary_law:
        return None
    return "micro" if revenue <= 360_000_00 else "small"


def half_up(value: Fraction) -> int:
    """A sum of money to the whole cent, a half going up."""
    return int((2 * value + 1) // 2)


def federal_fee(codes: Iterable[int], size_class: str | None, *, unlisted: int = 0) -> int | None:
    """Lei 6.938, art. 17-D: the dearest cell among the activities that have one; unknown if none has.

    An individual micro-entrepreneur is a micro-enterprise (LC 123, art. 18-E); a natural person has no cell.
    `unlisted` activities left the federal list (silviculture, Lei 14.876/2024): sixty per cent of nothing.
    """
    if size_class is None:
        return None
    row = "micro" if size_class == "mei" else size_class
    cells = [TCFA[cell][row] for cell in map(potential, codes) if cell and row in TCFA[cell]]
    return max([*cells, *[0] * unlisted], default=None)


def fee(codes: Iterable[int], size_class: str | None, *, unlisted: int = 0) -> int | None:
    """Arts. 6 par. 2 and 8: three fifths of the dearest activity's federal fee; unknown without a cell."""
    federal = federal_fee(codes, size_class, unlisted=unlisted)
    return None if federal is None else half_up(Fraction(3, 5) * federal)


def municipal_credit(fee_due: int, paid: int, *, recognised: bool, agreement: bool) -> int:
    """Art. 14: what the city was paid, up to a quarter of the fee (rounded down), if it qualifies."""
    return min(paid, fee_due // 4) if recognised and agreement else 0


def federal_offset(tcfa: int, *, state: int, city: int) -> int:
    """Lei 6.938, art. 17-P: what State and city were paid, up to three fifths rounded like the fee itself.

    It asks for an inspection fee really paid, and for none of the State's conditions on the municipality.
    """
    return min(state + city, half_up(Fraction(3, 5) * tcfa))


def state_statement(paid: int, tcfa: int) -> int:
    """Art. 8, par. 3: what was paid as TFA, within the same three fifths."""
    return min(paid, half_up(Fraction(3, 5) * tcfa))


def closed(day: date, local: Iterable[tuple[int, int]] = ()) -> bool:
    """A day on which the fee cannot be paid at the bank, nor in the municipality."""
    return national(day) or bank(day) or (day.month, day.day) in tuple(local)


def due(year: int, quarter: int, local: Iterable[tuple[int, int]] = ((4, 8),)) -> date:
    """Art. 9: the fifth working day of the month after the quarter (Cuiabá keeps 8 April)."""
    kept = tuple(local)
    return nth_working_day(*after_quarter(year, quarter), 5, lambda day: closed(day, kept))


def late_fine(amount: int, due_day: date, paid: date) -> int:
    """Art. 12, II: 0.333 % for each day after the due one, up to a fifth."""
    days = max((paid - due_day) // timedelta(days=1), 0)
    return half_up(amount * min(Fraction(333, 100_000) * days, Fraction(1, 5)))


def noticed_fine(amount: int, paid: date, deadline: date) -> int:
    """Art. 12, III: a quarter after the notice, a fifth if paid within the time it gave."""
    return half_up(amount * (Fraction(1, 5) if paid <= deadline else Fraction(1, 4)))


def months_after(due_day: date, paid: date) -> list[tuple[int, int]]:
    """The calendar months from the one after the due date to that of the payment, both in."""
    first, last = due_day.year * 12 + due_day.month, paid.year * 12 + paid.month - 1
    return [(index // 12, index % 12 + 1) for index in range(first, last + 1)]


def interest_rate(
    due_day: date, paid: date, selic: Mapping[tuple[int, int], Fraction], last: Fraction | None = None
) -> Fraction | None:
    """Art. 12, I: one per cent a month begun to February 2024, each month's SELIC since; unknown if one is.

    `last` stands for the month of payment, which by the federal rule bears one per cent.
    """
    rate = Fraction(0)
    for month in months_after(due_day, paid):
        part = Fraction(1, 100) if month < (2024, 3) else selic.get(month)
        if last is not None and month == (paid.year, paid.month):
            part = last
        if part is None:
            return None
        rate += part
    return rate


def additions(
    amount: int,
    due_day: date,
    paid: date,
    *,
    notice: date | None = None,
    deadline: date | None = None,
    selic: Mapping[tuple[int, int], Fraction],
    last: Fraction | None = None,
) -> tuple[int, int | None]:
    """Fine and interest, each on the fee itself: an act received before the payment changes the fine."""
    if paid <= due_day or amount == 0:
        return 0, 0
    if notice is not None and deadline is not None and notice <= paid:
        fine = noticed_fine(amount, paid, deadline)
    else:
        fine = late_fine(amount, due_day, paid)
    rate = interest_rate(due_day, paid, selic, last)
    return fine, None if rate is None else half_up(amount * rate)


REGISTRATION = {"person": 1, "mei": 3, "micro": 8, "small": 48, "medium": 96, "large": 416}
REPORT = {
    "person": Fraction(3, 10),
    "mei": Fraction(3, 10),
    "micro": Fraction(1, 2),
    "small": Fraction(1),
    "medium": Fraction(3, 2),
    "large": Fraction(2),
    "exempt": Fraction(2),
}


def registration_fine(size_class: str, upf: int) -> int:
    """Art. 3: units of the State's fiscal unit for who did not register."""
    return REGISTRATION[size_class] * upf


def report_fine(size_class: str, upf: int, *, first_quarter_fee: int | None = None) -> int:
    """Art. 11, pars. 1-3: units for a late report; a tenth of the first quarter's fee if filed unprompted."""
    if first_quarter_fee is not None and size_class != "exempt":
        return half_up(Fraction(first_quarter_fee, 10))
    return half_up(REPORT[size_class] * upf)


def instalments(amount: int, number: int) -> list[int]:
    """Art. 12, par. 1: equal parts that lose no cent; what is left over falls on the first ones."""
    paid: list[int] = []
    for still in range(number, 0, -1):
        paid.append(-(-(amount - sum(paid)) // still))
    return paid


def restored(credited: int, refunded: int, index: Fraction) -> int:
    """Art. 14, pars. 2-3: a refund revives the claim for what had been credited, corrected."""
    return half_up(min(credited, refunded) * (1 + index))


def exempt(
    kind: str, *, recognised: bool, distributes: bool, at_home: bool, books: bool, refused: bool
) -> bool:
    """Art. 7: public bodies; recognised social ones on three conditions; subsistence unless refused."""
    if kind == "public":
        return True
    if kind == "social":
        return recognised and at_home and books and not distributes
    return kind == "subsistence" and not refused
