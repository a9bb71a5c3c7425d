"""`lastro decide`: two different people end a contested claim (decision 2)."""

from __future__ import annotations

import click

from lastro.cli.common import CNPJ, PERSON, Settings, say_json, shared_options
from lastro.custody.decide import decide, lot_named
from lastro.ids import masked
from lastro.stores.postgres import Store
from lastro.stores.postgres.custody import custody


@click.command("decide")
@click.argument("lot", metavar="CHAVE/ITEM")
@click.option("--for", "winner", type=CNPJ, required=True, help="A quem fica o lote.")
@click.option("--reason", required=True, help="Por quê: o documento ou fato que decide.")
@click.option(
    "--by", "person", required=True, type=PERSON, help="Quem decide. A segunda pessoa repete o mesmo pedido."
)
@click.option("--content", help="Início do resumo do conteúdo certo, quando a chave tem dois.")
@shared_options
def command(settings: Settings, lot: str, winner: str, reason: str, person: str, content: str | None) -> int:
    """Decide um lote contestado. A decisão vale quando outra pessoa confirma com o mesmo pedido."""
    key, line = lot_named(lot)
    with Store.open(settings.data) as store, custody(store) as memory:
        confirmed = decide(
            memory,
            key,
            line,
            entity=winner,
            content=content or "",
            reason=reason,
            by=person,
            on=settings.today,
        )
    if settings.as_json:
        say_json({"access_key": key, "line": line, "for": winner, "by": person, "confirmed": confirmed})
    elif confirmed:
        click.echo(f"Decidido: o item {line} da nota {key} fica com {masked(winner)}.")
    else:
        click.echo(f"Proposta registrada por {person}. Falta outra pessoa confirmar com o mesmo pedido.")
    return 0
