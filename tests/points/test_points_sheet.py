"""A sheet of points becomes the document that the verb reads: nothing guessed, nothing lost."""

from __future__ import annotations

import json

import pytest

from lastro.errors import LastroError
from lastro.points import parse, points_sheet

HEAD = "Município;Tipo;Desde;Até;Nome;Latitude;Longitude;Datum;Materiais\n"


def rows(text: str) -> list[dict[str, object]]:
    return points_sheet.rows_of("pontos.csv", text.encode())


def test_a_row_is_a_point_and_an_empty_cell_is_left_out():
    (one,) = rows(HEAD + "5103403;Consolidação;01/02/2026;;Ecoponto;-15,6;-56,09;SIRGAS 2000;Vidro, aço\n")
    assert one == {
        "municipality": "5103403", "kind": "consolidation", "since": "2026-02-01", "name": "Ecoponto",
        "latitude": "-15.6", "longitude": "-56.09", "datum": "SIRGAS 2000", "materials": ["glass", "steel"],
    }  # fmt: skip


def test_the_document_reads_as_the_verbs_file_and_keeps_what_the_sheet_cannot_say():
    before = {"states": ["MT"], "schedule": [{"municipality": "5103403", "year": 2026, "points": 3}]}
    made = points_sheet.document(rows(HEAD + "5103403;recebimento;2026-02-01\n"), before=before, states=[])
    asked = parse(json.dumps(made), coordinates=False)
    assert (len(asked.points), len(asked.schedule), len(asked.towns)) == (1, 1, 142)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Cidade;Tipo\n5103403;recebimento\n", "municipality, kind, since"),
        ("Município;Tipo;Desde;Horarío extra\n5103403;recebimento;01/02/2026;x\n", "Horarío extra"),
        ("Município;Tipo;Desde;Desde\n5103403;recebimento;01/02/2026;x\n", "repetidas"),
    ],
)
def test_a_sheet_without_its_columns_or_with_strange_ones_is_refused(text, told):
    with pytest.raises(LastroError, match=told):
        rows(text)


def test_what_a_cell_says_wrong_is_for_the_reader_to_say():
    made = points_sheet.document(rows(HEAD + "9999999;outro;ontem\n"), before={"states": ["MT"]}, states=[])
    with pytest.raises(LastroError, match="3 correções"):
        parse(json.dumps(made), coordinates=False)
