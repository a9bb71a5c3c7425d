"""Reports made, looked at and submitted: a preview is kept, and only what still stands may be submitted.

Comes in: a memory (one transaction), a norm, an entity and year, the day, and how to write files. Goes out:
data sets, previews, versions, or the reason why not. Doors call these; nothing here reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from lastro.facts import Basis, Refusal
from lastro.lawkit import Regulation
from lastro.reports import rar_mt, verification
from lastro.reports.cells import DataSet
from lastro.reports.changes import Change, changes
from lastro.reports.rar_mt import Stated
from lastro.reports.sampling import NOTHING, ByHand
from lastro.reports.standing import Made, Memory, Partnership, Standing, Version


@dataclass(frozen=True)
class Heading:
    """What a paper says of itself beside its data: preview or version, number, day, who, why."""

    made_on: date
    version: int | None = None
    number: str = ""
    by: str = ""
    reason: str = ""
    mark: str = ""


Render = Callable[[DataSet, Heading], Mapping[str, bytes]]
"""Writes the files of a report; the door hands it in, since rooms know neither PDF nor sheets."""


@dataclass(frozen=True)
class Case:
    """Which report, under which norm, on which day, on what basis."""

    regulation: Regulation
    entity: str
    year: int
    on: date
    basis: Basis

    @property
    def norm(self) -> str:
        return self.regulation.norm.path


@dataclass(frozen=True)
class State:
    """A report's versions, and whether the latest one and the latest preview still say what stands."""

    data: DataSet
    versions: tuple[Version, ...]
    preview: Made | None
    since_version: tuple[Change, ...]
    since_preview: tuple[Change, ...]

    @property
    def stale(self) -> bool:
        """Whether evidence changed under what was submitted (T04)."""
        return bool(self.since_version)


# ── the annual report ────────────────────────────────────────────────────────────────────────────────


def preview(
    memory: Memory, case: Case, *, partnerships: Sequence[Partnership] | None = None
) -> tuple[DataSet, Made]:
    """The report as things stand, kept as a preview; partnerships not given are those of the last preview."""
    last = memory.last_made(rar_mt.KIND, case.norm, case.entity, case.year)
    known = partnerships_of(last) if partnerships is None else tuple(partnerships)
    data = _annual(memory, case, known)
    return data, _kept(memory, case, data, known)


def _kept(memory: Memory, case: Case, data: DataSet, known: Sequence[Partnership]) -> Made:
    kept = data.json() | {"inputs": {"partnerships": [_partnership(p) for p in known]}}
    return memory.write_made(
        rar_mt.KIND, case.norm, case.entity, case.year, digest=data.digest, data=kept, on=case.on
    )


def submit(
    memory: Memory, case: Case, *, by: str, reason: str, render: Render, number: int | None = None
) -> Version | Refusal:
    """Submit a preview (the latest, or that of a number), if it still says what stands and nothing blocks it.

    T02: there is no preview. T04: evidence changed since it was made, with the list. Other codes: what blocks
    it. T05: a version was submitted already, and a new one needs a reason. The same again gives the version
    that stands, marked `repeated`: nothing is submitted anew. After the last day a first version is marked
    late, a later one a rectification.
    """
    memory.hold(rar_mt.KIND, case.entity, case.year)
    made = (
        memory.last_made(rar_mt.KIND, case.norm, case.entity, case.year)
        if number is None
        else memory.made(number)
    )
    asked = (rar_mt.KIND, case.norm, case.entity, case.year)
    if made is None or (made.kind, made.norm, made.entity, made.year) != asked:
        return Refusal("T02", found="nenhuma prévia deste relatório", expected="prévia feita e conferida")
    known = partnerships_of(made)
    data = _annual(memory, case, known)
    versions = memory.versions(rar_mt.KIND, case.norm, case.entity, case.year)
    refusal = _stale(made, data) or _blocked(data)
    if refusal:
        return refusal
    if versions and not _since(versions[-1], data):
        return replace(versions[-1], repeated=True)
    if versions and not reason.strip():
        last = versions[-1]
        return Refusal(
            "T05",
            found=f"versão {last.version} entregue em {last.submitted_on:%d/%m/%Y}",
            expected="o motivo da nova versão",
        )
    # What stands beside the sums may have moved since the preview; what is handed in is told as it is now.
    if made.digest != data.digest:
        made = _kept(memory, case, data, known)
    mark = mark_of(case, earlier=bool(versions))
    heading = Heading(case.on, len(versions) + 1, "", by, reason.strip(), mark)
    return memory.write_version(
        made, version=len(versions) + 1, number="", files=render(data, heading), on=case.on, by=by,
        reason=reason.strip(), mark=mark,
    )  # fmt: skip


def state(memory: Memory, case: Case) -> State:
    """What was submitted and previewed, and what changed since."""
    last = memory.last_made(rar_mt.KIND, case.norm, case.entity, case.year)
    versions = memory.versions(rar_mt.KIND, case.norm, case.entity, case.year)
    data = _annual(memory, case, partnerships_of(last))
    return State(
        data=data,
        versions=tuple(versions),
        preview=last,
        since_version=_since(versions[-1], data) if versions else (),
        since_preview=_since(last, data) if last else (),
    )


def mark_of(case: Case, *, earlier: bool) -> str:
    """How a submission of this day is marked: after the last day late, or a rectification of what stood."""
    assert case.regulation.reports, "the norm knows no report"
    law = case.regulation.law(date(case.year, 12, 31))
    if case.on <= case.regulation.reports(law, year=case.year).due:
        return ""
    return "rectification" if earlier else "late"


def _annual(memory: Memory, case: Case, partnerships: Sequence[Partnership]) -> DataSet:
    standing = memory.standing(case.entity, norm=case.norm, year=case.year, as_of=case.on)
    standing = replace(standing, partnerships=tuple(partnerships))
    versions = memory.versions(verification.KIND, case.norm, case.entity, case.year)
    latest = {version.verifier: version for version in versions}
    statements = [_stated(standing, case, version) for version in latest.values()]
    return rar_mt.dataset(
        standing, regulation=case.regulation, on=case.on, basis=case.basis, statements=statements
    )


def _stated(standing: Standing, case: Case, version: Version) -> Stated:
    """A statement, and whether the notes it covers stand as they stood when it was issued.

    It was issued under a contract of its own day; that the contract ended later takes nothing from it.
    """
    now = verification.dataset(
        standing,
        regulation=case.regulation,
        verifier=version.verifier,
        on=version.submitted_on,
        basis=case.basis,
    )
    current = isinstance(now, DataSet) and verification.covers(now) == version.data["covers"]
    return Stated(
        number=version.number,
        verifier=version.verifier,
        on=version.submitted_on,
        notes=version.data["notes"],
        mass_mg=version.data["mass_mg"],
        digest=version.digest,
        current=current,
    )


def _since(kept: Version | Made, data: DataSet) -> tuple[Change, ...]:
    return () if kept.digest == data.digest else changes(kept.data, data)


def _stale(made: Made, data: DataSet) -> Refusal | None:
    found = _since(made, data)
    if not found:
        return None
    return Refusal(
        "T04",
        found=f"{len(found)} mudanças desde a prévia de {made.made_on:%d/%m/%Y}",
        expected="prévia refeita e conferida",
        detail={"changes": [one.json() for one in found]},
    )


def _blocked(data: DataSet) -> Refusal | None:
    if not data.blocks:
        return None
    return Refusal(
        data.blocks[0].code,
        found="; ".join(block.text for block in data.blocks[:5]),
        expected="nada pendente",
        detail={"blocks": [block.json() for block in data.blocks]},
    )


def partnerships_of(made: Made | None) -> tuple[Partnership, ...]:
    """The formal partnerships that a preview was made with."""
    rows = made.data.get("inputs", {}).get("partnerships", ()) if made else ()
    return tuple(
        Partnership(
            row["cnpj"], row["name"], row["instrument"], date.fromisoformat(row["start"]),
            date.fromisoformat(row["end"]) if row["end"] else None,
        )
        for row in rows
    )  # fmt: skip


def _partnership(one: Partnership) -> dict[str, Any]:
    return {
        name: value.isoformat() if isinstance(value, date) else value for name, value in asdict(one).items()
    }


# ── the verifier's statement ─────────────────────────────────────────────────────────────────────────


def issue_statement(
    memory: Memory, case: Case, *, verifier: str, render: Render, looked: ByHand = NOTHING
) -> Version | Refusal:
    """Issue a verifier's statement under the next number of the entity's year; the same content only once.

    `looked` is what its people checked by hand, if they did.

    T02: no contract on that day, or no lot homologated by this verifier.
    """
    memory.hold(verification.KIND, case.entity, case.year)
    standing = memory.standing(case.entity, norm=case.norm, year=case.year, as_of=case.on)
    data = verification.dataset(
        standing,
        regulation=case.regulation,
        verifier=verifier,
        on=case.on,
        basis=case.basis,
        looked=looked,
    )
    if isinstance(data, Refusal):
        return data
    refusal = _blocked(data)
    if refusal:
        return refusal
    versions = memory.versions(verification.KIND, case.norm, case.entity, case.year)
    mine = [one for one in versions if one.verifier == verifier]
    if mine and mine[-1].digest == data.digest:
        return replace(mine[-1], repeated=True)
    made = memory.write_made(
        verification.KIND, case.norm, case.entity, case.year, digest=data.digest, data=_statement(data),
        on=case.on, verifier=verifier,
    )  # fmt: skip
    number = f"DV-{case.year}-{len(versions) + 1:03d}"
    reason = "" if not mine else f"substitui {mine[-1].number}"
    heading = Heading(case.on, len(mine) + 1, number, verifier, reason)
    return memory.write_version(
        made, version=len(mine) + 1, number=number, files=render(data, heading), on=case.on, by=verifier,
        reason=reason, mark="",
    )  # fmt: skip


def _statement(data: DataSet) -> dict[str, Any]:
    return data.json() | {
        "covers": verification.covers(data),
        "notes": data.cell("identification/keys/value").value,
        "mass_mg": data.cell("covered/total/stated").json()["mass_mg"],
    }
