"""`lastro simulate`: what other targets, choices or facts would change, over a whole population."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import click

from lastro.cli.common import Settings, read_document, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.ids import masked
from lastro.lawkit import library
from lastro.lawkit.glossary import capital, label
from lastro.obligations import Position
from lastro.obligations.facts_file import parse
from lastro.obligations.simulate import Row, Totals, parse_change, simulate, totals
from lastro.units import MG_PER_KG, decimal_text, portuguese

WORDS = {True: "cumprida", False: "não cumprida", None: "não apurável"}
COLUMNS = ("empresa", "material", "devido antes", "resultado antes", "devido depois", "resultado depois")
MOST_SHOWN = 40


@click.command("simulate")
@click.argument("norm")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("change", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Grava todas as linhas."
)
@shared_options
def command(settings: Settings, norm: str, file: Path, change: Path, csv_file: Path | None) -> int:
    """Compara as posições de todas as empresas antes e depois de uma mudança suposta, sem gravar nada."""
    regulation = library.find(norm)
    if regulation.settles is None:
        raise LastroError(f"{regulation.norm.short_title} não fixa metas a simular.")
    facts = read_document(file, parse)
    rows = simulate(regulation, facts, read_document(change, parse_change), as_of=settings.today)
    before, after = totals(r.before for r in rows), totals(r.after for r in rows)
    if csv_file is not None:
        _write(csv_file, rows)
    if settings.as_json:
        say_json(
            {
                "norm": regulation.norm.path,
                "year": facts.year,
                "before": _totals(before),
                "after": _totals(after),
                "rows": [_json(r) for r in rows],
            }
        )
        return 0
    moved = [r for r in rows if _cells(r)[2:4] != _cells(r)[4:6]]
    table(COLUMNS, [_cells(r) for r in moved[:MOST_SHOWN]], title=regulation.norm.short_title, right=(2, 4))
    if len(moved) > MOST_SHOWN:
        click.echo(f"… e mais {len(moved) - MOST_SHOWN}; todas em --csv ou --json.")
    click.echo(f"Mudam {len(moved)} de {len(rows)} posições.")
    for word, one in (("Antes", before), ("Depois", after)):
        click.echo(
            f"{word}: {one.met} cumpridas, {one.unmet} não cumpridas, {one.unknown} não apuráveis; "
            f"devido {portuguese(_kg(one))} kg."
        )
    return 0


def _cells(row: Row) -> list[str]:
    return [masked(row.company), capital(label(row.material)), *_side(row.before), *_side(row.after)]


def _side(one: Position | None) -> list[str]:
    if one is None:
        return ["—", "—"]
    return ["—" if one.obligation is None else str(one.obligation), WORDS[one.met]]


def _json(row: Row) -> dict[str, Any]:
    return {
        "company": row.company,
        "material": row.material,
        "before": row.before.json() if row.before else None,
        "after": row.after.json() if row.after else None,
    }


def _totals(one: Totals) -> dict[str, Any]:
    return {"met": one.met, "unmet": one.unmet, "unknown": one.unknown, "owed_kg": _kg(one)}


def _kg(one: Totals) -> str:
    return decimal_text(one.owed_mg / MG_PER_KG)


def _write(file: Path, rows: tuple[Row, ...]) -> None:
    """A file that a sheet program opens; its cells come from numbers and lists, so none is a formula."""
    made = io.StringIO()
    writer = csv.writer(made, delimiter=";", lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(_cells(r) for r in rows)
    try:
        file.write_bytes(made.getvalue().encode("utf-8-sig"))
    except OSError as wrong:
        raise LastroError(f"{file}: não se grava ({wrong.strerror}).") from wrong
