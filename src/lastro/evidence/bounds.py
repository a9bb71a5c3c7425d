"""How much XML is ever parsed: what would fill the memory or hide behind an odd encoding is told before.

A tree costs some four hundred bytes for each element, with the copies that verifying makes: bytes alone do
not bound it, since `<a/>` is four of them. The widest note there can be (990 items, all groups) stays below.
"""

from __future__ import annotations

import re

from lastro.facts import Finding
from lastro.findings import finding

MOST_BYTES = 6 * 1024 * 1024
MOST_ELEMENTS = 120_000
MOST_ATTRIBUTES = 20_000
"""Attributes are fewer: canonical XML sorts those of one element, which costs the square of their number."""
_ENCODINGS = {
    "UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-1", "ISO-8859-15", "LATIN1", "WINDOWS-1252", "UTF-16",
    "UTF-16LE", "UTF-16BE",
}  # fmt: skip
"""Those in which a tag is a tag to whoever counts it; in UTF-7 and its like the same bytes say otherwise."""
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?encoding\s*=\s*[\"']([^\"'>]{0,60})")


def beyond(data: bytes) -> Finding | None:
    """What keeps bytes that look like XML from being parsed: F03 too much of it, F05 an odd encoding."""
    encoding = declared(data)
    if encoding and encoding.upper() not in _ENCODINGS:
        return finding("F05", found=f"codificação {encoding}", expected="XML bem formado em UTF-8")
    if len(data) > MOST_BYTES:
        return finding("F03", found=f"XML de {len(data)} bytes", expected=f"até {MOST_BYTES} bytes")
    elements = data.count(b"<") - data.count(b"</")
    if elements > MOST_ELEMENTS:
        return finding("F03", found=f"{elements} elementos", expected=f"até {MOST_ELEMENTS} elementos")
    attributes = data.count(b"=")
    if attributes > MOST_ATTRIBUTES:
        return finding("F03", found=f"{attributes} atributos", expected=f"até {MOST_ATTRIBUTES} atributos")
    return None


def declared(data: bytes) -> str:
    """The encoding that an XML declaration names, in bytes or in UTF-16; empty where none does."""
    head = data[:400].replace(b"\0", b"").lstrip(b"\xff\xfe")
    found = _DECLARED.match(head)
    return found[1].decode("latin-1") if found else ""
