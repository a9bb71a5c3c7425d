"""The words: one code name, one Portuguese and one English label, read from `glossary.toml` files."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from lastro.lawkit.walk import packages


@cache
def glossary() -> dict[str, dict[str, str]]:
    """Every code name with its labels, as {"pt": …, "en": …}.

    A norm's own words stand in the glossary.toml of its folder; a word of the house is never said anew there.
    """
    words = _words("lastro")
    for package in packages():
        own = _words(package)
        assert not own.keys() & words.keys(), f"{package} says again {own.keys() & words.keys()}"
        words |= own
    return words


def _words(package: str) -> dict[str, dict[str, str]]:
    found = files(package).joinpath("glossary.toml")
    return tomllib.loads(found.read_text("utf-8")) if found.is_file() else {}


def label(name: str, *, lang: str = "pt") -> str:
    """The label of a code name; a name without an entry is shown as it is (a test keeps the list whole)."""
    entry = glossary().get(name)
    return entry[lang] if entry else name


def capital(text: str) -> str:
    """The same words, beginning with a capital letter."""
    return text[:1].upper() + text[1:]
