"""Templates in the language of the request: Portuguese as they are written, English through the catalogue."""

from __future__ import annotations

import gettext
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template import Origin
from django.template.loaders import cached
from django.utils.translation import get_language, override
from django.utils.translation import gettext as from_catalogue

from lastro.web.segments import translated

LOCALE = Path(__file__).parent / "locale"
ENGLISH = "en"


def in_english() -> bool:
    """Whether what is being answered is to be read in English."""
    return get_language() == ENGLISH


def tongue() -> str:
    """The language of the request as the catalogues of codes and words name it: pt or en."""
    return "en" if in_english() else "pt"


def said(words: str) -> str:
    """Words that were marked where they stand (`gettext_noop`), in the language of the request."""
    return from_catalogue(words)


def portuguese() -> AbstractContextManager[None]:
    """For what has one language: files, addresses, what is stored."""
    return override(settings.LANGUAGE_CODE)


@cache
def pages() -> gettext.NullTranslations:
    """The English of the templates, read once."""
    return gettext.translation("pages", str(LOCALE), [ENGLISH], fallback=True)


class Loader(cached.Loader):
    """Reads a template once for each language, and keeps it."""

    def cache_key(self, template_name: str, skip: Any = None) -> str:
        return f"{get_language()} {super().cache_key(template_name, skip)}"

    def get_contents(self, origin: Origin) -> str:
        source = super().get_contents(origin)
        return translated(source, pages().gettext) if in_english() else source
