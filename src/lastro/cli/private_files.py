"""Files that this user alone may read: secrets drawn once, and what travels or is kept, written whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def private_folder(data: Path, name: str) -> Path:
    """A folder of the data folder, closed to others."""
    made = data / name
    made.mkdir(mode=0o700, parents=True, exist_ok=True)
    return made


def draw_once(path: Path, told: Mapping[str, Any]) -> None:
    """Keep what was drawn, unless something was kept there before: that stays."""
    if not path.exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            json.dump(told, out)


def write_text(path: Path, text: str) -> None:
    """Write a text for this user alone, whole or not at all."""
    beside = path.with_name(f"{path.name}.novo")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with os.fdopen(os.open(beside, flags, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
    beside.replace(path)
