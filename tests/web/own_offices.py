"""What the first entity and the offices have at the addresses of requests, for the matrix of access."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.web.conftest import TODAY, World

_NORM = "br/decreto_10240_2020"


def of_offices(world: World) -> dict[str, dict[str, Any]]:
    """A request of the agency to the first entity, with a file on each side."""
    from lastro.web.readings import requests

    first = world.entities[0]
    if not requests.made_by("agency"):
        requests.ask(
            "agency", to=first, key=f"{_NORM}/audit", title="Auditoria", text="Mande.", reason="Conferir.",
            due=TODAY + timedelta(days=10), by="flora", files=[("modelo.txt", b"m")],
        )  # fmt: skip
        requests.answer(requests.made_by("agency")[0], text="Segue.", by="ana", files=[("a.txt", b"a")])
    asked = requests.made_by("agency")[0]
    return {
        "request": {"office": "agency", "number": asked.number},
        "request-asked": {"number": asked.number},
        "request-file": {"pk": asked.answers[0].id, "name": "a.txt"},
        "request-asked-file": {"pk": asked.last.id, "name": "modelo.txt"},
        "results-file": {"kind": "csv"},
        "publication": {"pk": 1},
        "publication-file": {"pk": 1, "name": "manual.pdf"},
    }
