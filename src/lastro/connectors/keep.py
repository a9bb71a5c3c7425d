"""Documents laid down in a folder, whole or not at all; what is there already is never written over."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from lastro.errors import LastroError

_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,150}\Z")


def keep(folder: Path, name: str, data: bytes) -> Path:
    """Write a document under a name of our own making, and give where it stands.

    The same bytes under the same name are there already; others get a number behind the name. Raises
    LastroError when the folder cannot be written to.
    """
    assert _NAME.match(name), "a name is made here, never taken from an answer"
    stem, suffix = name.rsplit(".", 1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, 1000):
            path = folder / (name if number == 1 else f"{stem}-{number}.{suffix}")
            if _written(path, data) or path.read_bytes() == data:
                return path
    except OSError as wrong:
        raise LastroError(f"{folder}: não se consegue gravar ({wrong.strerror}).") from wrong
    raise LastroError(f"{folder}: há documentos demais com o nome {name}.")


def _written(path: Path, data: bytes) -> bool:
    """Write a new file so that it appears complete; False when the name is taken."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".chegando-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(temporary).chmod(0o644)
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        Path(temporary).unlink()
    return True
