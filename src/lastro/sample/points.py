"""Collection points of an invented system, in the form of the file that `lastro points` reads."""

from __future__ import annotations

import json
from datetime import date

from lastro.tables.populations import in_state

_MATERIALS = (
    ["glass", "plastic", "paper", "aluminium", "steel"],
    ["electronics", "battery"],
    ["glass"],
    ["plastic", "paper", "carton"],
)


def point_list(uf: str, *, number: int, since: date) -> str:
    """So many points in the largest municipalities of a state, one in each, as JSON."""
    towns = sorted(in_state(uf), key=lambda one: -(one.population or 0))[:number]
    rows = [
        {
            "municipality": town.code,
            "kind": "receiving",
            "since": since.isoformat(),
            "name": f"Ponto de amostra de {town.name}",
            "address": f"Rua das Amostras, {10 * n}",
            "hours": "segunda a sexta, das 8h às 17h",
            "materials": _MATERIALS[n % len(_MATERIALS)],
        }
        for n, town in enumerate(towns, 1)
    ]
    return json.dumps({"states": [uf], "points": rows}, ensure_ascii=False)
