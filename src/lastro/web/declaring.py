"""A large declaration is read by a worker, the same way as a small one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lastro.web.jobs import Work
from lastro.web.readings import declaration


def work(task: Work) -> Mapping[str, Any]:
    """Read the sheet of a job and take it, or keep it as it goes back; the answer names the filing."""
    asked = task.job.asked
    (name, data) = next(task.files())
    handed = declaration.Handed(
        name, data, task.job.party, int(asked["year"]), str(asked["reason"]), str(asked["by"])
    )
    task.tell(done=1, total=3, step="lendo a planilha")
    found = declaration.read(handed)
    task.tell(done=2, step="marcando o que corrigir" if found.issues else "guardando a declaração")
    filing = declaration.take(handed, found)
    return {"filing": filing.id, "accepted": bool(filing.body["accepted"])}
