"""Documents in a folder: whole, once, never written over."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastro.connectors.keep import keep
from lastro.errors import LastroError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_same_again_is_there_already_and_another_stands_beside_it(tmp_path: Path):
    folder = tmp_path / "a" / "b"
    first = keep(folder, "1-procNFe.xml", b"um")
    assert keep(folder, "1-procNFe.xml", b"um") == first
    second = keep(folder, "1-procNFe.xml", b"dois")
    assert keep(folder, "1-procNFe.xml", b"dois") == second
    assert names(folder) == ["1-procNFe-2.xml", "1-procNFe.xml"]
    assert first.read_bytes() == b"um"


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path):
    (tmp_path / "arquivo").write_bytes(b"")
    with pytest.raises(LastroError, match="não se consegue gravar"):
        keep(tmp_path / "arquivo", "a.xml", b"x")


@pytest.mark.parametrize("name", ["../a.xml", "a/b.xml", ".a.xml", "", "a" * 200 + ".xml"])
def test_a_name_never_leads_out_of_the_folder(tmp_path: Path, name: str):
    with pytest.raises(AssertionError):
        keep(tmp_path, name, b"x")
    assert names(tmp_path) == []
