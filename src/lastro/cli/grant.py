"""`lastro grant`: the incentive of a quarter from a facts file, with no store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.common import Settings, read_document, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.findings import catalogue
from lastro.ids import masked
from lastro.lawkit import library

if TYPE_CHECKING:
    from lastro.lawkit.grants import Quarter, QuarterGranted


@click.command("grant")
@click.argument("norm")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--explain", is_flag=True, help="Mostra de onde vem cada número.")
@shared_options
def command(settings: Settings, norm: str, file: Path, explain: bool) -> int:
    """Calcula o incentivo de um trimestre a partir de um arquivo de fatos (JSON), sem gravar nada."""
    from lastro import incentives

    regulation = library.find(norm)
    if regulation.pays is None:
        raise LastroError(f"{regulation.norm.short_title} não paga incentivo; peça mg/decreto_45975_2012.")
    quarter = read_document(file, incentives.parse)
    made, trace = incentives.granted(regulation, quarter)
    if settings.as_json:
        shown = trace if explain else None
        say_json(incentives.answer(regulation, quarter, made, trace=shown, lang=settings.lang))
    else:
        _show(quarter, made, title=regulation.norm.short_title, lang=settings.lang)
        if explain:
            click.echo("\n" + "\n".join(trace.lines()))
    return 0 if incentives.sound(made) else 1


def _show(quarter: Quarter, made: QuarterGranted, *, title: str, lang: str) -> None:
    from lastro.lawkit.trace import shown

    names = {one.cnpj: one.name for one in quarter.organisations}
    table(
        ["organização", "CNPJ", "pontos", "valor", "mínimo aos catadores"],
        [
            [names[one.cnpj], masked(one.cnpj), *map(shown, (one.points, one.amount, one.least_to_members))]
            for one in made.granted
        ],
        title=f"{title} · {quarter.number}º trimestre de {quarter.year}",
        right=(2, 3, 4),
        whole=(1,),
    )
    for one in made.granted:
        for seen in one.findings:
            click.echo(
                f"{seen.code} · {names[one.cnpj]}: {catalogue()[seen.code].message[lang]} {seen.found}; "
                f"esperado: {seen.expected} ({seen.article})."
            )
    for why in made.blocked:
        click.echo(f"Nada se concede: {why}")
    click.echo(f"Comprovantes até {made.due:%d/%m/%Y}. Disponível: {made.available}; mínimo: {made.minimum}.")
    if not made.blocked:
        click.echo(f"Concedido: {made.available - made.left}. Fica disponível: {made.left}.")
