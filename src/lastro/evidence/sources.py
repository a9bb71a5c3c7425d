"""Where bytes come from: files, folders and zips, walked in one fixed order and never unpacked to disk."""

from __future__ import annotations

import io
import os
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lastro.errors import LastroError
from lastro.evidence import malware, packed
from lastro.evidence.fast_zip import Members
from lastro.facts import Finding
from lastro.findings import finding

_MB = 1024 * 1024
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_LISTING = 24 * _MB
"""A zip's own list of what is in it is held in memory whole: at most this much of it is read."""


@dataclass(frozen=True)
class Source:
    """The bytes of one file, or of one member of a zip; or the reason why there are none."""

    file: str
    member: str | None
    data: bytes
    problem: Finding | None = None


@dataclass(frozen=True)
class Limits:
    """How much is opened at most, so that no file can fill the memory or never end."""

    file_bytes: int = 20 * _MB
    archive_bytes: int = 2048 * _MB
    entries: int = 100_000
    expands_to: int = 4096 * _MB
    ratio: int = 50
    ratio_from: int = 5 * _MB


LIMITS = Limits()


Scan = Callable[[bytes], str]
"""Asks an antivirus about bytes: the name of what it found, empty where it found nothing."""


def sources(
    paths: Iterable[Path | str], *, limits: Limits = LIMITS, scan: Scan | None = None
) -> Iterator[Source]:
    """Every file under the paths, and every member of every zip, in the order of their names.

    A zip inside a zip is opened, a zip inside that one is not. A gzip is a package of one, and SEFAZ's answer
    of a distribution one of its docZips. What runs, and what `scan` names, is told (F01) and its bytes are
    let go. Raises LastroError for a missing path.
    """
    given = [Path(p) for p in paths]
    for path in given:
        if not path.exists():
            raise LastroError(f"Não encontrei {_label(path)}: confira o caminho.")
        if not path.is_file() and not path.is_dir():
            raise LastroError(f"{_label(path)} não é um arquivo nem uma pasta.")
    for path in given:
        for file in _files(path):
            for source in _open(file, limits):
                yield _harmless(source, scan)


def beside(paths: Iterable[Path | str], name: str, *, limits: Limits = LIMITS) -> list[Source]:
    """The files of one name, in lower case, at any depth of the paths and of the zips among them.

    Only these are read. A zip inside a zip is not looked into, and one that can't be listed has none: what is
    wrong with it is told where it is judged.
    """
    found: list[Source] = []
    for file in (file for path in paths for file in _files(Path(path))):
        if file.name.lower() == name:
            found.extend(_open(file, limits))
            continue
        try:
            with file.open("rb") as opened:
                if opened.read(4) == _ZIP:
                    found.extend(_members_named(opened, name, _label(file), limits))
        except Exception:
            continue
    return found


def without(stream: Iterator[Source], files: Iterable[Source]) -> Iterator[Source]:
    """The sources less those files, which are read for another purpose."""
    names = {(source.file, source.member) for source in files}
    return (source for source in stream if (source.file, source.member) not in names)


def _members_named(opened: IO[bytes], name: str, label: str, limits: Limits) -> list[Source]:
    archive = _Zip(opened, limits.entries)
    entries = [e for e in archive.infolist() if e.filename.rpartition("/")[2].lower() == name]
    if not entries:
        return []
    plain, budget = Members(archive, opened), _Budget(limits.expands_to)
    return [_member(archive, plain, e, label, _label(e.filename), limits, budget) for e in entries]


def _harmless(source: Source, scan: Scan | None) -> Source:
    """The source, or in its stead the reason (F01) why nobody should open it."""
    words = malware.runs(source.data)
    if not words and scan is not None and source.data:
        words = scan(source.data)
    if not words:
        return source
    found = malware.named(words, source.data)
    return _refused(source.file, source.member, "F01", found, "XML de nota ou evento")


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    try:
        inside = sorted(os.scandir(path), key=lambda entry: entry.name)
    except OSError:  # a folder that may not be read: told as a file that could not be opened
        yield path
        return
    for entry in inside:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif _is_file(entry):
            yield Path(entry.path)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a file or a link to one; a link that leads back to itself is none."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _label(path: Path | str) -> str:
    """A name as text that can always be shown: no stray bytes, nothing that steers a terminal."""
    text = os.fsencode(str(path)).decode("utf-8", "replace")
    if text.isprintable():
        return text
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cf") else c for c in text)


def _open(file: Path, limits: Limits) -> Iterator[Source]:
    label = _label(file)
    try:
        with file.open("rb") as opened:
            head = opened.read(4)
            opened.seek(0, os.SEEK_END)
            size = opened.tell()
            opened.seek(0)
            if head in (_ZIP, _EMPTY_ZIP):
                if size > limits.archive_bytes:
                    yield _refused(label, None, "F03", f"{size} bytes", f"até {limits.archive_bytes} bytes")
                    return
                budget = _Budget(limits.expands_to)
                yield from _members(opened, label, "", limits, budget, nested=False)
                return
            data = opened.read(limits.file_bytes + 1)
    except OSError as wrong:
        yield _refused(label, None, "F05", f"não pôde ser aberto: {wrong.strerror or type(wrong).__name__}")
        return
    if len(data) > limits.file_bytes:
        yield _refused(label, None, "F03", f"{size} bytes", f"até {limits.file_bytes} bytes")
    else:
        yield from _unpacked(Source(label, None, data), limits, _Budget(limits.expands_to))


def _refused(file: str, member: str | None, code: str, found: str, expected: str = "") -> Source:
    return Source(file, member, b"", finding(code, where=member or file, found=found, expected=expected))


def _unpacked(source: Source, limits: Limits, budget: _Budget) -> Iterator[Source]:
    """The source itself, or what it packs: one gzip, the documents of a distribution, or these in a gzip."""
    data = source.data
    if data[:2] == packed.GZIP:
        name = source.member or source.file.replace("\\", "/").rpartition("/")[2]
        inside = name[:-3] if name.lower().endswith(".gz") and len(name) > 3 else f"{name}!"
        inner = _taken(
            source, inside, packed.gunzip(data, most=_most(limits, budget)), len(data), limits, budget
        )
        if inner.data[:2] == packed.GZIP or inner.data[:4] in (_ZIP, _EMPTY_ZIP):
            yield _refused(source.file, inside, "F03", "pacote dentro de gzip", "um XML por gzip")
            return
        source, data = inner, inner.data
    found = packed.doc_zips(data) if packed.may_hold_doc_zips(data) else []
    if not found:
        yield source
    if len(found) > limits.entries:
        yield _refused(
            source.file, source.member, "F03", f"{len(found)} itens", f"até {limits.entries} itens"
        )
        return
    for number, (nsu, written) in enumerate(found, start=1):
        told = f"NSU {nsu}" if nsu.isascii() and nsu.isdigit() and len(nsu) <= 15 else "sem NSU"
        inside = f"{source.member}!" if source.member else ""
        opened = packed.from_doc_zip(written, most=_most(limits, budget))
        yield _taken(source, f"{inside}docZip {number}, {told}", opened, len(written), limits, budget)


def _most(limits: Limits, budget: _Budget) -> int:
    return max(min(limits.file_bytes, budget.left), 0)


def _taken(
    source: Source, member: str, opened: packed.Unpacked, size: int, limits: Limits, budget: _Budget
) -> Source:
    """What was in a package as a source of its own, under the bounds of a zip's members."""
    if opened.problem:
        code = "F03" if opened.too_large else "F05"
        return _refused(source.file, member, code, opened.problem, "um documento inteiro")
    budget.left -= len(opened.data)
    if len(opened.data) > limits.ratio_from and len(opened.data) >= limits.ratio * size:
        times = len(opened.data) // size
        return _refused(source.file, member, "F03", f"expande-se {times} vezes", f"até {limits.ratio} vezes")
    return Source(source.file, member, opened.data)


class _TooMany(Exception):
    """A zip lists more than may be held."""


class _Few(list[zipfile.ZipInfo]):
    """Entries of a zip, up to a number."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def append(self, entry: zipfile.ZipInfo) -> None:
        if len(self) >= self._most:
            raise _TooMany(f"mais de {self._most} itens")
        super().append(entry)


class _Zip(zipfile.ZipFile):
    """The language's own reader, stopped while it lists: a million names would fill the memory."""

    def __init__(self, opened: IO[bytes], most: int) -> None:
        self._listed = _Few(most)
        super().__init__(_Portions(opened))

    @property
    def filelist(self) -> list[zipfile.ZipInfo]:
        return self._listed

    @filelist.setter
    def filelist(self, _: object) -> None:
        """The reader begins with an empty list of its own; ours stands in its place."""


class _Portions(io.BufferedIOBase):
    """An opened file from which no single read takes more than a listing may hold."""

    def __init__(self, opened: IO[bytes]) -> None:
        self._opened = opened

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _LISTING:
            raise _TooMany(f"uma lista de {size} bytes")
        return self._opened.read(-1 if size is None else size)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._opened.seek(offset, whence)

    def tell(self) -> int:
        return self._opened.tell()

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


class _Budget:
    """How many bytes one archive may still give, with all that is nested in it."""

    def __init__(self, left: int) -> None:
        self.left = left


def _members(
    opened: IO[bytes], label: str, prefix: str, limits: Limits, budget: _Budget, *, nested: bool
) -> Iterator[Source]:
    inside = prefix.rstrip("!") or None
    try:
        archive = _Zip(opened, limits.entries)
        plain = Members(archive, opened)
        entries = [e for e in archive.infolist() if not e.is_dir()]
    except _TooMany as wrong:
        yield _refused(label, inside, "F03", str(wrong), f"até {limits.entries} itens")
        return
    except Exception as wrong:  # whatever a broken zip provokes is about that zip
        yield _refused(label, prefix or None, "F05", f"zip quebrado ({type(wrong).__name__})")
        return
    if not entries:
        yield _refused(label, inside, "F02", "zip sem arquivos")
    if any(e.filename.lower().endswith(malware.MACRO_PART) for e in entries):
        yield _refused(label, inside, "F01", "documento de escritório com macros", "XML de nota ou evento")
        return
    if any(e.filename == "[Content_Types].xml" for e in entries):
        yield _office(opened, entries, label, inside, limits)
        return
    for entry in sorted(entries, key=lambda e: e.filename):
        if budget.left <= 0:
            yield _refused(label, inside, "F03", f"mais de {limits.expands_to} bytes ao abrir")
            return
        member = f"{prefix}{_label(entry.filename)}"
        source = _member(archive, plain, entry, label, member, limits, budget)
        if source.problem is not None or source.data[:4] not in (_ZIP, _EMPTY_ZIP):
            yield from _unpacked(source, limits, budget)
        elif nested:
            yield _refused(label, member, "F03", "zip dentro de zip dentro de zip", "zip em um só nível")
        else:
            yield from _members(io.BytesIO(source.data), label, f"{member}!", limits, budget, nested=True)


def _office(
    opened: IO[bytes], entries: list[zipfile.ZipInfo], label: str, inside: str | None, limits: Limits
) -> Source:
    """A workbook, whole, since a report of manifests is one; no other document of an office is read."""
    if not any(e.filename == "xl/workbook.xml" for e in entries):
        return _refused(
            label, inside, "F04", "documento de escritório", "XML, JSON, XLSX de MTR ou PDF de CDF"
        )
    opened.seek(0)
    data = opened.read(limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        return _refused(label, inside, "F03", f"{len(data)} bytes ou mais", f"até {limits.file_bytes} bytes")
    return Source(label, inside, data)


def _member(
    archive: zipfile.ZipFile,
    plain: Members,
    entry: zipfile.ZipInfo,
    label: str,
    member: str,
    limits: Limits,
    budget: _Budget,
) -> Source:
    """Read one member without believing its declared size."""
    most = min(limits.file_bytes, budget.left)
    if entry.file_size > most:
        return _refused(label, member, "F03", f"{entry.file_size} bytes", f"até {most} bytes")
    if entry.file_size > limits.ratio_from and entry.file_size >= limits.ratio * max(entry.compress_size, 1):
        times = entry.file_size // max(entry.compress_size, 1)
        return _refused(label, member, "F03", f"expande-se {times} vezes", f"até {limits.ratio} vezes")
    if entry.flag_bits & 0x1:
        return _refused(label, member, "F04", "zip com senha", "zip sem senha")
    whole = plain.read(entry)
    if whole is not None:
        budget.left -= len(whole)
        return Source(label, member, whole)
    try:
        with archive.open(entry) as opened:
            data = opened.read(most + 1)
    except Exception as wrong:  # CRC, sizes that lie, unknown compression, anything else of this member
        return _refused(label, member, "F05", f"item de zip quebrado ({type(wrong).__name__})")
    budget.left -= len(data)
    if len(data) > most:
        return _refused(label, member, "F03", f"mais de {most} bytes", f"até {most} bytes")
    return Source(label, member, data)
