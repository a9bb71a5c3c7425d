"""A declaration of 60,000 rows: read, sent back with its wrong cells marked, and read again when mended."""

from __future__ import annotations

import io
import time
from datetime import date
from typing import Any

from bench.figures import table
from lastro.ids import cnpj_check_digits
from lastro.obligations.declare import Declared, read_declaration
from lastro.obligations.returned import with_errors

_HEADS = ["ano", "material", "uf", "massa_kg", "retornavel_kg", "estabelecimento"]
_MATERIALS = ("vidro", "papel", "plástico", "aço", "alumínio", "outros metais", "cartonada")
_UFS = ("MT", "GO", "SP", "RS")
_ROOT = "ZZBENCH1"
_GOAL_SECONDS = 10


def workbook(rows: int, *, wrong: int = 0) -> bytes:
    """A declaration by establishments, each row its own; the mass of every so many rows reads two ways."""
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet("Declaração")
    page.append(_HEADS)
    each = len(_MATERIALS) * len(_UFS)
    for n in range(rows):
        base = f"{_ROOT}{n // each + 1:04d}"
        mass: Any = "1.355" if wrong and n % (rows // wrong) == 0 else 10 + n % 7
        page.append([2025, _MATERIALS[n // 4 % 7], _UFS[n % 4], mass, None, base + cnpj_check_digits(base)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _read(data: bytes) -> Declared:
    base = f"{_ROOT}0001"
    return read_declaration(
        "d.xlsx", data, company=base + cnpj_check_digits(base), today=date(2026, 11, 30), year=2025
    )


def run(*, rows: int) -> None:
    """Print how long each part takes, beside the goal; a count that differs fails."""
    broken, good = workbook(rows, wrong=500), workbook(rows)
    clock = _Clock()
    found = _read(broken)
    clock.stop("ler a planilha com 500 erros")
    back = with_errors("d.xlsx", broken, found.issues, sheet=found.sheet, heading_row=found.heading_row)
    clock.stop("devolvê-la com as células marcadas")
    taken = _read(good)
    clock.stop("ler a planilha corrigida")
    assert len(found.issues) >= 500, "every wrong cell is found"
    assert back, "something came back"
    assert not taken.issues, taken.issues[:3]
    assert sum(len(part) for part in taken.parts.values()) == rows, "every row is taken"
    said = f"{rows:,}".replace(",", ".")
    table(
        f"Declaração de {said} linhas em .xlsx, segundos de relógio e de processador (meta: {_GOAL_SECONDS})",
        clock.rows,
    )


class _Clock:
    """Notes how long each part took, by the wall and by the processor: others may be at work on it."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []
        self._at = time.perf_counter(), time.process_time()

    def stop(self, part: str) -> None:
        now = time.perf_counter(), time.process_time()
        self.rows.append(
            (part, *(f"{after - before:.1f}" for before, after in zip(self._at, now, strict=True)))
        )
        self._at = time.perf_counter(), time.process_time()
