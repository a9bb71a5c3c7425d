"""Numbers as people type them in Brazil: points between thousands, a comma before the decimals."""

from __future__ import annotations

import re

_BRAZILIAN = re.compile(r"([0-9]+|[0-9]{1,3}(\.[0-9]{3})+)(,[0-9]+)?")


def plain(text: str) -> str:
    """The number as a plain decimal with a full stop: 1.355,90 is 1355.90, and 1.355 is 1355.

    Raises ValueError for anything else, such as 1355.90: whether its point is one of thousands or of decimals
    is not guessed where a mass hangs on it.
    """
    found = _BRAZILIAN.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not a number as typed in Brazil: {text!r}")
    return found[0].replace(".", "").replace(",", ".")
