"""`lastro simulate`: what other targets, choices or facts would change, over a whole population."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from lastro.cli.common import Settings, not_over, read_document, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.ids import masked
from lastro.lawkit import library
from lastro.lawkit.glossary import capital, label
from lastro.obligations import Position
from lastro.obligations.facts_file import parse
from lastro.obligations.simulate import Row, Totals, parse_change, simulate, totals
from lastro.units import MG_PER_KG, decimal_text, how_many, portuguese

WORDS = {True: "cumprida", False: "não cumprida", None: "não apurável"}
FILE_COLUMNS = (
    "empresa", "material", "devido antes (kg)", "resultado antes", "devido depois (kg)", "resultado depois",
)  # fmt: skip
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
    if csv_file is not None:
        not_over(csv_file, file, change)
    facts = read_document(file, lambda text: parse(text, options=regulation.options))
    known = [one.cnpj for one in facts.companies]
    supposed = read_document(
        change, lambda text: parse_change(text, options=regulation.options, companies=known)
    )
    rows = simulate(regulation, facts, supposed, as_of=settings.today)
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
    verb = "Muda" if len(moved) == 1 else "Mudam"
    click.echo(f"{verb} {len(moved)} de {how_many(len(rows), 'posição', 'posições')}.")
    for word, one in (("Antes", before), ("Depois", after)):
        click.echo(
            f"{word}: {how_many(one.met, 'cumprida', 'cumpridas')}, "
            f"{how_many(one.unmet, 'não cumprida', 'não cumpridas')}, "
            f"{how_many(one.unknown, 'não apurável', 'não apuráveis')}; "
            f"devido {portuguese(_kg(one))} kg."
        )
    return 0


def _cells(row: Row) -> list[str]:
    return [masked(row.company), capital(label(row.material)), *_side(row.before), *_side(row.after)]


def _side(one: Position | None) -> list[str]:
    if one is None:
        return ["—", "—"]
    return ["—" if one.obligation is None else str(one.obligation), WORDS[one.met]]


def _plain(one: Position | None) -> str:
    """What is owed, in kilograms, as a number of a Portuguese sheet; an empty cell where it is not known."""
    if one is None or one.obligation is None:
        return ""
    return decimal_text(Fraction(one.obligation.mg, MG_PER_KG)).replace(".", ",")


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
    """A file that a sheet program opens and adds up; its cells are numbers and lists, none a formula."""
    made = io.StringIO()
    writer = csv.writer(made, delimiter=";", lineterminator="\r\n")
    writer.writerow(FILE_COLUMNS)
    for row in rows:
        before, after = _plain(row.before), _plain(row.after)
        cells = _cells(row)
        writer.writerow([*cells[:2], before, cells[3], after, cells[5]])
    try:
        file.write_bytes(made.getvalue().encode("utf-8-sig"))
    except OSError as wrong:
        raise LastroError(f"{file}: não se grava ({wrong.strerror}).") from wrong
