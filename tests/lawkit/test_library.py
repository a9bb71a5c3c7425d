"""Norms are found where they stand."""

from __future__ import annotations

import pytest

from lastro.errors import LastroError
from lastro.ids import Material
from lastro.lawkit import library

MT = "mt/decreto_1455_2025"


def test_a_norm_is_found_by_its_folder() -> None:
    assert MT in library.paths()
    assert library.find(MT).norm.short_title == "Decreto MT 1.455/2025"
    assert library.find(f"{MT}/") is library.find(MT)
    assert library.find(MT) in library.every()


@pytest.mark.parametrize("wrong", ["mt/decreto_1455", "", "../mt", "mt.decreto_1455_2025", "os/path"])
def test_an_unknown_norm_names_the_known_ones(wrong: str) -> None:
    with pytest.raises(LastroError, match=r"Norma desconhecida.*mt/decreto_1455_2025"):
        library.find(wrong)


def test_a_norm_groups_materials_its_own_way() -> None:
    regulation = library.find(MT)
    assert regulation.group(Material.ALUMINIUM) == "metals"
    assert regulation.group(Material.CARTON) == "paper"
    assert regulation.group(Material.TYRE) is None
