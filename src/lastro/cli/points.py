"""`lastro points`: collection points asked for, standing and missing, and where the next ones serve most."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lastro.cli.common import Settings, read_document, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.lawkit import library
from lastro.tables.populations import places
from lastro.units import how_many, portuguese

if TYPE_CHECKING:
    from lastro.points import Need, Proposal, Whole

MOST_SHOWN = 40


@click.command("points")
@click.argument("norm")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--year", type=click.IntRange(2020, 2100), required=True, help="O ano, visto no seu último dia."
)
@click.option("--propose", "number", type=click.IntRange(0, 200), default=0, help="Quantos lugares propor.")
@shared_options
def command(settings: Settings, norm: str, file: Path, year: int, number: int) -> int:
    """Confere os pontos de um sistema, município por município, e propõe onde pôr os próximos."""
    from lastro import points

    regulation = library.find(norm)
    if regulation.sites is None:
        raise LastroError(f"{regulation.norm.short_title} não pede pontos por habitantes.")
    on = date(year, 12, 31)
    terms = regulation.sites(regulation.law(on))
    asked = read_document(file, lambda text: points.parse(text, coordinates=terms.coordinates))
    found = points.needs(terms, asked.towns, asked.points, on=on)
    began = asked.phase_began
    phase = None if began is None else points.years_ended(began, on=on)
    lines = [(one.municipality, one.year, one.points) for one in asked.schedule]
    by_schedule = points.scheduled(lines, year=year) if lines else None
    whole = points.whole(terms, found, asked.points, on=on, year_of_phase=phase, by_schedule=by_schedule)
    proposal = None
    if number:
        open_in = sorted({p.municipality for p in asked.points if p.kind == "receiving" and p.works_on(on)})
        proposal = points.propose(asked.towns, open_in, number=number)
    if settings.as_json:
        say_json(_json(regulation.norm.path, year, found, whole, proposal))
    else:
        _show(terms.article, year, found, whole, proposal)
    return 0 if whole.met else 1


def _json(
    norm: str, year: int, found: tuple[Need, ...], whole: Whole, proposal: Proposal | None
) -> dict[str, Any]:
    return {
        "norm": norm,
        "year": year,
        "required": whole.required,
        "due": whole.due,
        "installed": whole.installed,
        "unknown": whole.unknown,
        "states_without_consolidation": list(whole.states_short),
        "met": whole.met,
        "municipalities": [
            {
                "code": one.code,
                "population": one.population,
                "required": one.required,
                "installed": one.installed,
                "missing": one.missing,
            }
            for one in found
        ],
        "proposal": None
        if proposal is None
        else {
            "sites": list(proposal.sites),
            "people_metres_before": proposal.cost_before,
            "people_metres": proposal.cost,
            "no_choice_below": proposal.bound,
            "exact": proposal.exact,
        },
    }


def _show(article: str, year: int, found: tuple[Need, ...], whole: Whole, proposal: Proposal | None) -> None:
    short = sorted((one for one in found if one.missing), key=lambda one: (-(one.missing or 0), one.code))
    rows = [
        [places()[one.code].name, one.population, one.required, one.installed, one.missing]
        for one in short[:MOST_SHOWN]
    ]
    if rows:
        headings = ["município", "habitantes", "pedidos", "em operação", "faltam"]
        table(headings, rows, title=f"Pontos que faltam em 31/12/{year} ({article})", right=(1, 2, 3, 4))
    if len(short) > MOST_SHOWN:
        click.echo(f"… e mais {len(short) - MOST_SHOWN} municípios; todos em --json.")
    click.echo(f"Pedidos {whole.required}, devidos até {year} {whole.due}, em operação {whole.installed}.")
    if whole.unknown:
        towns = how_many(whole.unknown, "município", "municípios")
        click.echo(f"{towns} sem população conhecida, fora da conta.")
    if whole.states_short:
        click.echo(f"Sem ponto de consolidação: {', '.join(whole.states_short)}.")
    if proposal is not None:
        names = ", ".join(places()[code].name for code in proposal.sites) or "nenhum"
        click.echo(f"Lugares propostos: {names}.")
        kind = "a melhor escolha, provada" if proposal.exact else "um de cada vez, o que mais encurta"
        before = "sem nenhum ponto" if proposal.cost_before is None else _km(proposal.cost_before)
        click.echo(
            f"Caminho de todos até o ponto mais perto, em pessoas × km: antes, {before}; com a proposta, "
            f"{_km(proposal.cost)} ({kind})."
        )
        click.echo(f"Nenhuma escolha de tantos lugares baixa esse caminho de {_km(proposal.bound)}.")


def _km(metres: int) -> str:
    return portuguese(str(metres // 1000))
