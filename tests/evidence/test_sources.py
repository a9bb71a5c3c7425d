"""Folders and zips: walked in one order, never unpacked, never trusted."""

from __future__ import annotations

import io
import os
import struct
import zipfile
from pathlib import Path

import pytest

from lastro.errors import LastroError
from lastro.evidence import Limits, Source, sources


def packed(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def walked(path: Path, **limits: int) -> list[Source]:
    return list(sources([path], limits=Limits(**limits)))


def told(found: list[Source]) -> list[tuple[str | None, str]]:
    return [(s.member, s.problem.code if s.problem else s.data.decode()) for s in found]


def test_a_folder_is_walked_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml", "c/d.xml", "A.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    assert [s.data.decode() for s in walked(tmp_path)] == ["A.xml", "a.xml", "b.xml", "c/d.xml"]


def test_a_zip_gives_its_members_by_name_whatever_it_is_called(tmp_path: Path) -> None:
    file = tmp_path / "notas.dat"
    file.write_bytes(packed({"z.xml": b"z", "a/b.xml": b"b", "../../up.xml": b"up"}))
    assert told(walked(file)) == [("../../up.xml", "up"), ("a/b.xml", "b"), ("z.xml", "z")]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["notas.dat"]


def test_a_zip_in_a_zip_is_opened_and_a_third_is_not(tmp_path: Path) -> None:
    deep = packed({"m.zip": packed({"n.xml": b"n", "o.zip": packed({"p.xml": b"p"})})})
    (tmp_path / "a.zip").write_bytes(deep)
    assert told(walked(tmp_path)) == [("m.zip!n.xml", "n"), ("m.zip!o.zip", "F03")]


def test_a_bomb_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "bomb.zip").write_bytes(packed({"a.xml": b"\0" * 12_000_000, "b.xml": b"b"}))
    assert told(walked(tmp_path)) == [("a.xml", "F03"), ("b.xml", "b")]


@pytest.mark.parametrize(("size", "told_as"), [(99, "data"), (100, "data"), (101, "F03")])
def test_a_member_up_to_the_limit_is_read(tmp_path: Path, size: int, told_as: str) -> None:
    (tmp_path / "a.zip").write_bytes(packed({"a.xml": b"x" * size}))
    (found,) = walked(tmp_path, file_bytes=100)
    assert (found.problem.code if found.problem else "data") == told_as


@pytest.mark.parametrize(("entries", "refused"), [(9_999, False), (10_000, False), (10_001, True)])
def test_too_many_entries(tmp_path: Path, entries: int, refused: bool) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for n in range(entries):
            archive.writestr(f"{n:05d}.xml", b"")
    (tmp_path / "a.zip").write_bytes(out.getvalue())
    found = walked(tmp_path, entries=10_000)
    assert len(found) == (1 if refused else entries)
    assert (found[0].problem is not None) is refused


def test_what_an_archive_gives_in_all_is_bounded(tmp_path: Path) -> None:
    inner = packed({"x.xml": b"x" * 60})
    (tmp_path / "a.zip").write_bytes(packed({"a.zip": inner, "b.xml": b"y" * 60, "c.xml": b"z" * 60}))
    found = walked(tmp_path, expands_to=len(inner) + 130)
    assert [s.problem.code if s.problem else "ok" for s in found] == ["ok", "ok", "F03"]


def test_a_declared_size_that_lies_hurts_its_member_only(tmp_path: Path) -> None:
    data = bytearray(packed({"a.xml": b"a" * 5000, "b.xml": b"b"}))
    central = data.index(b"PK\x01\x02")
    data[central + 24 : central + 28] = struct.pack("<L", 10)
    (tmp_path / "a.zip").write_bytes(bytes(data))
    assert told(walked(tmp_path)) == [("a.xml", "F05"), ("b.xml", "b")]


def test_broken_zips_are_findings(tmp_path: Path) -> None:
    whole = packed({"a.xml": b"a" * 500})
    (tmp_path / "cut.zip").write_bytes(whole[:60])
    (tmp_path / "flipped.zip").write_bytes(whole.replace(whole[35:40], b"?????", 1))
    (tmp_path / "nothing.zip").write_bytes(packed({}))
    (tmp_path / "sheet.xlsx").write_bytes(packed({"[Content_Types].xml": b"<t/>", "xl/a.xml": b"<a/>"}))
    codes = {Path(s.file).name: s.problem.code for s in walked(tmp_path) if s.problem}
    assert codes == {"cut.zip": "F05", "flipped.zip": "F05", "nothing.zip": "F02", "sheet.xlsx": "F04"}


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(b"x" * 101)
    assert told(walked(tmp_path, file_bytes=100)) == [(None, "F03")]


def test_names_that_are_no_text_can_still_be_written(tmp_path: Path) -> None:
    name = os.fsdecode(b"nota-\xe7.xml")
    try:
        (tmp_path / name).write_bytes(b"x")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    (found,) = walked(tmp_path)
    assert found.file.encode("utf-8").endswith("nota-\ufffd.xml".encode())


def test_names_cannot_steer_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(packed({"x\x1b[2J\r\n.xml": b"x"}))
    (found,) = walked(tmp_path)
    assert found.member == "x\ufffd[2J\ufffd\ufffd.xml"


def test_pipes_and_links_to_nowhere_are_passed_by(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes in folders")
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "link.xml").symlink_to(tmp_path / "nowhere.xml")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert walked(tmp_path) == []


def test_a_path_that_is_not_there_is_said_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(LastroError, match="Não encontrei"):
        walked(tmp_path / "nada")
