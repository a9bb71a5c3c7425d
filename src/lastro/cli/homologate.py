"""`lastro homologate`: the verifier's statement that makes lots usable (decision 5; art. 60)."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import click

from lastro.cli.common import CNPJ, YEAR, Settings, refused, say_json, shared_options
from lastro.cli.enter import read_lots_file
from lastro.errors import LastroError
from lastro.facts import Lot, Refusal
from lastro.ids import masked
from lastro.stores.postgres import Store
from lastro.stores.postgres.registry import registry
from lastro.units import Mass


@click.command("homologate")
@click.option("--verifier", type=CNPJ, required=True, help="Verificador de resultados que declara.")
@click.option("--entity", type=CNPJ, required=True, help="Entidade gestora dona dos lotes.")
@click.option("--year", type=YEAR, required=True, help="Ano dos lotes.")
@click.option(
    "--lots", type=click.Path(path_type=Path, dir_okay=False), help="CSV com chave e item; sem ele, todos."
)
@shared_options
def command(settings: Settings, verifier: str, entity: str, year: int, lots: Path | None) -> int:
    """Registra a declaração do verificador: os lotes nomeados passam a valer para certificado ou baixa."""
    chosen = None
    if lots is not None:
        chosen = [Lot(key, line, entity) for key, line in sorted(read_lots_file(lots))]
    with Store.open(settings.data) as store:
        if verifier not in registry(store).verifier_for(entity, settings.today):
            return refused(
                Refusal(
                    "P10",
                    found=f"{masked(verifier)} sem contrato com {masked(entity)} em {settings.today}",
                    expected="contrato de verificador em vigor (lastro registry load, tabela contracts)",
                ),
                settings,
            )
        answer = store.homologate(
            entity,
            verifier=verifier,
            year=year,
            lots=chosen,
            request=f"homologate/{uuid4()}",
            happened_on=settings.today,
        )
    if isinstance(answer, Refusal):
        unknown = answer.detail.get("unknown")
        if unknown:
            named = "; ".join(f"{lot['access_key']}/{lot['line']}" for lot in unknown)
            raise LastroError(f"Não são lotes de {masked(entity)} em {year}: {named}. Veja: lastro lots")
        return refused(answer, settings)
    if settings.as_json:
        say_json(answer)
    else:
        mass = Mass(int(answer["mass_mg"]))
        if not answer["lots"]:
            click.echo(f"Nenhum lote novo de {masked(entity)} em {year} para homologar.")
            return 0
        click.echo(f"Homologados {answer['lots']} lotes de {masked(entity)}, ano {year}: {mass}.")
    return 0
