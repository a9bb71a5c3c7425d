"""Tables that a norm sets and our text lacks: rows loaded as data, with source and day, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from lastro.errors import TextMissing
from lastro.facts import Basis, TargetRow
from lastro.lawkit.glossary import label as label_of
from lastro.lawkit.trace import note_value
from lastro.units import Share


@dataclass(frozen=True)
class Targets:
    """The table of targets of a norm, as far as it was loaded."""

    rows: Sequence[TargetRow]
    label: str
    article: str
    norm_path: str
    lacking: str

    def share(self, *, sector: str, material: str, year: int) -> Share:
        """The target of a sector and material group for a year; reading it is traced.

        Of several rows, official ones count before others, a newer one replaces an older one of the same
        source, and of several sources the strictest counts. Raises TextMissing when there is none.
        """
        row = chosen(self.rows, sector=sector, material=material, year=year)
        if row is None:
            raise TextMissing(self._lack(sector, material, year))
        value = Share.parse(row.share)
        loaded = f", carregada em {row.loaded_on:%d/%m/%Y}" if row.loaded_on else ""
        note_value(
            f"{self.label}: {label_of(material)}, {year}", value,
            article=f"{self.article}; fonte: {row.source}{loaded}", basis=row.basis,
        )  # fmt: skip
        return value

    def _lack(self, sector: str, material: str, year: int) -> str:
        why = f" {self.lacking[:1].upper()}{self.lacking[1:]}." if self.lacking else ""
        return (
            f"meta não carregada: setor {sector}, material {label_of(material)}, ano {year} "
            f"({self.article}).{why} "
            f"Carregue a tabela oficial: lastro law load {self.norm_path} targets ARQUIVO"
        )


def chosen(rows: Sequence[TargetRow], *, sector: str, material: str, year: int) -> TargetRow | None:
    """The row that counts for a sector, material and year, or None."""
    fit = [r for r in rows if (r.sector, r.material, r.year) == (sector, material, year)]
    if not fit:
        return None
    best = min((r.basis for r in fit), key=list(Basis).index)
    newest: dict[str, TargetRow] = {}
    for row in sorted((r for r in fit if r.basis is best), key=lambda r: r.loaded_on or date.min):
        newest[row.source] = row
    return max(newest.values(), key=lambda r: Share.parse(r.share))


def known_by(rows: Sequence[TargetRow], *, as_of: date) -> tuple[TargetRow, ...]:
    """The rows that had been loaded by a day; rows without a day are facts given with the question."""
    return tuple(r for r in rows if r.loaded_on is None or r.loaded_on <= as_of)
