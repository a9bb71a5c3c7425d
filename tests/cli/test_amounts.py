"""Masses and materials as a person types them at a prompt."""

from __future__ import annotations

import pytest

from lastro.cli.retire import mass_of, materials_of
from lastro.errors import LastroError
from lastro.ids import Material
from lastro.units import Mass


@pytest.mark.parametrize(
    ("typed", "mg"),
    [
        ("1", 10**6),
        ("0.5", 5 * 10**5),
        ("1355.90", 1355_900_000),
        ("1.355,90", 1355_900_000),
        ("0.000001", 1),
    ],
)
def test_a_mass_is_read_as_it_is_written(typed, mg):
    assert mass_of(typed) == Mass(mg)


@pytest.mark.parametrize(
    "typed", ["1.000", "12.500", "0", "-1", "abc", "", "1e3", "NaN", "0.0000001", "9" * 20]
)
def test_what_is_no_mass_or_reads_two_ways_is_refused(typed):
    with pytest.raises(LastroError):
        mass_of(typed)


def test_materials_have_names_in_both_languages_and_groups_too():
    assert materials_of("vidro") == materials_of("glass") == (Material.GLASS,)
    assert materials_of("Alumínio") == (Material.ALUMINIUM,)
    assert materials_of("metais") == materials_of("metals")
    assert set(materials_of("metals")) == {Material.STEEL, Material.ALUMINIUM, Material.OTHER_METAL}
    with pytest.raises(LastroError, match="não é um material"):
        materials_of("isopor azul")
