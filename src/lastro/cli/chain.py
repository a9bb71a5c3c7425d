"""`lastro chain`: resales of which a part was counted at an earlier sale, and what stands behind one."""

from __future__ import annotations

from typing import Any

import click

from lastro.cli.common import YEAR, Settings, say_json, shared_options, table
from lastro.custody.chain import Upstream, least_excess
from lastro.custody.chain_settle import behind
from lastro.custody.chain_story import Step, Story, story
from lastro.custody.decide import lot_named
from lastro.custody.port import Kept
from lastro.errors import LastroError
from lastro.lawkit.glossary import capital, label
from lastro.stores.postgres import Store
from lastro.stores.postgres.custody import custody
from lastro.units import ZERO, Mass, total


@click.command("chain")
@click.argument("lot", metavar="[CHAVE/ITEM]", required=False)
@click.option("--year", type=YEAR, help="Só as vendas deste ano.")
@shared_options
def command(settings: Settings, lot: str | None, year: int | None) -> int:
    """Mostra as revendas de que uma parte já foi contada antes; de uma venda, o que há por trás dela."""
    with Store.open(settings.data) as store, custody(store) as memory:
        if lot:
            kept, world = behind(memory, lot_named(lot))
            flows = [one.sold.flow for one in kept]
            told = story(flows, lot_named(lot), world=world)
            if told is None:
                raise LastroError(f"{lot} não é o item de uma venda conhecida entre duas empresas.")
            least = least_excess(flows, world=world).get((told.flow.seller, told.flow.material), ZERO)
            (_tell_json if settings.as_json else _tell)(told, least)
            return 0
        rows = [one for one in memory.resold() if year in (None, one.sold.day.year)]
    if settings.as_json:
        for one in rows:
            say_json(_json(one))
    elif rows:
        _list(rows)
    else:
        click.echo("Nenhuma revenda conhecida conta o que já foi contado em venda anterior.")
    return 0


def _json(one: Kept) -> dict[str, Any]:
    return {
        "access_key": one.sold.access_key,
        "line": one.sold.line,
        "issued_on": one.sold.day.isoformat(),
        "seller": one.sold.seller,
        "buyer": one.sold.buyer,
        "material": one.sold.material.value,
        "mass_mg": one.sold.mass_mg,
        "claimed_mg": one.sold.credited_mg,
        "upstream_counted_mg": one.upstream.counted.mg,
        "unknown_origin_mg": one.upstream.unknown.mg,
        **_early_json(one.upstream),
    }


def _early_json(answer: Upstream) -> dict[str, int]:
    return {
        "before_purchase_mg": answer.explained(late=True).mg,
        "waiting_purchase_mg": answer.explained(late=False).mg,
    }


def _list(rows: list[Kept]) -> None:
    table(
        [
            "chave de acesso",
            "item",
            "emitida",
            "material",
            "contada",
            "já contada antes",
            "sem origem conhecida",
            "a explicar",
        ],
        [
            (
                *(one.sold.access_key, one.sold.line, one.sold.day.isoformat()),
                capital(label(one.sold.material.value)),
                *(Mass(one.sold.credited_mg), one.upstream.counted, one.upstream.unknown),
                total(early.mass for early in one.upstream.early),
            )
            for one in rows
        ],
        right=(1, 4, 5, 6, 7),
        whole=(0,),
    )
    if any(one.upstream.early for one in rows):
        click.echo("A explicar: vendida antes da compra, ou comprada por nota que espera decisão.")
    click.echo("Para ver o que há por trás de uma venda: lastro chain CHAVE/ITEM.")


def _tell(told: Story, least: Mass) -> None:
    flow, answer = told.flow, told.answer
    click.echo(
        f"{flow.seller} vendeu {Mass(flow.mass_mg)} de {label(flow.material.value)} a {flow.buyer}; "
        f"reivindicam-se {Mass(flow.credited_mg)}."
    )
    if told.begins:
        click.echo("A massa começa aqui: quem vende coleta, ou não se conhece de quem compra.")
        return
    steps = [step for step in told.steps if step.flow is not flow]
    table(
        ["o que houve antes", "chave de acesso", "item", "massa", "contada", "fica livre", "fica já contada"],
        [_step(step) for step in steps],
        right=(2, 3, 4, 5, 6),
        whole=(1,),
    )
    click.echo(
        f"Da venda, {answer.counted} já foram contados antes, {answer.unknown} não têm origem conhecida; "
        + (
            "sem decisão, nada conta."
            if answer.early
            else f"contam {Mass(flow.credited_mg - answer.counted.mg)}."
        )
    )
    for one in answer.early:
        what = "antes da compra" if one.late else "de uma compra que espera decisão"
        click.echo(f"{one.mass} foram vendidos {what}, a nota {one.access_key}: duas pessoas decidem.")
    if least:
        click.echo(
            f"Qualquer que seja a compra por trás de cada venda, {flow.seller} reivindica ao menos {least} "
            "a mais do que comprou sem que já estivesse contado."
        )


def _step(step: Step) -> tuple[object, ...]:
    if step.flow is None:
        return "fonte declarada", "—", "—", "—", "—", step.clean, step.spent
    what = f"compra de {step.flow.seller}" if step.bought else f"venda a {step.flow.buyer}"
    masses = Mass(step.flow.mass_mg), Mass(step.flow.credited_mg), step.clean, step.spent
    return what, step.flow.access_key, step.flow.line, *masses


def _tell_json(told: Story, least: Mass) -> None:
    flow = told.flow
    say_json(
        {
            "access_key": flow.access_key,
            "line": flow.line,
            "seller": flow.seller,
            "buyer": flow.buyer,
            "material": flow.material.value,
            "mass_mg": flow.mass_mg,
            "claimed_mg": flow.credited_mg,
            "begins": told.begins,
            "upstream_counted_mg": told.answer.counted.mg,
            "unknown_origin_mg": told.answer.unknown.mg,
            **_early_json(told.answer),
            "seller_excess_mg": least.mg,
            "steps": [
                {
                    "access_key": step.flow.access_key if step.flow else None,
                    "line": step.flow.line if step.flow else None,
                    "bought": step.bought,
                    "mass_mg": step.flow.mass_mg if step.flow else None,
                    "claimed_mg": step.flow.credited_mg if step.flow else None,
                    "clean_mg": step.clean.mg,
                    "spent_mg": step.spent.mg,
                }
                for step in told.steps
                if step.flow is not flow
            ],
        }
    )
