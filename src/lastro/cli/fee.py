"""`lastro fee`: what an establishment owes for a quarter, from a facts file, with no store."""

from __future__ import annotations

from pathlib import Path

import click

from lastro.cli.common import Settings, read_document, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.findings import catalogue
from lastro.lawkit import library

ROWS = {
    "federal": "TCFA da célula",
    "fee": "TFA/MT",
    "city_credit": "Crédito da taxa municipal",
    "amount": "A recolher",
    "fine": "Multa",
    "interest": "Juros",
    "total": "Total no dia",
    "forged_fine": "Multa por documento simulado",
    "restored": "Restabelecido pela restituição",
    "state_credit": "Crédito para a TCFA (parte do Estado)",
    "federal_offset": "Abatimento federal estimado",
}


@click.command("fee")
@click.argument("norm")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--explain", is_flag=True, help="Mostra de onde vem cada número.")
@shared_options
def command(settings: Settings, norm: str, file: Path, explain: bool) -> int:
    """Calcula a taxa de um estabelecimento num trimestre (arquivo de fatos em JSON), sem gravar nada."""
    from lastro import fees
    from lastro.lawkit.trace import shown

    regulation = library.find(norm)
    if regulation.charges is None:
        raise LastroError(f"{regulation.norm.short_title} não cobra taxa; peça mt/lei_11096_2020.")
    charged = read_document(file, lambda text: fees.parse(text, today=settings.today))
    made, trace = fees.assess(regulation, charged)
    if settings.as_json:
        shown_trace = trace if explain else None
        say_json(fees.answer(regulation, charged, made, trace=shown_trace, lang=settings.lang))
        return 0 if fees.sound(made) else 1
    title = f"{regulation.norm.short_title} · {charged.quarter}º trimestre de {charged.year}"
    told = [(name, getattr(made, part)) for part, name in ROWS.items()]
    if made.total is None:
        click.echo(f"{title}: a taxa fica pendente; não se pode calcular, e não é zero.")
    else:
        least = "ao menos " if made.at_least else ""
        rows = [[name, least + shown(value)] for name, value in told if value is not None]
        table(["parte", "valor"], rows, title=title, right=(1,))
    for seen in made.findings:
        click.echo(
            f"{seen.code} · {catalogue()[seen.code].message[settings.lang]} {seen.found}; "
            f"esperado: {seen.expected} ({seen.article})."
        )
    if made.at_least and made.total is not None:
        click.echo("Ao menos: o valor de uma atividade está pendente e, se for maior, é ele que vale.")
    for note in made.notes:
        click.echo(note)
    click.echo(
        f"Vencimento: {made.due:%d/%m/%Y}."
        + (f" Dias de atraso: {made.days_late}." if made.days_late else "")
    )
    if explain:
        click.echo("\n" + "\n".join(trace.lines()))
    return 0 if fees.sound(made) else 1
