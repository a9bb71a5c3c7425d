"""`lastro settle`: obligations and positions of the companies in the store."""

from __future__ import annotations

import click

from lastro.cli.assess import show
from lastro.cli.common import YEAR, Settings, say_json, shared_options
from lastro.desk import settle_companies
from lastro.errors import LastroError
from lastro.ids import bare, company_of
from lastro.lawkit import library
from lastro.stores.postgres import Store


@click.command("settle")
@click.option("--norm", required=True, help="A norma, por exemplo mt/decreto_1455_2025.")
@click.option("--year", type=YEAR, required=True, help="O ano da meta.")
@click.option("--company", help="Só esta empresa: CNPJ, ou os seus oito primeiros caracteres.")
@click.option("--explain", is_flag=True, help="Mostra de onde vem cada número.")
@shared_options
def command(settings: Settings, norm: str, year: int, company: str | None, explain: bool) -> int:
    """Apura as metas de cada empresa com o que foi declarado e baixado."""
    regulation = library.find(norm)
    only = company_of(bare(company)) if company else None
    with Store.open(settings.data) as store:
        settled = settle_companies(
            store, norm, year=year, company=only, data=settings.data, today=settings.today
        )
    if not settled:
        raise LastroError(
            "Nenhuma empresa declarou nem recebeu massa"
            + (f" com a raiz {only}" if only else "")
            + ". Declare o que foi colocado no mercado: lastro declare ARQUIVO --company CNPJ"
        )
    code = 0
    for one, positions in settled:
        code = code if all(p.met for p in positions) else 1
        if settings.as_json:
            for position in positions:
                say_json(position.json(explain=explain))
        else:
            show(regulation, one, positions, year, explain=explain)
    if not settings.as_json:
        for left_out in regulation.uncomputed:
            click.echo(left_out)
    return code
