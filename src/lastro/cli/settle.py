"""`lastro settle`: obligations and positions of the companies in the store."""

from __future__ import annotations

import click

from lastro.cli.assess import show
from lastro.cli.common import Settings, say_json, shared_options
from lastro.cli.desk import basis_of
from lastro.errors import LastroError
from lastro.facts import TargetRow
from lastro.ids import bare, company_of
from lastro.lawkit import library
from lastro.obligations import settle
from lastro.pipeline import company_facts
from lastro.stores.postgres import Store
from lastro.stores.postgres.registry import placed, registry, targets


@click.command("settle")
@click.option("--norm", required=True, help="A norma, por exemplo mt/decreto_1455_2025.")
@click.option("--year", type=int, required=True, help="O ano da meta.")
@click.option("--company", help="Só esta empresa: CNPJ, ou os seus oito primeiros caracteres.")
@click.option("--explain", is_flag=True, help="Mostra de onde vem cada número.")
@shared_options
def command(settings: Settings, norm: str, year: int, company: str | None, explain: bool) -> int:
    """Apura as metas de cada empresa com o que foi declarado e baixado."""
    regulation = library.find(norm)
    only = company_of(bare(company)) if company else None
    with Store.open(settings.data) as store:
        rows: tuple[TargetRow, ...] = targets(store, norm, as_of=settings.today)
        declared = placed(store, company=only, as_of=settings.today)
        retired = store.retired(company=only, year=year)
        known = registry(store)
    facts = company_facts(declared, retired, known, year=year)
    if not facts:
        raise LastroError(
            "Nenhuma empresa declarou nem recebeu massa"
            + (f" com a raiz {only}" if only else "")
            + ". Declare o que foi colocado no mercado: lastro declare ARQUIVO --company CNPJ"
        )
    basis = basis_of(settings.data / "trust")
    code = 0
    for one in facts:
        positions = settle(regulation, one, year=year, targets=rows, as_of=settings.today, basis=basis)
        code = code if all(p.met for p in positions) else 1
        if settings.as_json:
            for position in positions:
                say_json(position.json(explain=explain))
        else:
            show(regulation, one, positions, year, explain=explain)
    return code
