"""The folders of the norms that are here, found by walking: a new folder under `lastro/law` is a new norm."""

from __future__ import annotations

import functools
import importlib
import pkgutil

ROOT = "lastro.law"


@functools.cache
def paths() -> tuple[str, ...]:
    """The path of every norm, such as mt/decreto_1455_2025, in alphabetical order; looked up once."""
    root = importlib.import_module(ROOT)
    found = []
    for place in pkgutil.iter_modules(root.__path__):
        if not place.ispkg:
            continue
        inner = importlib.import_module(f"{ROOT}.{place.name}")
        found += [f"{place.name}/{norm.name}" for norm in pkgutil.iter_modules(inner.__path__) if norm.ispkg]
    return tuple(sorted(found))


def packages() -> tuple[str, ...]:
    """The package of every norm, such as lastro.law.mt.decreto_1455_2025."""
    return tuple(f"{ROOT}.{path.replace('/', '.')}" for path in paths())
