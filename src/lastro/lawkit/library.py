"""The norms that are here, found by walking: a new folder under `lastro/law` is a new norm."""

from __future__ import annotations

import importlib

from lastro.errors import LastroError
from lastro.lawkit.regulation import Regulation
from lastro.lawkit.walk import ROOT, paths

__all__ = ["every", "find", "paths"]


def find(path: str) -> Regulation:
    """The norm at a path, such as mt/decreto_1455_2025. Raises LastroError naming the norms known."""
    known = paths()
    wanted = path.strip().strip("/")
    if wanted not in known:
        raise LastroError(f"Norma desconhecida: {path!r}. Normas conhecidas: {', '.join(known)}.")
    module = importlib.import_module(f"{ROOT}.{wanted.replace('/', '.')}")
    regulation = getattr(module, "REGULATION", None)
    assert isinstance(regulation, Regulation), f"{module.__name__} has no REGULATION"
    return regulation


def every() -> tuple[Regulation, ...]:
    """Every norm that is here."""
    return tuple(find(path) for path in paths())
