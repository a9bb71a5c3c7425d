"""A declaration's warnings on the company itself."""

from __future__ import annotations

import pytest

from lastro.facts import Placement
from lastro.ids import Material, cnpj_check_digits
from lastro.obligations.declare import Declared
from lastro.obligations.notices import notices
from lastro.registry import Registry
from lastro.units import Mass

BASE = "ZZN0T1CE0001"
HEAD = BASE + cnpj_check_digits(BASE)
BRANCH = "ZZN0T1CE0002" + cnpj_check_digits("ZZN0T1CE0002")


def declared(*, establishment: str | None = None, year: int = 2026, kg: str = "100") -> Declared:
    placed = Placement(year, Material.GLASS, "MT", Mass.kg(kg))
    return Declared({(establishment, year): [placed]})


def registry(size: str = "large", year: int = 2026) -> Registry:
    return Registry(
        {
            "parties": [{"cnpj": HEAD, "name": "Envasadora"}],
            "sizes": [{"company": HEAD[:8], "year": year, "size": size}],
        }
    )


def codes(seen: Declared, known: Registry) -> list[str]:
    return [one.code for one in notices(seen, known, company=HEAD)]


@pytest.mark.parametrize(("establishment", "expected"), [(None, []), (HEAD, []), (BRANCH, ["P06"])])
def test_an_establishment_off_the_list_is_p06(establishment: str | None, expected: list[str]) -> None:
    assert codes(declared(establishment=establishment), registry()) == expected
    assert codes(declared(establishment=establishment), Registry({})) == []


@pytest.mark.parametrize(
    ("size", "year", "kg", "expected"),
    [
        ("large", 2026, "100", []),
        ("medium", 2026, "100", []),
        ("epp", 2026, "100", ["P09"]),
        ("me", 2026, "100", ["P09"]),
        ("mei", 2026, "100", ["P09"]),
        ("epp", 2025, "100", []),  # another year's size says nothing of this one
        ("epp", 2026, "0", []),
    ],
)
def test_a_small_firm_with_mass_is_p09(size: str, year: int, kg: str, expected: list[str]) -> None:
    assert codes(declared(kg=kg), registry(size, year)) == expected
