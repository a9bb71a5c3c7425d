"""Lots files among the notes: found at any depth and in zips, since what is not read is claimed whole."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from lastro.custody.lots import BESIDE, lots_of
from lastro.errors import LastroError
from lastro.evidence import beside, sources, without
from lastro.units import Mass

KEY = "51260111222333000181550010000000011000000010"
HEAD = "chave;item;massa_kg\n"


def zipped(members: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()


def put(folder: Path, at: str, data: bytes | str) -> Path:
    path = folder / at
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def key() -> str:
    return KEY[:-1] + str(_digit(KEY[:43]))


def _digit(first: str) -> int:
    rest = sum((ord(c) - 48) * (2 + n % 8) for n, c in enumerate(reversed(first))) % 11
    return 0 if rest < 2 else 11 - rest


def test_a_lots_file_is_found_at_any_depth_and_in_a_zip_and_is_no_document(tmp_path: Path) -> None:
    put(tmp_path, "março/lote.csv", f"{HEAD}{key()};1;10,5\n")
    put(
        tmp_path,
        "abril.zip",
        zipped({"a.xml": b"x", "notas/LOTE.CSV": f"{HEAD}{key()};2;7\n".encode()}),
    )
    put(tmp_path, "abril.xml", "<a/>")
    found = beside([tmp_path], BESIDE)
    assert {(Path(s.file).name, s.member) for s in found} == {
        ("abril.zip", "notas/LOTE.CSV"),
        ("lote.csv", None),
    }
    said = lots_of(found)
    assert {line: row.mass for (_, line), row in said.items()} == {1: Mass.kg("10.5"), 2: Mass.kg("7")}
    left = [(Path(s.file).name, s.member) for s in without(sources([tmp_path]), found)]
    assert left == [("abril.xml", None), ("abril.zip", "a.xml")]


def test_a_lots_file_named_by_itself_belongs_to_the_rest(tmp_path: Path) -> None:
    """As a shell hands in `pasta/*`."""
    lots, note = put(tmp_path, "lote.csv", f"{HEAD}{key()};1;3\n"), put(tmp_path, "nota.xml", "<a/>")
    assert [s.file for s in beside([lots, note], BESIDE)] == [str(lots)]


def test_a_broken_zip_has_no_lots_file_and_is_still_judged(tmp_path: Path) -> None:
    put(tmp_path, "quebrado.zip", zipped({"a": b"1"})[:30])
    assert beside([tmp_path], BESIDE) == []
    assert [s.problem.code for s in sources([tmp_path]) if s.problem] == ["F05"]


def test_two_files_that_say_different_things_of_one_item_are_refused_by_name(tmp_path: Path) -> None:
    put(tmp_path, "a/lote.csv", f"{HEAD}{key()};1;3\n")
    put(tmp_path, "b/lote.csv", f"{HEAD}{key()};1;4\n")
    with pytest.raises(LastroError, match=r"item 1, .* em .*a.lote\.csv e em .*b.lote\.csv"):
        lots_of(beside([tmp_path], BESIDE))


@pytest.mark.parametrize(
    ("data", "words"), [(b"\xff\xfe\x00", "UTF-8"), (b"nada;disso\n1;2\n", "colunas chave e item")]
)
def test_one_that_cannot_be_read_is_named(tmp_path: Path, data: bytes, words: str) -> None:
    put(tmp_path, "maio.zip", zipped({"lote.csv": data}))
    with pytest.raises(LastroError, match=words) as refused:
        lots_of(beside([tmp_path], BESIDE))
    assert "maio.zip, lote.csv" in str(refused.value)


def test_one_too_large_to_open_stops_the_whole(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lote.csv", b" " * 21_000_000)
    put(tmp_path, "grande.zip", held.getvalue())
    with pytest.raises(LastroError, match="não se abre"):
        lots_of(beside([tmp_path], BESIDE))
