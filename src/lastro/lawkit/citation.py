"""Provision ids and the citations a jurist reads: art46-p1 is "art. 46, § 1º".

An id is `art<number>` followed by parts joined with hyphens: `p<number>` a paragraph, `pu` the sole
paragraph, Roman capitals an item, small letters a letter. What has another form (annexes, lost heads)
is named by the norm itself, under [citations] of its norm.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_ID = re.compile(r"art(?P<number>[0-9]+)(?P<rest>(-(p[0-9]+|pu|[IVXL]+|[a-z]))*)\Z")


def cite(ids: Iterable[str], *, names: Mapping[str, str] | None = None) -> str:
    """Write provision ids as one Portuguese citation, in the order given.

    `names` holds the citations of ids with a form of their own. Raises ValueError for an id that is neither.
    """
    names = names or {}
    groups: dict[str, list[list[str]]] = {}
    for one in ids:
        if one in names:
            groups.setdefault(names[one], [])
            continue
        article, tail = _parts(one)
        groups.setdefault(article, []).append(tail)
    if len(groups) > 1 and all(tails in ([], [[]]) for tails in groups.values()):
        heads = list(groups)
        if all(head.startswith("art. ") for head in heads):
            return "arts. " + _listed([head.removeprefix("art. ") for head in heads])
    return "; ".join(_one_article(article, tails) for article, tails in groups.items())


def _parts(one: str) -> tuple[str, list[str]]:
    found = _ID.match(one)
    if not found:
        raise ValueError(f"not a provision id: {one!r}")
    number = int(found["number"])
    return f"art. {_ordinal(number)}", [p for p in found["rest"].split("-") if p]


def _one_article(article: str, tails: list[list[str]]) -> str:
    tails = [tail for tail in tails if tail]
    if not tails:
        return article
    if len(tails) > 1 and all(len(t) == 1 and re.fullmatch(r"p[0-9]+", t[0]) for t in tails):
        return f"{article}, §§ " + _listed([_ordinal(int(t[0][1:])) for t in tails])
    return f"{article}, " + _listed([", ".join(_part(p) for p in tail) for tail in tails])


def _part(part: str) -> str:
    if part == "pu":
        return "parágrafo único"
    if part.startswith("p") and part[1:].isdigit():
        return f"§ {_ordinal(int(part[1:]))}"
    return part


def _ordinal(number: int) -> str:
    return f"{number}º" if number < 10 else str(number)


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " e " + items[-1]
