"""Words marked for the English catalogue where they stand; they are looked up where they are shown.

Django's own mark asks for the settings, which stand only when the pages are served: modules that hold such
words are read before.
"""

from __future__ import annotations


def gettext_noop(words: str) -> str:
    """The same words; `tools/make_messages.py` finds them here and `translating.said` says them."""
    return words
