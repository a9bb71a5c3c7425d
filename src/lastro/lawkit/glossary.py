"""The words: one code name, one Portuguese and one English label, read from `glossary.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def glossary() -> dict[str, dict[str, str]]:
    """Every code name with its labels, as {"pt": …, "en": …}."""
    return tomllib.loads(files("lastro").joinpath("glossary.toml").read_text("utf-8"))


def label(name: str, *, lang: str = "pt") -> str:
    """The label of a code name; a name without an entry is shown as it is (a test keeps the list whole)."""
    entry = glossary().get(name)
    return entry[lang] if entry else name


def capital(text: str) -> str:
    """The same words, beginning with a capital letter."""
    return text[:1].upper() + text[1:]
