"""A table of formal partnerships is read whole or not at all."""

from __future__ import annotations

from datetime import date

import pytest

from lastro.errors import LastroError
from lastro.reports.partnerships import read_partnerships
from lastro.reports.standing import Partnership
from tests.ledger.worlds import cnpj

COOP = cnpj("COOP1")
HEADS = "parceiro;nome;instrumento;de;até"


def read(*rows: str) -> tuple[Partnership, ...]:
    return read_partnerships("parcerias.csv", "\n".join([HEADS, *rows]).encode())


def test_rows_become_partnerships():
    assert read(
        f"{COOP};Cooperativa;Contrato 1;2026-01-01;", f"{COOP};Cooperativa;Contrato 0;01/01/2025;31/12/2025"
    ) == (
        Partnership(COOP, "Cooperativa", "Contrato 0", date(2025, 1, 1), date(2025, 12, 31)),
        Partnership(COOP, "Cooperativa", "Contrato 1", date(2026, 1, 1)),
    )


def test_no_rows_are_no_partnerships():
    assert read() == ()


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (f"{COOP[:-1]}0;Cooperativa;Contrato;2026-01-01;", "linha 2: esperado um CNPJ"),
        (f"{COOP};Cooperativa;Contrato;2026-02-30;", "linha 2: esperado uma data"),
        (f"{COOP};;Contrato;2026-01-01;", "linha 2: esperado a coluna name preenchida"),
    ],
)  # fmt: skip
def test_one_wrong_cell_refuses_the_table_and_says_where(row, says):
    with pytest.raises(LastroError, match=says):
        read(row, f"{COOP};Cooperativa;Contrato;2026-01-01;")


def test_a_missing_column_is_named():
    with pytest.raises(LastroError, match="faltam as colunas instrument"):
        read_partnerships("p.csv", f"cnpj;nome;de\n{COOP};Coop;2026-01-01".encode())
