"""`lastro lots`: the lots of an entity, and those that are contested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from lastro.cli.common import CNPJ, YEAR, Settings, say_json, shared_options, table
from lastro.evidence.answer import RELATIONS, family_json, papers_json
from lastro.facts import Beside, Kin
from lastro.ids import masked
from lastro.lawkit.glossary import capital, label
from lastro.stores.postgres import Store
from lastro.stores.postgres.custody import LotStanding, custody
from lastro.units import Mass

WHY = {
    "C02": "reivindicações que não cabem no item",
    "C03": "há outra nota quase igual",
    "C04": "contado em venda anterior da mesma massa, ou vendido antes de comprado",
    "N15": "dois conteúdos assinados sob a mesma chave",
    "N10": "nota cancelada",
    "N11": "carta de correção sobre o produto",
    "N16": "nota devolvida ou anulada",
    "M15": "outra nota conta a mesma massa",
    "C05": "talvez seja a carga de um MTR que ninguém ligou à nota",
    "C06": "o CDF não lista o MTR",
    "C07": "o CDF certifica menos",
    "C08": "o destinador recebeu menos",
    "C09": "massa alterada depois da entrega",
    "C10": "as datas de nota, MTR e CDF não combinam",
    "C11": "o resíduo não é o material da nota",
    "C12": "o destino não é reciclagem, ou está por confirmar",
    "G05": "carga acima do que um veículo leva",
    "G06": "o mesmo veículo longe demais no mesmo dia",
    "G07": "acima da capacidade do operador no mês",
    "G08": "carga interestadual sem documento de transporte",
    "G09": "as duas empresas vendem uma à outra",
    "verdict": "nenhuma resposta aceita o item",
    "decided": "decidido por duas pessoas",
    "withdrawn": "reivindicação retirada pela entidade",
}


@click.command("lots")
@click.option("--entity", type=CNPJ, help="Só os desta entidade gestora.")
@click.option("--year", type=YEAR, help="Só os deste ano.")
@click.option("--contested", is_flag=True, help="Só os itens contestados, com quem os reivindica.")
@click.option("--stale", is_flag=True, help="Só os itens já usados cuja prova caiu depois.")
@shared_options
def command(settings: Settings, entity: str | None, year: int | None, contested: bool, stale: bool) -> int:
    """Lista os lotes, os itens contestados que esperam decisão, ou os usados cuja prova caiu."""
    if contested or stale:
        with Store.open(settings.data) as store, custody(store) as memory:
            if contested:
                _show_contested(memory.standing(state="contested", entity=entity), settings)
            else:
                rows = [r for r in memory.standing() if r.stale and entity in (None, *r.stale)]
                _show_stale(rows, settings)
        return 0
    with Store.open(settings.data) as store:
        held = [lot for lot in store.lots(entity=entity, year=year) if lot.mass]
        with custody(store) as memory:
            keys = [lot.lot.access_key for lot in held]
            families, papers = memory.families(keys), memory.papers_beside(keys)
    if settings.as_json:
        for lot in held:
            say_json(
                {
                    "account": lot.lot.account,
                    "entity": lot.lot.claimant,
                    "access_key": lot.lot.access_key,
                    "line": lot.lot.line,
                    "material": lot.material.value,
                    "mass_mg": lot.mass.mg,
                    "year": lot.year,
                    "issued_on": lot.issued_on.isoformat(),
                    "municipality": lot.municipality,
                    "origin": lot.origin.value if lot.origin else None,
                    "homologated": lot.homologated,
                    "family": family_json(families.get(lot.lot.access_key, ())),
                    "papers": papers_json(papers.get(lot.lot.access_key, ())),
                }
            )
        return 0
    table(
        ["chave de acesso", "item", "entidade", "material", "emitida", "município", "homologado", "massa"],
        [
            (
                *(lot.lot.access_key, lot.lot.line, masked(lot.lot.claimant)),
                *(capital(label(lot.material.value)), lot.issued_on.isoformat(), lot.municipality or "—"),
                *("sim" if lot.homologated else "não", lot.mass),
            )
            for lot in held
        ],
        right=(1, 7),
        whole=(0, 2),
    )
    _show_families(families)
    _show_papers(papers)
    return 0


def _show_families(families: Mapping[str, Sequence[Kin]]) -> None:
    """One mass, one lot: the other notes that tell the mass of these lots."""
    if families:
        rows = [(key, RELATIONS[kin.relation], kin.access_key) for key in families for kin in families[key]]
        title = "Outras notas da mesma massa, que não contam outra vez:"
        table(["chave de acesso do lote", "relação", "outra nota"], sorted(rows), title=title, whole=(0, 2))


def _show_papers(papers: Mapping[str, Sequence[Beside]]) -> None:
    """The manifests and certificates that go with these lots, and what each says of the mass."""
    if papers:
        names = {"mtr": "MTR", "cdf": "CDF"}
        rows = [
            (key, names[one.kind], one.number, "—" if one.mass is None else one.mass)
            for key in sorted(papers)
            for one in papers[key]
        ]
        title = "Os MTR e os CDF das cargas destes lotes:"
        heads = ["chave de acesso do lote", "papel", "número", "recebido ou certificado"]
        table(heads, rows, title=title, right=(3,), whole=(0, 2))


def _show_stale(rows: list[LotStanding], settings: Settings) -> None:
    if settings.as_json:
        for row in rows:
            say_json(
                {
                    "access_key": row.access_key,
                    "line": row.line,
                    "reason": row.reason,
                    "stale": list(row.stale),
                }
            )
        return
    if not rows:
        click.echo("Nenhum item usado perdeu a prova.")
        return
    table(
        ["chave de acesso", "item", "por quê", "usado por"],
        [(r.access_key, r.line, WHY.get(r.reason, r.reason), "; ".join(map(masked, r.stale))) for r in rows],
        right=(1,),
        whole=(0,),
    )


def _show_contested(rows: list[LotStanding], settings: Settings) -> None:
    if settings.as_json:
        for row in rows:
            say_json(
                {"access_key": row.access_key, "line": row.line, "reason": row.reason, "claims": row.claims}
            )
        return
    if not rows:
        click.echo("Nenhum item contestado.")
        return
    table(
        ["chave de acesso", "item", "por quê", "reivindicam"],
        [(r.access_key, r.line, WHY.get(r.reason, r.reason), _claims(r)) for r in rows],
        right=(1,),
        whole=(0,),
    )
    click.echo("Para decidir: lastro decide CHAVE/ITEM --for CNPJ --reason TEXTO --by PESSOA (duas pessoas).")


def _claims(row: LotStanding) -> str:
    return "; ".join(
        f"{masked(who)}: {Mass(said['mass_mg']) if said['mass_mg'] else 'tudo'}"
        for who, said in row.claims.items()
    )
