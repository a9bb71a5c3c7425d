"""What changed between a report as it was kept and the same report as things stand now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lastro.reports.cells import DataSet, digest_of

Cells = dict[str, tuple[Any, str, tuple[str, ...]]]


@dataclass(frozen=True)
class Change:
    """One cell that says something else, or says the same on other evidence (`evidence`)."""

    path: str
    before: Any
    now: Any
    evidence: bool = False

    def json(self) -> dict[str, Any]:
        return {"cell": self.path, "before": self.before, "now": self.now, "evidence": self.evidence}

    @classmethod
    def read(cls, made: Mapping[str, Any]) -> Change:
        """The change that `json` wrote."""
        return cls(made["cell"], made["before"], made["now"], made["evidence"])

    def __str__(self) -> str:
        if self.evidence:
            return f"{self.path}: mesmo valor, outra prova"
        return f"{self.path}: era {_said(self.before)}, agora {_said(self.now)}"


def changes(before: Mapping[str, Any], now: DataSet) -> tuple[Change, ...]:
    """Every cell that differs, in the order of the sections; rows that came or went are told cell by cell."""
    old, new = _cells(before), _cells(now.json())
    found = []
    for path in dict.fromkeys([*old, *new]):
        was, what = old.get(path, (None, "", ())), new.get(path, (None, "", ()))
        if was[:2] != what[:2]:
            found.append(Change(path, was[0] or was[1] or None, what[0] or what[1] or None))
        elif was[2] != what[2]:
            found.append(Change(path, was[0], what[0], evidence=True))
    return tuple(found) + tuple(_beside(before, now))


def _beside(before: Mapping[str, Any], now: DataSet) -> Iterator[Change]:
    """What is said beside the cells: the basis, and what keeps the report from being submitted."""
    if before["basis"] != now.basis.value:
        yield Change("basis", before["basis"], now.basis.value)
    old = {f"{b['code']} {b['text']}" for b in before["blocks"]}
    new = {f"{b.code} {b.text}" for b in now.blocks}
    for text in sorted(new - old):
        yield Change("blocks", None, text)
    for text in sorted(old - new):
        yield Change("blocks", text, None)


def _cells(data: Mapping[str, Any]) -> Cells:
    contents = [
        digest_of({name: value for name, value in source.items() if name != "through"})
        for source in data["sources"]
    ]
    return {
        f"{section['key']}/{row['key']}/{column}": (
            cell["value"],
            cell.get("code", ""),
            tuple(sorted(contents[n] for n in cell["sources"])),
        )
        for section in data["sections"]
        for row in section["rows"]
        for column, cell in row["cells"].items()
    }


def _said(value: Any) -> str:
    return "nada" if value is None else str(value)
