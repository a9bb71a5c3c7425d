"""Every name that a report shows has a word in both languages."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from lastro.lawkit.glossary import glossary
from lastro.reports.cells import DataSet
from lastro.reports.sampling import ByHand, Sampled, draw
from lastro.reports.verification import dataset
from lastro.reports.words import has
from lastro.stores.postgres.sampling import units_of
from tests.ledger.worlds import VERIFIER
from tests.reports.worlds import ENTITY, NORM, ON, YEAR, case, fill, report


@pytest.fixture
def both(store) -> list[DataSet]:
    from lastro.stores.postgres.reports import reports

    fill(store)
    with reports(store) as memory:
        standing = memory.standing(ENTITY, norm=NORM, year=YEAR, as_of=ON)
    plan = draw(units_of(store, entity=ENTITY, norm=NORM, year=YEAR), seed="1")
    statement = dataset(
        standing, regulation=case().regulation, verifier=VERIFIER, on=ON, basis=case().basis,
        looked=ByHand(Sampled(plan, {}, 1), "Amostra adiada."),
    )  # fmt: skip
    assert isinstance(statement, DataSet)
    return [report(store), statement]


def test_every_section_column_row_and_label_has_a_word(both):
    for data in both:
        assert has("report", data.kind)
        for section in data.sections:
            assert has("section", section.key), section.key
            for name in section.columns:
                assert has("column", name), name
            for row in section.rows:
                if section.columns == ("value",):
                    assert has("row", row.key.partition(".")[0]), row.key
                for cell in row.cells.values():
                    if cell.unit == "label" and cell.value is not None:
                        assert has("label", str(cell.value)) or cell.value in glossary(), cell.value


def test_every_word_has_both_languages():
    def entries(node):
        if set(node) == {"pt", "en"} and all(isinstance(v, str) for v in node.values()):
            yield node
            return
        for below in node.values():
            yield from entries(below)

    words = tomllib.loads(files("lastro.reports").joinpath("words.toml").read_text("utf-8"))
    found = list(entries(words))
    assert len(found) > 150
    assert all(entry["pt"].strip() and entry["en"].strip() for entry in found)
