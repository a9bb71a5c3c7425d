"""What a certificate shows, read back by other programs than the one that set it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pypdf
import pytest

from lastro.papers import render, seal
from lastro.papers.shapes import CERTIFICATE_ITEMS
from tests.papers.example import certificate, report

Poppler = Callable[..., bytes]


def words(pdf: bytes) -> str:
    """The text of all pages as another library extracts it, blanks evened out."""
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def flat(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for item in value for text in flat(item)]


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("item", list(CERTIFICATE_ITEMS))
def test_each_of_the_thirteen_items_is_there_with_its_number_and_content(cre: bytes, item: str) -> None:
    text = squeezed(words(cre))
    assert squeezed(item + CERTIFICATE_ITEMS[item]) in text
    for piece in flat(certificate(3)["fields"][item]):
        assert squeezed(piece) in text, piece


def test_poppler_reads_the_thirteen_items_too(cre: bytes, poppler: Poppler) -> None:
    text = squeezed(poppler("pdftotext", cre, "-layout", "-").decode())
    for item, value in certificate(3)["fields"].items():
        assert squeezed(item + CERTIFICATE_ITEMS[item])[:20] in text
        assert squeezed(flat(value)[-1])[:40] in text


def test_the_items_follow_each_other_in_the_order_of_the_article(cre: bytes) -> None:
    text = squeezed(words(cre))
    places = [text.index(squeezed(item + label)) for item, label in CERTIFICATE_ITEMS.items()]
    assert places == sorted(places)


def test_every_note_is_listed_and_its_head_stands_on_every_page_of_the_list(long_cre: bytes) -> None:
    data = certificate(200)
    text = squeezed(words(long_cre))
    assert all(row["key"] in text for row in data["invoices"])
    pages = [squeezed(page.extract_text()) for page in pypdf.PdfReader(io.BytesIO(long_cre)).pages]
    assert len(pages) >= 4
    listed = [page for page in pages if any(row["key"] in page for row in data["invoices"])]
    assert len(listed) == len(pages) - 1
    assert all("Chavedeacesso(XII)" in page for page in listed)


def test_pages_are_numbered_and_say_where_to_check(long_cre: bytes) -> None:
    pages = [squeezed(page.extract_text()) for page in pypdf.PdfReader(io.BytesIO(long_cre)).pages]
    for number, page in enumerate(pages, start=1):
        assert f"Página{number}de{len(pages)}" in page
        assert squeezed(certificate()["address"]) in page
        assert certificate()["number"] in page


@pytest.mark.parametrize(
    ("basis", "bands", "says"),
    [
        ("test", [], "TESTE — SEM VALOR"),
        ("illustrative", [], "METAS ILUSTRATIVAS — SEM VALOR LEGAL"),
        ("test", ["METAS ILUSTRATIVAS"], "TESTE — SEM VALOR · METAS ILUSTRATIVAS"),
    ],
)
def test_a_basis_that_is_not_official_is_told_on_every_page(basis: str, bands: list[str], says: str) -> None:
    pdf = render("cre", certificate(200, basis=basis, bands=bands))
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    assert len(pages) > 2
    assert all(squeezed(says) in squeezed(page.extract_text()) for page in pages)


def test_an_official_certificate_bears_no_band() -> None:
    text = words(render("cre", certificate(3, basis="official", bands=[])))
    assert "SEM VALOR" not in text
    assert "ILUSTRATIVAS" not in text


def test_number_validity_and_seal_are_there(cre: bytes) -> None:
    data, text = certificate(3), words(cre)
    assert data["number"] in text
    assert f"Válido até {data['valid_until']}" in text
    assert seal(data) in text


def test_the_qr_code_leads_to_the_public_address(cre: bytes, poppler: Poppler) -> None:
    zxing = pytest.importorskip("zxingcpp", reason="the second QR reader is not here")
    picture = poppler("pdftoppm", cre, "-r", "150", "-gray", "-f", "1", "-l", "1")
    head = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", picture)
    assert head is not None
    width, height = int(head.group(1)), int(head.group(2))
    page = memoryview(picture[head.end() :]).cast("B", (height, width))
    assert [code.text for code in zxing.read_barcodes(page)] == [certificate()["address"]]


def test_the_seal_changes_with_any_word() -> None:
    data = certificate(3)
    other = certificate(3, mass="22.000,001 kg")
    assert seal(data) == seal(dict(reversed(data.items())))
    assert seal(data) != seal(other)
    assert re.fullmatch(r"([0-9A-F]{4} ){4}[0-9A-F]{4}", seal(data))


@pytest.mark.parametrize("item", list(CERTIFICATE_ITEMS))
def test_a_certificate_without_an_item_is_not_set(item: str) -> None:
    data = certificate(3)
    data["fields"][item] = ""
    with pytest.raises(AssertionError, match=rf"\b{item}\b"):
        render("cre", data)
    del data["fields"][item]
    with pytest.raises(AssertionError, match="thirteen"):
        render("cre", data)


def test_many_places_share_their_lines_so_that_the_first_page_holds_all_items() -> None:
    data = certificate(3)
    data["fields"]["VIII"] = [f"Município Inventado {n}/MT (operador)" for n in range(12)]
    first = pypdf.PdfReader(io.BytesIO(render("cre", data))).pages[0].extract_text()
    assert squeezed("; ".join(data["fields"]["VIII"])) in squeezed(first)
    assert squeezed(CERTIFICATE_ITEMS["XIII"]) in squeezed(first)


def _right_edges(page: bytes) -> list[float]:
    return [float(edge) for edge in re.findall(rb'xMax="([0-9.]+)"', page)]


def test_no_word_runs_off_the_page_however_long(poppler: Poppler) -> None:
    word = "Embalagens" * 30
    data = certificate(2, holder={"name": word, "cnpj": "x"}, material=word, legal=word, notes=[word])
    data["entity"] = data["signer"] = {"name": word, "cnpj": word}
    data["fields"] |= {"I": [[word, word]], "VIII": word}
    data["invoices"][0] |= {"place": word}
    edges = _right_edges(poppler("pdftotext", render("cre", data), "-bbox", "-"))
    assert len(edges) > 100
    assert max(edges) < 595.3 - 50  # A4 less most of the margin, in points


def test_no_cell_of_a_report_runs_off_the_page(poppler: Poppler) -> None:
    word = "0123456789abcdef" * 4
    columns = [{"label": f"Coluna {n}"} for n in range(8)]
    rows = [[word, "curto", f"{word} {word}", *["palavra comum"] * 5]]
    section = {"heading": word, "text": word, "columns": columns, "rows": rows, "notes": [word]}
    pdf = render("report", report(title=word, subtitle=word, sections=[section], meta=[[word, word]]))
    assert max(_right_edges(poppler("pdftotext", pdf, "-bbox", "-"))) < 595.3 - 50
