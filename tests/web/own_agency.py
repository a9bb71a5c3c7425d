"""What the agency, the fee staff, the CMRR and the committee have at their addresses, for the matrix."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.web.conftest import TODAY, World


def of_agency(world: World) -> dict[str, dict[str, Any]]:
    """A notice of the fee staff to the first entity's adherent, with a file."""
    from lastro.web.readings import default_notices

    to = world.member(world.entities[0])
    if not default_notices.sent_by("fees"):
        keys = [default_notices.offered(to, tax=True)[0][0]]
        default_notices.send(
            "fees", to=to, keys=keys, text="Entregue.", due=TODAY + timedelta(days=30), by="lia",
            files=[("a.txt", b"a")],
        )  # fmt: skip
    notice = default_notices.sent_by("fees")[0]
    file = {"pk": notice.sent[0].id, "name": "a.txt"}
    return {
        "default-one": {"number": notice.number},
        "my-default": {"office": "fees", "number": notice.number},
        "default-file": file,
        "my-default-file": file,
    }
