"""The page of faults says no more and no less than the tests do."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parents[2]
TEXT = (HERE / "docs" / "faults.md").read_text("utf-8")


def checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_faults", HERE / "tools" / "check_faults.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_report_stands_once_and_every_test_named_is_there() -> None:
    assert checker().problems(TEXT) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("| 12 | signxml", "| 13 | signxml", "12 falta"),
        ("| 12 | signxml", "| 13 | signxml", "13 aparece 2 vezes"),
        ("| 57 | OCA", "| 58 | OCA", "58 não é do estudo"),
        ("::test_r40_", "::test_r99_", "não há tests/faults/test_numbers.py"),
        ("`tests/web/test_access.py::test_other_peoples_rows_are_not_found`", "", "sem teste"),
    ],
)
def test_what_the_page_lacks_is_found(old: str, new: str, said: str) -> None:
    assert old in TEXT
    assert any(said in what for what in checker().problems(TEXT.replace(old, new, 1)))
