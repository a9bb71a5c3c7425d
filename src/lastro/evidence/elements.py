"""Names of parsed XML elements, without their prefixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DS = "http://www.w3.org/2000/09/xmldsig#"

_IN_PLACE_UP_TO = 50
"""A lot carries at most 50 notes (MOC); to canonicalise in place costs the whole document for each."""


@dataclass(frozen=True)
class Around:
    """The received document around a signed parent: how often each Id stands in it, and if it is crowded.

    It is counted once for a document, however many signatures that has.
    """

    identities: Mapping[str, int]
    crowded: bool


def around(root: Any) -> Around:
    """Count the Ids (in any spelling) and the signed elements of a document."""
    identities: Counter[str] = Counter()
    signed = 0
    for element in root.iter():
        if local(element) in ("infNFe", "infEvento"):
            signed += 1
        for name, value in element.attrib.items():
            if name.rpartition("}")[2].lower() == "id":
                identities[value] += 1
    return Around(identities, crowded=signed > _IN_PLACE_UP_TO)


def local(element: Any) -> str:
    """An element's name without its namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def namespace(element: Any) -> str:
    """An element's namespace, or empty."""
    tag = element.tag
    return tag[1:].partition("}")[0] if isinstance(tag, str) and tag.startswith("{") else ""


def children(element: Any, name: str, *, of: str | None = None) -> list[Any]:
    """The children with a local name, in a namespace if one is asked for."""
    return [c for c in element if local(c) == name and (of is None or namespace(c) == of)]
