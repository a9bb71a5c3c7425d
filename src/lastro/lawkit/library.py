"""The norms that are here, found by walking: a new folder under `lastro/law` is a new norm."""

from __future__ import annotations

import importlib
import pkgutil

from lastro.errors import LastroError
from lastro.lawkit.regulation import Regulation

_ROOT = "lastro.law"


def paths() -> tuple[str, ...]:
    """The path of every norm, such as mt/decreto_1455_2025, in alphabetical order."""
    root = importlib.import_module(_ROOT)
    found = []
    for place in pkgutil.iter_modules(root.__path__):
        if not place.ispkg:
            continue
        inner = importlib.import_module(f"{_ROOT}.{place.name}")
        found += [f"{place.name}/{norm.name}" for norm in pkgutil.iter_modules(inner.__path__) if norm.ispkg]
    return tuple(sorted(found))


def find(path: str) -> Regulation:
    """The norm at a path, such as mt/decreto_1455_2025. Raises LastroError naming the norms known."""
    known = paths()
    wanted = path.strip().strip("/")
    if wanted not in known:
        raise LastroError(f"Norma desconhecida: {path!r}. Normas conhecidas: {', '.join(known)}.")
    module = importlib.import_module(f"{_ROOT}.{wanted.replace('/', '.')}")
    regulation = getattr(module, "REGULATION", None)
    assert isinstance(regulation, Regulation), f"{module.__name__} has no REGULATION"
    return regulation


def every() -> tuple[Regulation, ...]:
    """Every norm that is here."""
    return tuple(find(path) for path in paths())
