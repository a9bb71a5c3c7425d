"""`lastro pools`: what each entity has proved of each material and not yet used."""

from __future__ import annotations

import click

from lastro.cli.common import CNPJ, YEAR, Settings, say_json, shared_options, table
from lastro.ids import masked
from lastro.lawkit.glossary import capital, label
from lastro.stores.postgres import Store


@click.command("pools")
@click.option("--entity", type=CNPJ, help="Só desta entidade gestora.")
@click.option("--year", type=YEAR, help="Só deste ano.")
@shared_options
def command(settings: Settings, entity: str | None, year: int | None) -> int:
    """Mostra a massa em lotes, por entidade, ano e material (um conjunto é uma pergunta, não uma conta)."""
    with Store.open(settings.data) as store:
        pools = store.pools(entity=entity, year=year)
    if settings.as_json:
        for pool in pools:
            say_json(pool.json())
    elif pools:
        table(
            ["entidade", "ano", "material", "lotes", "verificada", "homologada"],
            [
                (
                    masked(p.entity),
                    p.year,
                    capital(label(p.material.value)),
                    p.lots,
                    p.verified,
                    p.homologated,
                )
                for p in pools
            ],
            right=(3, 4, 5),
        )
    else:
        click.echo("Não há massa em lotes. Entre com notas: lastro enter PASTA --entity CNPJ --norm NORMA")
    return 0
