"""Values as a lawyer writes them are read exactly, or refused with what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from lastro.ids import Origin
from lastro.lawkit.values import read_value
from lastro.units import ExactMass, Mass, Share


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (Share, "40%", Share.parse("40%")),
        (Mass, "10 t", Mass.kg("10000")),
        (ExactMass, "0.5 kg", Mass.kg("0.5").exact),
        (int, "2026", 2026),
        (int, 2026, 2026),
        (bool, "sim", True),
        (bool, "não", False),
        (bool | None, "desconhecido", None),
        (bool | None, True, True),
        (date, "2026-12-31", date(2026, 12, 31)),
        (Origin, "picker_entity", Origin.PICKER_ENTITY),
        (str, "structuring", "structuring"),
        (tuple[Share, ...], "22%, 24%", (Share.parse("22%"), Share.parse("24%"))),
        (Mapping[str, Mass], "glass: 1 t, paper: 2 t", {"glass": Mass.kg("1000"), "paper": Mass.kg("2000")}),
        (Mapping[str, Mass], {"glass": "1 t"}, {"glass": Mass.kg("1000")}),
    ],
)
def test_a_value_is_read(kind: object, raw: object, value: object) -> None:
    assert read_value(kind, raw) == value


@pytest.mark.parametrize(
    ("kind", "raw", "expected"),
    [
        (Share, "0.4", "um percentual"),
        (Share, 0.4, "um percentual"),
        (Mass, "10", "uma massa"),
        (int, "2026.5", "um número inteiro"),
        (int, True, "um número inteiro"),
        (bool, "talvez", "sim ou não"),
        (bool, 1, "sim ou não"),
        (date, "31/12/2026", "uma data"),
        (Origin, "scrap", "um de municipal"),
        (str, 3, "um texto"),
        (Mapping[str, Mass], "glass 1 t", "material: massa"),
    ],
)
def test_what_cannot_be_read_is_refused(kind: object, raw: object, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        read_value(kind, raw)
