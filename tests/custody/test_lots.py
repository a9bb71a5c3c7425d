"""A lots file is read whole or not at all, and says which row is wrong."""

from __future__ import annotations

import pytest

from lastro.custody.lots import LotRow, read_lots
from lastro.errors import LastroError
from lastro.ids import Origin
from lastro.units import Mass

KEY = "5126" + "0" * 40


def test_reads_portuguese_headings_semicolons_and_empty_cells():
    lots = read_lots(
        f"\ufeffchave;item;municipio;origem;massa_kg\r\n{KEY};1;5103403;pev;400.5\r\n{KEY};2;;;\r\n"
    )
    assert lots[(KEY, 1)] == LotRow("5103403", Origin.PRIVATE_PEV, Mass.kg("400.5"))
    assert lots[(KEY, 2)] == LotRow(None, None, None)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("123,1,,,", "chave de acesso"),
        (f"{KEY},0,,,", "número de um item"),
        (f"{KEY},1,9999999,,", "município"),
        (f"{KEY},1,,lixão,", "origem"),
        (f"{KEY},1,,,-5", "maior que zero"),
        (f"{KEY},1,,,abc", "massa em kg"),
    ],
)
def test_a_wrong_row_is_named_with_what_was_expected(row, said):
    with pytest.raises(LastroError, match=said):
        read_lots(f"key,line,municipality,origin,mass_kg\n{row}\n")


def test_a_row_with_more_cells_than_headings_is_not_guessed_at():
    with pytest.raises(LastroError, match="linha 2"):
        read_lots(f"key,line,municipality,origin,mass_kg\n{KEY},1,,,1.355,90\n")


@pytest.mark.parametrize("heading", ["massa", "massa_kg", "Massa (kg)"])
def test_the_part_claimed_is_read_under_each_of_its_names(heading):
    assert read_lots(f"chave;item;{heading}\n{KEY};1;1355,90\n")[KEY, 1].mass == Mass.kg("1355.90")


def test_a_column_that_is_not_known_is_refused_and_named():
    with pytest.raises(LastroError, match="'massa_t'"):
        read_lots(f"chave;item;massa_t\n{KEY};1;5\n")


def test_a_column_given_twice_is_refused():
    with pytest.raises(LastroError, match="mais de uma coluna mass_kg"):
        read_lots(f"chave;item;massa;massa_kg\n{KEY};1;5;6\n")


def test_a_mass_that_reads_two_ways_is_refused_with_both():
    with pytest.raises(LastroError, match="escreva 1234 se são milhares, ou 1,234"):
        read_lots(f"chave;item;massa_kg\n{KEY};1;1.234\n")


def test_two_rows_that_disagree_are_refused():
    with pytest.raises(LastroError, match="duas vezes"):
        read_lots(f"key,line,mass_kg\n{KEY},1,5\n{KEY},1,6\n")


def test_a_file_without_headings_says_which_it_needs():
    with pytest.raises(LastroError, match="chave e item"):
        read_lots("a,b\n1,2\n")


def test_the_manifest_of_a_load_is_its_number_and_nothing_else():
    lots = read_lots(f"chave;item;mtr\n{KEY};1;2600.0000.0001\n{KEY};2;5126000001\n{KEY};3;\n")
    assert [lots[KEY, n].manifest for n in (1, 2, 3)] == ["260000000001", "5126000001", None]
    with pytest.raises(LastroError, match="não é o número de um MTR"):
        read_lots(f"chave;item;mtr\n{KEY};1;12345\n")
