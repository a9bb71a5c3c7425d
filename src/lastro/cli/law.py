"""`lastro law`: what the law module knows, and what one rule answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import click

from lastro.cli.common import DAY, Settings, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.lawkit import Regulation, explain, library
from lastro.lawkit.conflicts import conflicts, conflicts_of
from lastro.lawkit.coverage import coverage, read_catalogue
from lastro.lawkit.glossary import label
from lastro.lawkit.parameters import Parameter, flat, load
from lastro.lawkit.provisions import provisions_of, reading_texts_of, readings_of
from lastro.lawkit.rules import Rule
from lastro.lawkit.tables import read_targets
from lastro.lawkit.trace import shown
from lastro.lawkit.values import read_value
from lastro.units import ExactMass, Mass, Money, Share

STATUS = {"in_force": "em vigor", "draft": "minuta: só simulação", "revoked": "revogada"}
TABLES = ("targets",)


@click.group("law")
def command() -> None:
    """O que se sabe das normas: textos, valores, regras e leituras."""


@command.command("list")
@shared_options
def list_norms(settings: Settings) -> int:
    """Lista as normas que estão aqui."""
    norms = [regulation.norm for regulation in library.every()]
    if settings.as_json:
        say_json(
            [
                {"norm": n.path, "title": n.title, "short_title": n.short_title, "status": n.status}
                for n in norms
            ]
        )
    else:
        table(
            ["norma", "nome", "estado", "vale desde"],
            [(n.path, n.short_title, STATUS[n.status], shown(n.in_force_since)) for n in norms],
        )
    return 0


@command.command("show")
@click.argument("norm")
@click.option("--on", type=DAY, help="O dia em que os valores são lidos (por omissão, hoje).")
@shared_options
def show_norm(settings: Settings, norm: str, on: date | None) -> int:
    """Mostra uma norma: o que falta do texto, os valores de um dia, as regras e as leituras."""
    regulation = library.find(norm)
    day = on or settings.today
    if settings.as_json:
        say_json(_norm_json(regulation, day))
    else:
        _norm_text(regulation, day)
    return 0


def _values(regulation: Regulation, day: date) -> list[tuple[str, str, str, str]]:
    """Path, label, value on the day in words, and citation of every parameter."""
    return [
        (p.path, p.label, _value_text(p, day), _cited(regulation, p, day))
        for p in flat(load(regulation.norm.package))
    ]


def _value_text(parameter: Parameter, day: date) -> str:
    entry = parameter.on(day)
    if entry is None:
        return "não estava em vigor"
    if entry.revoked:
        return "revogado"
    return "não carregada" if entry.missing else shown(entry.value)


def _cited(regulation: Regulation, parameter: Parameter, day: date) -> str:
    entry = parameter.on(day) or parameter.entries[0]
    return regulation.norm.cite(entry.provisions) if entry.provisions else entry.cite


def _norm_json(regulation: Regulation, day: date) -> dict[str, Any]:
    norm = regulation.norm
    return {
        "norm": norm.path,
        "title": norm.title,
        "short_title": norm.short_title,
        "status": norm.status,
        "dated": norm.dated.isoformat(),
        "published": norm.published.isoformat(),
        "in_force_since": norm.in_force_since.isoformat(),
        "lacking": list(norm.lacking),
        "on": day.isoformat(),
        "parameters": [
            {"name": name, "label": words, "value": value, "article": article}
            for name, words, value, article in _values(regulation, day)
        ],
        "rules": [
            {
                "name": name,
                "label": found.label,
                "article": norm.cite(found.provisions),
                "reading": found.reading or None,
                "inputs": list(found.inputs),
            }
            for name, found in regulation.rules.items()
        ],
        "readings": readings_of(norm.package),
        "provisions": [
            {"id": p.id, "status": p.status, "text": p.text, "aside": p.aside or None}
            for p in provisions_of(norm.package)
        ],
    }


def _norm_text(regulation: Regulation, day: date) -> None:
    norm = regulation.norm
    click.echo(f"{norm.short_title}: {norm.title}")
    click.echo(f"De {shown(norm.dated)}, publicado em {shown(norm.published)}; {STATUS[norm.status]}.")
    if norm.lacking:
        click.echo(f"O texto que temos não traz: {'; '.join(norm.lacking)}.")
    prefix = f"{norm.short_title}, "
    table(
        ["valor", "o que é", "em " + shown(day), "artigo"],
        [(n, words, v, a.removeprefix(prefix)) for n, words, v, a in _values(regulation, day)],
    )
    table(
        ["regra", "o que apura", "recebe", "artigo", "leitura"],
        [
            (
                name,
                r.label,
                ", ".join(r.inputs),
                norm.cite(r.provisions).removeprefix(prefix),
                r.reading or "—",
            )
            for name, r in regulation.rules.items()
        ],
    )
    table(["leitura", "escolha"], readings_of(norm.package).items())


@command.command("coverage")
@click.option(
    "--against",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Lista de dispositivos (TSV, com prefixo:id na primeira coluna) a conferir.",
)
@shared_options
def show_coverage(settings: Settings, against: Path | None) -> int:
    """Conta os dispositivos em código de cada norma e confere todas as citações."""
    found = []
    for regulation in library.every():
        ids = read_catalogue(against, prefix=regulation.norm.provisions) if against else None
        found.append(coverage(regulation, catalogue=ids))
    if settings.as_json:
        say_json(
            [
                {
                    "norm": c.norm,
                    "total": c.total,
                    "counts": c.counts,
                    "rules": c.rules,
                    "parameters": c.parameters,
                    "problems": list(c.problems),
                }
                for c in found
            ]
        )
    else:
        table(
            [
                "norma",
                "dispositivos",
                "em código",
                "ainda não",
                "sem efeito",
                "regras",
                "valores",
                "problemas",
            ],
            [(c.norm, c.total, *c.counts.values(), c.rules, c.parameters, len(c.problems)) for c in found],
            right=range(1, 8),
        )
        for c in found:
            for problem in c.problems:
                click.echo(f"{c.norm}: {problem}")
    return 1 if any(c.problems for c in found) else 0


@command.command("load")
@click.argument("norm")
@click.argument("name", metavar="TABLE")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@shared_options
def load_table(settings: Settings, norm: str, name: str, file: Path) -> int:
    """Carrega uma tabela que o texto não traz (targets: setor, material, ano, meta, fonte). Só acrescenta."""
    regulation = library.find(norm)
    if name not in TABLES:
        raise LastroError(f"Tabela desconhecida: {name!r}. Tabelas que se carregam: {', '.join(TABLES)}.")
    rows = read_targets(file, groups=regulation.groups, loaded_on=settings.today)
    from lastro.stores.postgres import Store
    from lastro.stores.postgres import registry as kept

    with Store.open(settings.data) as store:
        added = kept.add_targets(store, regulation.norm.path, rows, on=settings.today)
    if settings.as_json:
        say_json({"norm": regulation.norm.path, "table": name, "rows": len(rows), "added": added})
    else:
        table(
            ["setor", "material", "ano", "meta", "base", "fonte"],
            [
                (
                    r.sector,
                    label(r.material),
                    r.year,
                    shown(Share.parse(r.share)),
                    label(r.basis.value),
                    r.source,
                )
                for r in rows
            ],
            title=f"{regulation.norm.short_title}: {len(rows)} metas lidas, {added} novas",
        )
    return 0


@command.command("eval")
@click.argument("norm")
@click.argument("rule")
@click.argument("given", nargs=-1, metavar="NAME=VALUE…")
@click.option("--on", type=DAY, required=True, help="O dia em que a regra é lida.")
@shared_options
def evaluate(settings: Settings, norm: str, rule: str, given: tuple[str, ...], on: date) -> int:
    """Corre uma regra e mostra o rastro, por exemplo: returnables_discount target=32% returnable="230 t" …"""
    regulation = library.find(norm)
    found = regulation.rules.get(rule)
    if found is None:
        raise LastroError(f"Regra desconhecida: {rule!r}. Regras: {', '.join(regulation.rules)}.")
    values = _given(found, given)
    try:
        step = explain(found, regulation.law(on), **values)
    except ZeroDivisionError as wrong:
        raise LastroError(
            f"{rule}: com estes valores se dividiria por zero; nem um todo nem um número de partes é zero."
        ) from wrong
    if settings.as_json:
        say_json(step.json())
    else:
        click.echo("\n".join(step.lines()))
    return 0


def _given(found: Rule[..., Any], given: tuple[str, ...]) -> dict[str, Any]:
    kinds = found.inputs
    pairs = dict(one.partition("=")[::2] for one in given)
    wrong = [one for one in given if "=" not in one]
    wrong += [f"{name} (a regra não o recebe)" for name in pairs if name not in kinds]
    wrong += [f"{name} (falta)" for name in kinds if name not in pairs]
    names = [one.partition("=")[0] for one in given]
    wrong += [f"{name} (dado mais de uma vez)" for name in pairs if names.count(name) > 1]
    if wrong:
        raise LastroError(f"Escreva nome=valor para: {', '.join(kinds)}. A corrigir: {', '.join(wrong)}.")
    values = {}
    for name, text in pairs.items():
        try:
            values[name] = read_value(kinds[name], text)
        except ValueError as problem:
            raise LastroError(f"{name}: encontrado “{text}”; {problem}.") from problem
        if _below_zero(values[name]):
            raise LastroError(
                f"{name}: encontrado “{text}”; esperada uma massa ou um valor de zero para cima."
            )
    return values


def _below_zero(value: object) -> bool:
    """Whether a mass or an amount, alone or among several, is less than nothing."""
    if isinstance(value, Mapping):
        return any(map(_below_zero, value.values()))
    if isinstance(value, tuple):
        return any(map(_below_zero, value))
    return (isinstance(value, Mass | ExactMass) and value.mg < 0) or (
        isinstance(value, Money) and value.cents < 0
    )


@command.command("conflicts")
@click.argument("norm", required=False)
@shared_options
def show_conflicts(settings: Settings, norm: str | None) -> int:
    """Mostra onde as normas discordam sobre um mesmo fato, ou um texto discorda de si, e o que se toma."""
    found = conflicts() if norm is None else conflicts_of(library.find(norm).norm.path)
    if settings.as_json:
        say_json(
            [
                {"topic": one.topic, "taken": one.taken, "sides": [asdict(side) for side in one.sides]}
                for one in found
            ]
        )
        return 0
    for one in found:
        click.echo(f"{one.topic}")
        for side in one.sides:
            click.echo(f"  {side.article}: {side.says}.")
        click.echo(f"  Toma-se: {one.taken}\n")
    return 0


@command.command("defects")
@click.argument("norm", required=False)
@shared_options
def show_defects(settings: Settings, norm: str | None) -> int:
    """Mostra o que falta ou escorrega em cada texto, com a leitura que se tomou e o porquê."""
    asked = library.every() if norm is None else (library.find(norm),)
    if settings.as_json:
        say_json(
            [
                {
                    "norm": one.norm.path,
                    "lacking": list(one.norm.lacking),
                    "readings": [
                        {"name": slug, "taken": title, "why": reading_texts_of(one.norm.package)[slug]}
                        for slug, title in readings_of(one.norm.package).items()
                    ],
                }
                for one in asked
            ]
        )
        return 0
    for one in asked:
        click.echo(f"{one.norm.short_title} ({STATUS[one.norm.status]})")
        for gap in one.norm.lacking:
            click.echo(f"  falta: {gap}.")
        texts = reading_texts_of(one.norm.package)
        for slug, title in readings_of(one.norm.package).items():
            click.echo(f"  {title} [{slug}]\n    {texts[slug]}")
        click.echo()
    return 0
