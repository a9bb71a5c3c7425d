"""Who is late: what companies lack today, by norm and duty, and what they were notified of."""

from __future__ import annotations

from dataclasses import dataclass

from lastro.lawkit.order import Check
from lastro.web import office
from lastro.web.readings import default_notices, order


@dataclass(frozen=True)
class Row:
    """One thing that one establishment lacks, or that can't be told of it."""

    cnpj: str
    name: str
    norm: str
    check: Check
    notice: str

    @property
    def words(self) -> str:
        return "falta" if self.check.met is False else "não se sabe"

    @property
    def tone(self) -> str:
        return "bad" if self.check.met is False else "asks"


def rows(*, tax: bool, who: str, unknown: bool) -> list[Row]:
    """The lacks of every establishment of a company that the registry knows; `unknown` adds what isn't told.

    The oldest lack comes first. `notice` is the number and state of the last notice about the same duty.
    """
    told = _notified(who)
    found = [
        Row(
            one.cnpj, one.name, part.regulation.norm.short_title, check,
            told.get((one.cnpj, part.regulation.norm.path, check.key), "sem notificação"),
        )
        for one in order.answers(_companies(), tax=tax)
        for part in one.parts
        for check in part.checks
        if check.counts and (check.met is False or (unknown and check.met is None))
    ]  # fmt: skip
    return sorted(found, key=lambda r: (r.check.since is None, r.check.since or office.today(), r.name))


def _companies() -> list[str]:
    """The establishments of companies: by their role, or because an entity lists them."""
    tables = office.registry().tables
    by_role = {str(row["cnpj"]) for row in tables["roles"] if row["role"] == "company"}
    return sorted(by_role | {str(row["establishment"]) for row in tables["members"]})


def _notified(who: str) -> dict[tuple[str, str, str], str]:
    found: dict[tuple[str, str, str], str] = {}
    for one in reversed(default_notices.sent_by(who)):
        for about in one.last.body["about"]:
            key = (one.addressee, one.last.subject.norm, str(about["key"]))
            found[key] = f"{one.number}, {one.words}"
    return found
