"""An export as it is written: whole or not at all, the same bytes for the same store, in flat memory."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lastro.errors import LastroError
from lastro.exit.reading import FILES
from lastro.jsonfile import spelled
from lastro.stores.postgres import Store

FORMAT = "lastro-export-1"
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Written:
    """An export that stands: where, of how many rows in each file, and the digest of its manifest."""

    path: Path
    rows: Mapping[str, int]
    digest: str


def canonical(row: Any) -> bytes:
    """The one way in which a row is written."""
    return spelled(row) + b"\n"


def export(store: Store, target: Path) -> Written:
    """Write all that the store holds, as it stands at one moment, to a new folder or a new `.zip`.

    Raises LastroError if something stands there already or the place cannot be written.
    """
    if target.exists() or target.is_symlink():
        raise LastroError(f"{target}: já existe; dê o nome de uma pasta ou de um .zip que ainda não exista.")
    try:
        with tempfile.TemporaryDirectory(prefix=".lastro-export-", dir=target.absolute().parent) as place:
            folder = Path(place) / "export"
            folder.mkdir(mode=0o700)
            written = _folder(store, folder)
            done = folder
            if target.suffix.lower() == ".zip":
                done = Path(place) / "export.zip"
                _pack(folder, done)
            os.rename(done, target)
    except OSError as wrong:
        raise LastroError(f"{target}: não se grava ({wrong.strerror}).") from wrong
    return Written(target, *written)


def _folder(store: Store, folder: Path) -> tuple[dict[str, int], str]:
    rows: dict[str, int] = {}
    with store.snapshot() as db:
        for name, read in FILES.items():
            rows[name] = _lines(folder / name, read(db))
    shutil.copyfile(Path(__file__).with_name("verificar.py"), folder / "verificar.py")
    files = [
        {"name": p.name, "bytes": p.stat().st_size, "sha256": _sha256(p), "rows": rows.get(p.name)}
        for p in sorted(folder.iterdir())
    ]
    body = canonical({"format": FORMAT, "files": files})
    digest = hashlib.sha256(body).hexdigest()
    (folder / "manifesto.json").write_bytes(body)
    (folder / "manifesto.sha256").write_bytes(f"{digest}  manifesto.json\n".encode())
    return rows, digest


def _lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    count = 0
    with path.open("wb") as file:
        for row in rows:
            file.write(canonical(row))
            count += 1
    return count


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pack(folder: Path, target: Path) -> None:
    """One ZIP without a clock in it, in order of name, as packed as this computer's zlib packs."""
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.iterdir()):
            info = zipfile.ZipInfo(path.name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            info.file_size = path.stat().st_size
            with archive.open(info, "w") as packed, path.open("rb") as file:
                shutil.copyfileobj(file, packed, 1 << 20)
