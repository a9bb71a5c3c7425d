"""What changed between a report as it was kept and the same report as things stand now.

What stands beside the sums (mass proved and not used yet) is no part of it: a certificate prepared meanwhile
changes nothing of what was told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lastro.reports.cells import DataSet, digest_of
from lastro.reports.words import plainly, where_said

ASIDE = frozenset({"beside"})
"""The sections whose masses enter no sum of the report."""


@dataclass(frozen=True)
class _Told:
    """A cell as it was kept or as it is: its value, its unit, its code, and a digest of its sources."""

    value: Any = None
    unit: str = ""
    code: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """One cell that says something else, or says the same on other evidence (`evidence`).

    `unit` is that of the values; "code" where the value is the same and the code beside it is not.
    """

    path: str
    before: Any
    now: Any
    evidence: bool = False
    unit: str = ""

    def json(self) -> dict[str, Any]:
        return {
            "cell": self.path, "before": self.before, "now": self.now, "evidence": self.evidence,
            "unit": self.unit,
        }  # fmt: skip

    @classmethod
    def read(cls, made: Mapping[str, Any]) -> Change:
        """The change that `json` wrote."""
        return cls(made["cell"], made["before"], made["now"], made["evidence"], made.get("unit", ""))

    def __str__(self) -> str:
        where = where_said(self.path)
        if self.evidence:
            return f"{where}: mesmo valor, outra prova"
        if self.path == "blocks":
            return f"{where}: {self.now or f'não há mais: {self.before}'}"
        if self.unit == "code":
            return f"{where}: mesmo valor; aviso: era {self.before or 'nenhum'}, agora {self.now or 'nenhum'}"
        return f"{where}: era {self._said(self.before)}, agora {self._said(self.now)}"

    def _said(self, value: Any) -> str:
        if value is None:
            return "nada"
        return plainly(value, self.unit, column=self.path.rpartition("/")[2])


def changes(before: Mapping[str, Any], now: DataSet) -> tuple[Change, ...]:
    """Every cell that differs, in the order of the sections; rows that came or went are told cell by cell.

    A column that the kept report did not have yet is not compared: it says nothing of what changed.
    """
    kept = {section["key"]: set(section["columns"]) for section in before["sections"]}
    old, new = _cells(before), _cells(now.json())
    found: list[Change] = []
    for path in dict.fromkeys([*old, *new]):
        known = kept.get(path.partition("/")[0])
        if known is not None and path.rpartition("/")[2] not in known:
            continue
        found += _change(path, old.get(path, _Told()), new.get(path, _Told()))
    return tuple(found) + tuple(_about(before, now))


def _change(path: str, was: _Told, what: _Told) -> Iterator[Change]:
    if was.value != what.value:
        yield Change(path, was.value, what.value, unit=what.unit or was.unit)
    elif was.code != what.code:
        yield Change(path, was.code or None, what.code or None, unit="code")
    elif was.sources != what.sources:
        yield Change(path, was.value, what.value, evidence=True, unit=what.unit)


def _about(before: Mapping[str, Any], now: DataSet) -> Iterator[Change]:
    """What is said of the whole: the basis, and what keeps the report from being submitted."""
    if before["basis"] != now.basis.value:
        yield Change("basis", before["basis"], now.basis.value, unit="label")
    old = {f"{b['code']} {b['text']}" for b in before["blocks"]}
    new = {f"{b.code} {b.text}" for b in now.blocks}
    for text in sorted(new - old):
        yield Change("blocks", None, text)
    for text in sorted(old - new):
        yield Change("blocks", text, None)


def _cells(data: Mapping[str, Any]) -> dict[str, _Told]:
    contents = [
        digest_of({name: value for name, value in source.items() if name != "through"})
        for source in data["sources"]
    ]
    return {
        f"{section['key']}/{row['key']}/{column}": _Told(
            cell["value"],
            cell["unit"],
            cell.get("code", ""),
            tuple(sorted(contents[n] for n in cell["sources"])),
        )
        for section in data["sections"]
        if section["key"] not in ASIDE
        for row in section["rows"]
        for column, cell in row["cells"].items()
    }
