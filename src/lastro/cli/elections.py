"""`lastro elections`: the choice among regions that serves a company best, from a facts file."""

from __future__ import annotations

from pathlib import Path

import click

from lastro.cli.common import Settings, read_document, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.ids import masked
from lastro.lawkit import library
from lastro.lawkit.glossary import capital, label
from lastro.obligations import elections
from lastro.obligations.facts_file import parse


@click.command("elections")
@click.argument("norm")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@shared_options
def command(settings: Settings, norm: str, file: Path) -> int:
    """Propõe a escolha entre regiões que cumpre as metas, ou a que menos falta, e mostra por quê."""
    regulation = library.find(norm)
    if regulation.elects is None:
        raise LastroError(f"{regulation.norm.short_title} não deixa escolher; peça br/minuta_metal_2022.")
    facts = read_document(file, lambda text: parse(text, options=regulation.options))
    answers = elections.proposals(regulation, facts.companies, year=facts.year, targets=facts.targets)
    if settings.as_json:
        say_json({"norm": regulation.norm.path, "year": facts.year, "proposals": [a.json() for a in answers]})
    else:
        for one in answers:
            _show(one)
        click.echo("O conteúdo reciclado se julga à parte: veja lastro assess.")
        for gap in regulation.uncomputed:
            click.echo(gap)
    return 0 if all(one.proposal and one.proposal.judged.all_met for one in answers) else 1


def _show(one: elections.Answer) -> None:
    title = f"{masked(one.cnpj)} · {capital(label(one.group))}"
    if one.proposal is None:
        click.echo(f"{title}: {one.message}")
        return
    found = one.proposal
    rows = [
        [region, str(mass), "cumprida" if found.judged.met[region] else "não alcançada"]
        for region, mass in sorted(found.judged.targets.items())
    ]
    table(["região", "meta final", "resultado"], rows, title=title, right=(1,))
    for region, mass in sorted(found.choice.moved.items()):
        click.echo(f"Inciso III: somar {mass} à região {region}.")
    for region, to in sorted(found.choice.switched.items()):
        click.echo(f"Inciso IV: usar o índice nacional em {region}, com a diferença em {to}.")
    whole = "cumprida" if found.judged.national_met else "não alcançada"
    said = (
        "todas as metas de reciclagem se cumprem"
        if found.judged.all_met
        else f"falta ao menos {found.shortfall}"
    )
    click.echo(f"Meta nacional {whole}; com a melhor de {found.tried} escolhas, {said}.")
