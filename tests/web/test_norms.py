"""The pages of the norms: anybody reads them, they say what the law folders say, and their files are safe."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest

from lastro.lawkit import library
from lastro.lawkit.conflicts import conflicts, conflicts_of
from lastro.lawkit.parameters import flat, load
from lastro.lawkit.provisions import provisions_of, reading_texts_of
from lastro.web import downloads
from lastro.web.readings import norms
from tests.web.conftest import TODAY, World, browser_of

MT, DRAFT = "mt/decreto_1455_2025", "br/minuta_metal_2022"


@pytest.fixture(scope="module", autouse=True)
def _open(module_world: World) -> None:
    """The pages stand on a world, of which they show nothing but its day."""


def _text(address: str, **asked: str) -> str:
    answer = browser_of().get(address, asked)
    assert answer.status_code == 200, address
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def _file(path: str, what: str, kind: str) -> bytes:
    answer = browser_of().get(f"/normas/{path}/{what}.{kind}")
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment; ")
    return bytes(answer.content)


def _sheet(body: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(body.decode("utf-8-sig")), delimiter=";"))


def test_a_stranger_sees_every_norm_and_whether_it_binds() -> None:
    text = _text("/normas/")
    for regulation in library.every():
        assert regulation.norm.short_title in text
    assert text.count("minuta: só simulação") == sum(r.norm.status == "draft" for r in library.every()) == 1
    for one in conflicts():
        assert one.taken.replace("'", "&#x27;") in text


@pytest.mark.parametrize("path", library.paths())
def test_the_page_of_a_norm_leaves_nothing_out(path: str) -> None:
    """Counted a second way: from the folder itself."""
    norm = library.find(path).norm
    text = _text(f"/normas/{path}/")
    for gap in norm.lacking:
        assert gap in text
    for why in reading_texts_of(norm.package).values():
        assert why.split("`")[0].split('"')[0] in text
    here = provisions_of(norm.package)
    assert f"{len(here)} de {len(here)} dispositivos" in text
    found = norms.whole(path, on=TODAY)
    assert [v.name for v in found.values] == [p.path for p in flat(load(norm.package))]
    for value in found.values:
        assert value.article in text
    assert found.conflicts == conflicts_of(path)


def test_a_value_is_shown_as_it_stands_and_what_is_missing_is_no_number() -> None:
    found = {v.name: v for v in norms.whole(MT, on=TODAY).values}
    assert (found["base.years_back"].text, found["base.years_back"].article) == (
        "1 ano",
        "art. 7º, § 5º; art. 69",
    )
    assert "100.000" in {v.text for v in found.values()}
    assert found["targets"].state == "missing"
    assert "Tabela 1" in found["targets"].text
    before = {v.name: v for v in norms.whole(MT, on=TODAY.replace(year=2024)).values}
    assert before["base.years_back"].state == "later"


def test_a_draft_is_said_to_bind_nobody() -> None:
    assert "ninguém está obrigado" in _text(f"/normas/{DRAFT}/")
    assert "ninguém está obrigado" not in _text(f"/normas/{MT}/")


def test_provisions_are_chosen_by_status_and_by_words() -> None:
    every = provisions_of(library.find(MT).norm.package)
    waiting = [p for p in every if p.status == "not yet"]
    assert f"{len(waiting)} de {len(every)} dispositivos" in _text(f"/normas/{MT}/", situacao="not yet")
    text = _text(f"/normas/{MT}/", busca="ART. 46")
    assert f"{len(every)} de" not in text
    assert "art. 46, § 1º" in text
    assert "Nenhum dispositivo com estes filtros" in _text(f"/normas/{MT}/", busca="zzzz")
    assert f"{len(every)} de {len(every)}" in _text(f"/normas/{MT}/", situacao="nada disso")


@pytest.mark.parametrize("what", norms.LISTS)
def test_both_files_hold_the_same_rows(what: str) -> None:
    rows = json.loads(_file(MT, what, "json"))
    head, *sheet = _sheet(_file(MT, what, "csv"))
    assert rows
    assert [list(row.values()) for row in rows] == sheet
    assert list(rows[0]) == head


def test_the_lists_of_all_norms_can_be_taken_along() -> None:
    for what, least in (("normas", 5), ("divergencias", len(conflicts()))):
        for kind in downloads.KINDS:
            body = bytes(browser_of().get(f"/normas/{what}.{kind}").content)
            assert (len(json.loads(body)) if kind == "json" else len(_sheet(body)) - 1) >= least


def test_no_cell_is_a_formula() -> None:
    wicked = ("=1+1", "+1", "-1", "@x", "\t=1", "  =1", "\r=1", "a=b", "")
    (_, row) = _sheet(downloads.as_csv(downloads.Listed(wicked, (wicked,))))
    assert row[-2:] == ["a=b", ""]
    assert all(cell.startswith("'") for cell in row[:-2])
    for path in library.paths():
        found = norms.whole(path, on=TODAY)
        for what in norms.LISTS:
            for line in _sheet(downloads.as_csv(norms.listed(found, what))):
                assert not [cell for cell in line if cell[:1] in ("=", "+", "-", "@")]


@pytest.mark.parametrize(
    "address",
    [
        "/normas/mt/nada/", "/normas/mt/nada/valores.csv", f"/normas/{MT}/nada.csv",
        f"/normas/{MT}/valores.xlsx", "/normas/nada.csv", "/normas/normas.exe", "/normas/../law/",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(address: str) -> None:
    assert browser_of().get(address).status_code == 404


def test_a_search_is_shown_as_text_and_nothing_else() -> None:
    answer: Any = browser_of().get(f"/normas/{MT}/", {"busca": "<script>x</script>"})
    assert b"<script>x" not in answer.content
