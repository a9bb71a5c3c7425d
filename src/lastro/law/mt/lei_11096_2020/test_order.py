"""Whether an establishment is in order with the register and the fee."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from lastro.law.mt.lei_11096_2020 import REGULATION
from lastro.lawkit.order import Check, Known, Quarter, Stated, in_order

TODAY = date(2027, 3, 15)
PAID = tuple(Quarter(2026, n, date(2026, 12, 9), True) for n in (1, 2, 3, 4))
GOOD = Known(
    cnpj="ZZTAXA01000102", on=TODAY, registered_on=date(2026, 1, 20), began=date(2026, 1, 5), quarters=PAID,
    stated={"activities/2025": Stated(True, "x", TODAY)},
)  # fmt: skip


def checks(known: Known) -> dict[str, Check]:
    assert REGULATION.orders is not None
    return {one.key: one for one in REGULATION.orders(REGULATION.law(known.on), known)}


def test_registered_and_paid_is_in_order() -> None:
    found = checks(GOOD)
    assert (found["entry"].met, found["fees"].met) == (True, True)
    assert "activities/2025" not in found, "no activity had begun in 2025"
    assert in_order(tuple(found.values())) is True


def test_a_quarter_assessed_and_not_paid_is_a_lack_from_the_day_after() -> None:
    owed = Quarter(2026, 4, date(2027, 1, 8), False)
    found = checks(replace(GOOD, quarters=(*PAID[:3], owed)))
    assert found["fee/2026-T4"].met is False
    assert found["fee/2026-T4"].since == date(2027, 1, 9)
    assert "fees" not in found


def test_a_quarter_never_assessed_is_unknown_and_named() -> None:
    found = checks(replace(GOOD, quarters=PAID[:2]))
    assert found["fees"].met is None
    assert "3º de 2026 e 4º de 2026" in found["fees"].found


def test_a_quarter_not_yet_due_is_neither() -> None:
    ahead = Quarter(2027, 1, date(2027, 4, 9), False)
    assert checks(replace(GOOD, quarters=(*PAID, ahead)))["fees"].met is True


def test_who_is_not_registered_may_owe_nothing() -> None:
    found = checks(Known(cnpj="ZZTAXA01000102", on=TODAY))
    assert {key: one.met for key, one in found.items()} == {"entry": None}
