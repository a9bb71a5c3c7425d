"""Tables that a norm sets and our text lacks: rows loaded as data, with source and day, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from lastro.errors import TextMissing
from lastro.facts import Basis, TargetRow
from lastro.lawkit.glossary import label as label_of
from lastro.lawkit.target_file import TableRefused, read_targets
from lastro.lawkit.trace import note_value
from lastro.units import Share

__all__ = ["TableRefused", "Targets", "in_force", "known_by", "read_targets"]


@dataclass(frozen=True)
class Targets:
    """The table of targets of a norm, as far as it was loaded."""

    rows: Sequence[TargetRow]
    label: str
    article: str
    norm_path: str
    lacking: str

    def shares(self, *, sector: str, material: str, year: int) -> tuple[Share, ...]:
        """The targets that a sector and material group has for a year, one from each source; each is traced.

        Official rows count before others, and a newer row replaces an older one of the same source. Which of
        several sources prevails is for the norm to say. Raises TextMissing when there is none.
        """
        rows = in_force(self.rows, sector=sector, material=material, year=year)
        if not rows:
            raise TextMissing(self._lack(sector, material, year))
        for row in rows:
            loaded = f", carregada em {row.loaded_on:%d/%m/%Y}" if row.loaded_on else ""
            note_value(
                f"{self.label}: {label_of(material)}, {year}", Share.parse(row.share),
                article=f"{self.article}; fonte: {row.source}{loaded}", basis=row.basis,
            )  # fmt: skip
        return tuple(Share.parse(row.share) for row in rows)

    def _lack(self, sector: str, material: str, year: int) -> str:
        why = f" {self.lacking[:1].upper()}{self.lacking[1:]}." if self.lacking else ""
        return (
            f"meta não carregada: setor {sector}, material {label_of(material)}, ano {year} "
            f"({self.article}).{why} "
            f"Carregue a tabela oficial: lastro law load {self.norm_path} targets ARQUIVO"
        )


def in_force(rows: Sequence[TargetRow], *, sector: str, material: str, year: int) -> tuple[TargetRow, ...]:
    """The rows that speak of a sector, material and year: of the best basis, the newest of each source."""
    fit = [r for r in rows if (r.sector, r.material, r.year) == (sector, material, year)]
    best = min((r.basis for r in fit), key=list(Basis).index, default=None)
    newest: dict[str, TargetRow] = {}
    for row in sorted((r for r in fit if r.basis is best), key=lambda r: r.loaded_on or date.min):
        newest[row.source] = row
    return tuple(newest.values())


def known_by(rows: Sequence[TargetRow], *, as_of: date) -> tuple[TargetRow, ...]:
    """The rows that had been loaded by a day; rows without a day are facts given with the question."""
    return tuple(r for r in rows if r.loaded_on is None or r.loaded_on <= as_of)
