"""`lastro assess`: a company's positions from a facts file, with no store (contract §3)."""

from __future__ import annotations

from pathlib import Path

import click

from lastro.cli.common import Settings, read_document, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.facts import Basis, CompanyFacts
from lastro.ids import masked
from lastro.lawkit import Regulation, library
from lastro.lawkit.conflicts import conflicts_of
from lastro.lawkit.glossary import capital, label
from lastro.obligations import Position, settle, undeclared
from lastro.obligations.facts_file import Facts, parse


@click.command("assess")
@click.argument("norm")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--explain", is_flag=True, help="Mostra de onde vem cada número.")
@shared_options
def command(settings: Settings, norm: str, file: Path, explain: bool) -> int:
    """Apura as metas de uma norma a partir de um arquivo de fatos (JSON), sem gravar nada."""
    regulation = library.find(norm)
    facts = _read(file, regulation)
    positions = [
        settle(regulation, company, year=facts.year, targets=facts.targets, as_of=settings.today)
        for company in facts.companies
    ]
    if settings.as_json:
        say_json(answer(regulation, facts, positions, explain=explain))
    else:
        for company, mine in zip(facts.companies, positions, strict=True):
            show(regulation, company, mine, facts.year, explain=explain)
        for gap in regulation.uncomputed:
            click.echo(gap)
        met = len(conflicts_of(regulation.norm.path))
        if met:
            click.echo(f"Em {met} pontos as normas discordam: lastro law conflicts {regulation.norm.path}.")
    return 0 if all(p.met for mine in positions for p in mine) else 1


def _read(file: Path, regulation: Regulation) -> Facts:
    facts = read_document(file, lambda text: parse(text, options=regulation.options))
    if facts.norm and facts.norm != regulation.norm.path:
        raise LastroError(
            f"{file}: os fatos são para {facts.norm}, e a norma pedida é {regulation.norm.path}."
        )
    _known_groups(file, facts, regulation)
    return facts


def _known_groups(file: Path, facts: Facts, regulation: Regulation) -> None:
    """A target for a group that the norm does not have would never be read: better to say so."""
    named = [t.material for t in facts.targets]
    named += [t["material"] for c in facts.companies for t in c.extra.get("term_targets", ())]
    unknown = sorted(set(named) - set(regulation.groups))
    if unknown:
        raise LastroError(
            f"{file}: metas para {', '.join(unknown)}; os grupos de {regulation.norm.short_title} são "
            f"{', '.join(regulation.groups)}."
        )


def answer(
    regulation: Regulation, facts: Facts, positions: list[tuple[Position, ...]], *, explain: bool
) -> dict[str, object]:
    """The whole answer as the contract writes it."""
    basis = Basis.OFFICIAL
    for position in (p for mine in positions for p in mine):
        basis = basis.worst(position.basis)
    return {
        "norm": regulation.norm.path,
        "year": facts.year,
        "basis": basis.value,
        "positions": [p.json(explain=explain) for mine in positions for p in mine],
        "not_computed": list(regulation.uncomputed),
        "conflicts": [one.topic for one in conflicts_of(regulation.norm.path)],
        "undeclared": [
            {"company": company.cnpj, "materials": list(undeclared(regulation, company, year=facts.year))}
            for company in facts.companies
        ],
    }


def show(
    regulation: Regulation,
    company: CompanyFacts,
    positions: tuple[Position, ...],
    year: int,
    *,
    explain: bool,
) -> None:
    """One company's positions for a person: a table, then what has to be said beside it."""
    table(
        ["material", "onde", "meta", "devido", "comprovado", "saldo", "resultado", "base"],
        [_row(p) for p in positions],
        title=f"{masked(company.cnpj)} · {regulation.norm.short_title} · metas de {year}",
        right=(2, 3, 4, 5),
    )
    for position in positions:
        name = capital(label(position.material))
        if position.message:
            click.echo(f"{position.code} · {name}: {position.message}")
        for note in position.notes:
            if note.text != position.message:
                click.echo(f"{note.code or 'nota'} · {name}: {note.text}")
    silent = undeclared(regulation, company, year=year)
    if silent:
        names = ", ".join(label(g) for g in silent)
        click.echo(f"Sem declaração e fora da apuração (ausência não é zero): {names}.")
    if explain:
        for position in positions:
            click.echo("\n" + "\n".join(position.trace.lines()))
    click.echo()


def _row(p: Position) -> tuple[str, ...]:
    result = {True: "cumprida", False: "não cumprida", None: "não apurável"}[p.met]
    return (
        capital(label(p.material)),
        p.scope,
        str(p.target) if p.target else "—",
        str(p.obligation_mass) if p.obligation_mass is not None else "—",
        str(p.achieved),
        str(p.balance) if p.balance is not None else "—",
        result,
        label(p.basis.value) if p.target is not None else "—",
    )
