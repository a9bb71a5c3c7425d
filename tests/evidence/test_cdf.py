"""The printed certificate of destination: two layouts read whole, and whatever is unsure told with why."""

from __future__ import annotations

import datetime as dt
import io
import json
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from lastro.evidence import document_json, from_json, to_json
from lastro.evidence.admit import admit
from lastro.evidence.pdf_text import MOST_PAGES
from lastro.facts import Kind, Outcome, Severity
from lastro.sample import waste
from lastro.sample.pdf import Row, _file, pdf_bytes
from tests.evidence import waste as w

STATE = replace(w.CERTIFICATE, number="2154920/2026", manifests=("2400014607", "2400014608"))
Rows = list[Row]


def printed(change: Callable[[Rows], Rows] = lambda rows: rows, *, layout: str = "sinir") -> bytes:
    """A certificate whose rows were changed before it was printed."""
    paper = w.CERTIFICATE if layout == "sinir" else STATE
    return pdf_bytes(change(waste.certificate_rows(paper, layout=layout)))


def with_text(old: str, new: str) -> Callable[[Rows], Rows]:
    """The rows with one text for another; the old one has to be there."""

    def change(rows: Rows) -> Rows:
        made = [[(at, text.replace(old, new)) for at, text in row] for row in rows]
        assert made != rows, old
        return list(made)

    return change


def without(start: str) -> Callable[[Rows], Rows]:
    """The rows without those that begin with a text."""

    def change(rows: Rows) -> Rows:
        kept = [row for row in rows if not row[0][1].startswith(start)]
        assert len(kept) < len(rows), start
        return kept

    return change


class TestWhole:
    @pytest.mark.parametrize(
        ("layout", "paper", "name", "system"),
        [("sinir", w.CERTIFICATE, "CDF SINIR", "SINIR"), ("state", STATE, "CDF estadual", "")],
    )
    def test_each_layout_is_read_whole(self, layout: str, paper: waste.Paper, name: str, system: str) -> None:
        document = w.one(waste.certificate_pdf(paper, layout=layout))
        made = document.destination
        assert made is not None
        assert (document.kind, document.name, document.findings) == (Kind.CDF, name, ())
        assert (made.number, made.system, made.municipality) == (
            paper.number.partition("/")[0],
            system,
            "5103403",
        )
        assert (made.generator, made.destination) == (w.GENERATOR, w.DESTINATION)
        assert (made.period_from, made.period_to, made.declared_on) == (
            dt.date(2026, 3, 1), dt.date(2026, 3, 31), dt.date(2026, 4, 10),
        )  # fmt: skip
        assert made.manifests == paper.manifests
        assert [
            (r.code, r.description, r.unit, r.indicated, r.received, r.treatment) for r in made.residues
        ] == [
            ("150101", "Embalagens de papel e cartão", "TONELADA", "", "1.45000", "Reciclagem"),
            ("150102", "Embalagens de plástico", "TONELADA", "", "0.79", "Reciclagem"),
        ]

    def test_it_goes_to_the_store_and_back(self) -> None:
        document = w.one(printed())
        assert from_json(json.loads(json.dumps(to_json(document)))) == document

    def test_its_answer(self) -> None:
        document = w.one(printed())
        told = document_json(document, admit(document))
        assert (told["kind"], told["issuer"], told["recipient"]) == ("cdf", w.DESTINATION, w.GENERATOR)
        assert told["certificate"]["received_mg"] == 2_240_000_000
        assert [line["mass_mg"] for line in told["lines"]] == [1_450_000_000, 790_000_000]

    def test_thousands_and_decimals_the_brazilian_way(self) -> None:
        made = w.one(printed(with_text("1,45000", "1.450,00000"))).destination
        assert made is not None
        assert made.residues[0].received == "1450.00000"

    def test_many_manifests_over_two_pages(self) -> None:
        numbers = tuple(f"2400014{n:05d}" for n in range(230))
        document = w.one(waste.certificate_pdf(replace(w.CERTIFICATE, manifests=numbers)))
        assert document.findings == ()
        assert document.destination is not None
        assert document.destination.manifests == numbers

    def test_a_long_description_broken_over_rows(self) -> None:
        def change(rows: Rows) -> Rows:
            at = next(n for n, row in enumerate(rows) if row[0][1].startswith("150101"))
            return [*rows[:at], [(40, "150101 - Embalagens de papel")], [(40, "e cartão"), *rows[at][1:]],
                    *rows[at + 1 :]]  # fmt: skip

        document = w.one(printed(change))
        assert document.findings == ()
        assert document.destination is not None
        assert document.destination.residues[0].description == "Embalagens de papel e cartão"

    def test_the_generator_may_stand_before_the_destination(self) -> None:
        def change(rows: Rows) -> Rows:
            block = [row for row in rows if row[0][1].startswith(("Razão", "CNPJ/CPF"))]
            return [*rows[:2], *block, *(row for row in rows[2:] if row not in block)]

        document = w.one(printed(change))
        assert document.findings == ()
        assert document.destination is not None
        assert document.destination.generator == w.GENERATOR

    def test_hazardous_by_its_mark_or_its_class(self) -> None:
        marked = with_text("150101 - ", "150110(*) - ")
        classed = with_text("Classe II A", "Classe I")
        for change in (marked, classed):
            made = w.one(printed(change)).destination
            assert made is not None
            assert made.residues[0].hazardous

    def test_an_empty_password_opens(self) -> None:
        assert w.codes(w.one(locked(""))) == []


class TestUnsure:
    """Each goes to a person, with what was seen; and nothing of it is read as if it were sure."""

    @pytest.mark.parametrize(
        ("change", "code", "seen"),
        [
            (without("CDF nº"), "F07", "vazio"),
            (with_text("CDF nº 3001234/2026", "CDF nº 3001234/2026 CDF nº 3001235/2026"), "F07", "3001235"),
            (without("Período"), "F07", "vazio"),
            (without("EMPRESA INVENTADA, CPF"), "F07", "vazio"),
            (without("CNPJ/CPF"), "F07", "vazio"),
            (with_text("OUTRA EMPRESA INVENTADA", f"OUTRA CNPJ: {w.CARRIER}"), "F07", "2 números"),
            (without("Identificação dos Resíduos"), "F07", "0 vezes"),
            (without("1501"), "F07", "nenhum"),
            (without("Cuiabá,"), "F07", "não encontrada"),
            (with_text("Cuiabá, 10/04/2026", "Cuiabá, 10/04/2026 Cuiabá, 11/04/2026"), "F07", "11/04/2026"),
            (without("Manifestos Incluídos"), "F06", "leiaute"),
            (with_text("240001460711, 240001460712", "240001460711, 240001460712,"), "F07", "não acaba"),
            (with_text("240001460711, 240001460712", "240001460711, 240001460712 ..."), "F07", "não acaba"),
            (with_text("240001460711, 240001460712", "240001460711, 24000146"), "F07", "24000146"),
            (with_text("240001460711, 240001460712", "240001460711; 2400014607"), "F07", "2400014607"),
            (with_text("Sistema MTR do Sinir", "Sistema MTR do Sinir 240001460799"), "F07", "240001460799"),
            (with_text("Reciclagem", "Reciclagem de alguma coisa"), "F07", "Reciclagem de alguma coisa"),
            (with_text("Reciclagem", ""), "F07", "sem tratamento"),
            (with_text("Classe II A", ""), "F07", "150101"),
            (with_text("Tonelada", "Fardo"), "F07", "150101"),
            (with_text("1,45000", "1,4 Tonelada 9,0"), "F07", "150101"),
            (with_text("Quantidade", "Qtde."), "F06", "QTDE."),
            (with_text("Embalagens de papel", "Embalagens de 20 L de papel"), "F07", "20 L"),
        ],
    )
    def test_what_cannot_be_told_goes_to_a_person(
        self, change: Callable[[Rows], Rows], code: str, seen: str
    ) -> None:
        document = w.one(printed(change))
        assert document.kind is Kind.CDF
        assert {f.code for f in document.findings} <= {code, "F07"}
        assert {f.severity for f in document.findings} == {Severity.REVIEW}
        assert any(f.code == code and seen in f.found for f in document.findings), document.findings
        assert admit(document).outcome is Outcome.REVIEW

    @pytest.mark.parametrize(
        "written", ["1.450", "1.45000", "1,450.00", "1 450,00", "~1,45", "1,45,0", "1..4"]
    )
    def test_a_quantity_that_is_no_plain_decimal_is_not_read(self, written: str) -> None:
        document = w.one(printed(with_text("1,45000", written)))
        verdict = admit(document)
        assert verdict.lines[0].mass is None
        assert verdict.outcome is Outcome.REVIEW
        assert document_json(document, verdict)["certificate"]["received_mg"] is None

    def test_columns_told_one_after_the_other_cannot_be_told_apart(self) -> None:
        def change(rows: Rows) -> Rows:
            table = [row for row in rows if row[0][1].startswith("1501")]
            at = rows.index(table[0])
            columns: Rows = [[row[place]] for place in range(5) for row in table]
            return [*rows[:at], *columns, *rows[at + 2 :]]

        document = w.one(printed(change))
        assert {f.code for f in document.findings} == {"F07"}
        assert all(line.mass is None for line in admit(document).lines)

    def test_a_numbered_row_that_is_missing(self) -> None:
        document = w.one(printed(without("1. "), layout="state"))
        assert [f.code for f in document.findings] == ["F07"]
        assert "linhas 2" in document.findings[0].found

    def test_a_place_that_is_not_there_is_a_warning(self) -> None:
        document = w.one(waste.certificate_pdf(replace(w.CERTIFICATE, city="Cidade Que Não Há")))
        assert [(f.code, f.severity) for f in document.findings] == [("G01", Severity.WARN)]

    def test_an_unknown_treatment_is_kept_as_written(self) -> None:
        document = w.one(printed(with_text("Reciclagem", "Moagem")))
        assert document.destination is not None
        assert [r.treatment for r in document.destination.residues] == ["Moagem", "Moagem"]
        assert admit(document).outcome is Outcome.REVIEW


class TestDays:
    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"first": dt.date(2026, 4, 1)}, "C10"),
            ({"declared": dt.date(2026, 3, 30)}, "C10"),
            ({"declared": dt.date(2026, 12, 1)}, "N13"),
        ],
    )
    def test_days_out_of_order(self, changes: dict[str, dt.date], code: str) -> None:
        document = w.one(waste.certificate_pdf(replace(w.CERTIFICATE, **changes)))  # type: ignore[arg-type]
        assert w.codes(document) == [code]

    def test_declared_on_the_last_day_is_in_order(self) -> None:
        paper = replace(w.CERTIFICATE, declared=dt.date(2026, 3, 31))
        assert w.codes(w.one(waste.certificate_pdf(paper))) == []

    def test_a_day_that_is_none(self) -> None:
        document = w.one(printed(with_text("01/03/2026 a", "31/02/2026 a")))
        assert sorted(w.codes(document)) == ["C10", "F07"]


def locked(password: str) -> bytes:
    """The usual certificate behind a password."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(printed())))
    writer.encrypt(user_password=password, owner_password="outra", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def replaced(old: bytes, new: bytes) -> bytes:
    data = printed()
    assert old in data
    return data.replace(old, new)


def stream(drawn: bytes, *, filters: bytes = b"") -> bytes:
    """A PDF of one page with that content."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
        b"<</Length %d%s>>stream\n%s\nendstream" % (len(drawn), filters, drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    return _file(objects)


def flate(drawn: bytes) -> bytes:
    return stream(zlib.compress(drawn), filters=b"/Filter/FlateDecode")


HOSTILE: dict[str, tuple[Callable[[], bytes], str, Severity]] = {
    "no PDF at all": (lambda: b"%PDF-1.4\nnada", "F05", Severity.REFUSE),
    "cut short": (lambda: printed()[:900], "F05", Severity.REFUSE),
    "locked": (lambda: locked("segredo"), "F04", Severity.REFUSE),
    "without text": (lambda: stream(b"0 0 9 9 re f"), "F04", Severity.REVIEW),
    "another paper": (lambda: pdf_bytes([[(40, "DANFE")], [(40, "Nota fiscal")]]), "F04", Severity.REFUSE),
    "too many pages": (
        lambda: pdf_bytes([[(40, "CDF nº 1")]] * 46 * (MOST_PAGES + 1)),
        "F03",
        Severity.REFUSE,
    ),
    "too large": (lambda: printed() + b"\n" * 6_000_000, "F03", Severity.REFUSE),
    "a bomb": (lambda: flate(b" " * 300_000_000), "F03", Severity.REFUSE),
    "operations without end": (lambda: flate(b"q Q " * 900_000), "F03", Severity.REFUSE),
    "text without end": (
        lambda: stream(b"BT /F1 9 Tf (" + b"x" * 2_000_000 + b") Tj ET"),
        "F03",
        Severity.REFUSE,
    ),
    "pages of themselves": (lambda: replaced(b"/Kids[4 0 R]", b"/Kids[2 0 R]"), "F05", Severity.REFUSE),
    "a catalogue of itself": (lambda: replaced(b"/Pages 2 0 R", b"/Pages 1 0 R"), "F05", Severity.REFUSE),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_crashes_and_each_says_what_it_is(name: str) -> None:
    make, code, severity = HOSTILE[name]
    document = w.one(make())
    assert [(f.code, f.severity) for f in document.findings] == [(code, severity)]
    assert document.kind is Kind.UNKNOWN


def test_a_form_that_draws_itself_ends_and_is_told() -> None:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>/Contents 4 0 R>>"
    form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>/Length 6>>"
    form += b"stream\n/X Do \nendstream"
    data = _file([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, form])
    assert [f.code for f in w.one(data).findings] == ["F04"]


@pytest.mark.skipif(sys.platform == "win32", reason="memory is measured on Linux and macOS")
def test_the_hostile_ones_stay_within_the_memory_of_a_file(tmp_path: Path) -> None:
    for name, (make, _, _) in HOSTILE.items():
        (tmp_path / f"{name}.pdf").write_bytes(make())
    counts, most, logged = w.alone(tmp_path)
    assert counts == [1] * len(HOSTILE)
    assert most < 200
    assert logged == "", "what a file is like is told on the file, not in the log"
