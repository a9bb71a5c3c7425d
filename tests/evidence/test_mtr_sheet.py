"""The report of manifests in .xlsx: columns by their heads, a row a residue, each manifest once."""

from __future__ import annotations

import datetime as dt
import io
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from lastro.evidence import sources
from lastro.facts import Kind, Severity
from lastro.sample import waste
from tests.evidence import waste as w

TWO = replace(w.TRIP, loads=(w.PAPER, w.PLASTIC))
THREE = replace(w.TRIP, number="240001460712", loads=(w.PAPER,))


def report(*trips: waste.Trip) -> bytes:
    return waste.report_bytes(waste.report_rows(trips))


def test_the_rows_of_one_number_are_one_manifest() -> None:
    found = w.documents(report(TWO, THREE))
    assert [(d.kind, d.name, d.part, w.codes(d)) for d in found] == [
        (Kind.MTR, "relatorioMTR", "Relatório, linhas 4 a 5", []),
        (Kind.MTR, "relatorioMTR", "Relatório, linha 6", []),
    ]
    made = found[0].manifest
    assert made is not None
    assert [(r.code, r.description, r.unit, r.received) for r in made.residues] == [
        ("150101", "Embalagens de papel e cartão", "Tonelada", "1.45000"),
        ("150102", "Embalagens de plástico", "Tonelada", "0.79"),
    ]
    assert (made.generator, made.destination, made.carrier) == (w.GENERATOR, w.DESTINATION, w.CARRIER)
    assert (made.issued_on, made.received_on) == (dt.date(2026, 3, 2), dt.date(2026, 3, 3))
    assert (made.certificate, made.plate, made.system) == ("3001234", "ABC1D23", "SINIR")


def test_columns_in_another_order_and_a_title_above_say_the_same() -> None:
    rows = waste.report_rows([TWO])
    turned = waste.report_bytes([row[::-1] for row in rows], waste.REPORT_HEADS[::-1])
    assert w.one(turned).manifest == w.one(report(TWO)).manifest


def test_cells_typed_as_numbers_and_dates() -> None:
    rows = waste.report_rows([THREE])
    place = {name: n for n, name in enumerate(waste.REPORT_HEADS)}
    rows[0][place["Nº MTR"]] = 240001460712  # type: ignore[call-overload]
    rows[0][place["Quantidade Recebida"]] = 1.45  # type: ignore[call-overload]
    made = w.one(waste.report_bytes(rows)).manifest
    assert made is not None
    assert (made.number, made.residues[0].received) == ("240001460712", "1.45")


def test_the_same_residue_twice_in_one_manifest_is_two_rows_and_both_count() -> None:
    made = w.one(report(replace(TWO, loads=(w.PAPER, w.PAPER)))).manifest
    assert made is not None
    assert [r.received for r in made.residues] == ["1.45000", "1.45000"]


def test_a_quantity_that_reads_two_ways_is_not_read() -> None:
    rows = waste.report_rows([THREE])
    rows[0][waste.REPORT_HEADS.index("Quantidade Recebida")] = "1.450"
    made = w.one(waste.report_bytes(rows)).manifest
    assert made is not None
    assert made.residues[0].received == "1.450 (?)"


def test_a_formula_is_no_quantity() -> None:
    rows = waste.report_rows([THREE])
    rows[0][waste.REPORT_HEADS.index("Quantidade Recebida")] = "=1+1"
    made = w.one(waste.report_bytes(rows)).manifest
    assert made is not None
    assert made.residues[0].received is not None
    assert made.residues[0].received.endswith("(?)")


class TestToldTwice:
    def test_the_same_manifest_further_down_is_a_copy(self) -> None:
        first, _, again = w.documents(report(TWO, THREE, TWO))
        assert (w.codes(first), w.codes(again)) == ([], ["F11"])
        assert first.content_digest == again.content_digest

    def test_otherwise_further_down_is_a_contradiction(self) -> None:
        other = replace(TWO, loads=(replace(w.PAPER, received="9"), w.PLASTIC))
        assert w.codes(w.documents(report(TWO, THREE, other))[2]) == ["N15"]

    def test_rows_of_one_manifest_that_differ(self) -> None:
        rows = waste.report_rows([TWO])
        rows[1][waste.REPORT_HEADS.index("Situação")] = "Cancelado"
        (seen,) = w.one(waste.report_bytes(rows)).findings
        assert (seen.code, seen.severity) == ("N15", Severity.REVIEW)
        assert "linha 5" in seen.found
        assert "Situação" in seen.found


class TestNoReport:
    def test_another_workbook(self) -> None:
        document = w.one(waste.report_bytes([["a", "1"]], ["Produto", "Preço"]))
        assert (document.kind, w.codes(document)) == (Kind.UNKNOWN, ["F04"])

    def test_a_report_without_a_column_it_needs(self) -> None:
        heads = [head for head in waste.REPORT_HEADS if head != "Quantidade Recebida"]
        document = w.one(waste.report_bytes([["x"] * len(heads)], heads))
        assert w.codes(document) == ["F07"]
        assert "Quantidade Recebida" in document.findings[0].found

    def test_a_row_without_a_number_is_told_and_a_total_is_passed_over(self) -> None:
        rows = waste.report_rows([THREE, THREE])
        rows[0][waste.REPORT_HEADS.index("Nº MTR")] = ""
        rows.append(["", "Total"])
        found = w.documents(waste.report_bytes(rows))
        assert [w.codes(d) for d in found] == [["F07"], []]

    def test_a_residue_without_a_code(self) -> None:
        rows = waste.report_rows([THREE])
        rows[0][waste.REPORT_HEADS.index("Resíduo Cód/Descrição")] = "Papelão"
        document = w.one(waste.report_bytes(rows))
        assert [(f.code, f.severity) for f in document.findings] == [("F07", Severity.REVIEW)]

    @pytest.mark.parametrize("cut", [30, 400, 2_000])
    def test_a_broken_one(self, cut: int) -> None:
        assert w.codes(w.one(report(TWO)[:cut])) == ["F05"]

    def test_a_bomb(self) -> None:
        document = w.one(repacked({"xl/worksheets/sheet1.xml": b"<c/>" * 2_000_000}))
        assert w.codes(document) == ["F03"]

    def test_one_row_without_end(self) -> None:
        body = (
            b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row>'
        )
        document = w.one(repacked({"xl/worksheets/sheet1.xml": body + b"<c/>" * 500_000}))
        assert w.codes(document) == ["F03"]

    def test_styles_without_end(self) -> None:
        assert w.codes(w.one(repacked({"xl/styles.xml": b"<xf/>" * 500_000}))) == ["F03"]

    def test_a_doctype(self) -> None:
        body = b'<!DOCTYPE w [<!ENTITY a "x">]><worksheet/>'
        assert w.codes(w.one(repacked({"xl/worksheets/sheet1.xml": body}))) == ["F05"]


def repacked(parts: dict[str, bytes]) -> bytes:
    """A report with some of its parts replaced."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(report(TWO))) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, parts.get(name, old.read(name)))
    return out.getvalue()


def test_a_workbook_is_found_in_a_folder_and_in_a_zip(tmp_path: Path) -> None:
    (tmp_path / "relatorio.xlsx").write_bytes(report(TWO))
    with zipfile.ZipFile(tmp_path / "tudo.zip", "w") as package:
        package.writestr("2026/relatorio.xlsx", report(TWO))
    found = [(s.member, s.problem, s.data == report(TWO)) for s in sources([tmp_path])]
    assert found == [(None, None, True), ("2026/relatorio.xlsx", None, True)]


def test_another_document_of_an_office_is_not_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "carta.docx", "w") as package:
        package.writestr("[Content_Types].xml", b"<t/>")
        package.writestr("word/document.xml", b"<d/>")
    (source,) = sources([tmp_path])
    assert source.problem is not None
    assert source.problem.code == "F04"


@pytest.mark.skipif(sys.platform == "win32", reason="memory is measured on Linux and macOS")
def test_a_long_report_stays_within_the_memory_of_a_file(tmp_path: Path) -> None:
    trips = (replace(TWO, number=f"2400{n:08d}") for n in range(4_000))
    (tmp_path / "longo.xlsx").write_bytes(report(*trips))
    counts, most, _ = w.alone(tmp_path)
    assert counts == [4_000]
    assert most < 200
