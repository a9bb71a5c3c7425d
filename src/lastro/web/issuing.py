"""The paper of an authorised certificate, written and signed in the background; a job may be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from lastro.certifying import issue_paper
from lastro.facts import Refusal
from lastro.web import office
from lastro.web.jobs import Work
from lastro.web.readings.refusals import in_words


def work(task: Work) -> Mapping[str, Any]:
    """Number, write, sign and keep the paper; a refusal is an answer, not a failure."""
    task.tell(step="escrevendo e assinando", total=1)
    answer = issue_paper(
        office.store(),
        str(task.job.asked["certificate"]),
        data=office.site().data,
        today=office.today(),
        now=datetime.now(UTC),
        by=str(task.job.asked["by"]),
    )
    task.tell(done=1)
    if isinstance(answer, Refusal):
        said = in_words(answer)
        return {"refusal": {name: getattr(said, name) for name in said.__dataclass_fields__}}
    return {"number": answer["number"]}
