"""`lastro enter`: notes are judged, counted once, and become lots of a managing entity."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import click

from lastro.cli.common import CNPJ, YEAR, Settings, counted, say_json, shared_options
from lastro.cli.lots import WHY
from lastro.cli.verify import Summary
from lastro.connectors.clamd import configured
from lastro.custody.lots import BESIDE, Lots, lots_of, of_no_item
from lastro.custody.port import For
from lastro.desk import desk_of
from lastro.engine.local import LocalEngine
from lastro.errors import LastroError
from lastro.evidence import Source, beside, document_json, sources, without
from lastro.facts import Outcome
from lastro.ids import masked
from lastro.lawkit import Regulation, library
from lastro.pipeline import answers, enter
from lastro.stores.postgres import Store
from lastro.stores.postgres.custody import PostgresCustody, custody


@click.command("enter")
@click.argument("paths", metavar="CAMINHO…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--entity", type=CNPJ, required=True, help="Entidade gestora que reivindica a massa.")
@click.option("--norm", metavar="NORMA", help="Norma sob a qual contar, como mt/decreto_1455_2025.")
@click.option("--year", type=YEAR, help="Ano da meta (padrão: o ano de hoje).")
@click.option(
    "--lots",
    type=click.Path(path_type=Path, dir_okay=False),
    help="CSV: chave, item, município, origem, massa.",
)
@click.option("--workers", type=click.IntRange(1, 256), help="Processos a usar (padrão: um por núcleo).")
@shared_options
def command(
    settings: Settings,
    paths: tuple[Path, ...],
    entity: str,
    norm: str | None,
    year: int | None,
    lots: Path | None,
    workers: int | None,
) -> int:
    """Confere as notas e lança cada massa uma vez em lotes. Pode repetir, reordenar e interromper."""
    regulation = admitting(norm)
    whom = For(entity, regulation.norm.path, year or settings.today.year)
    lots_files = [Source(str(lots), None, b"")] if lots else beside(paths, BESIDE)
    said = read_lots_file(lots) if lots else lots_of(lots_files)
    stream = counted(without(sources(paths, scan=configured()), lots_files))
    summary, keys, lines = Summary(), set[str](), defaultdict[str, set[int]](set)
    with Store.open(settings.data) as store:
        with custody(store) as memory:
            memory.say_lots(entity, said)
            before = fallen_of(memory)
        desk = desk_of(store, whom, data=settings.data, today=settings.today)
        remember = functools.partial(custody, store)
        engine = LocalEngine(workers)
        seen = list(enter(stream, desk=desk, remember=remember, engine=engine, on=settings.today))
        for document, verdict in answers(seen, whom=whom, remember=remember):
            summary.add(document, verdict)
            keys.add(document.access_key)
            lines[document.access_key].update(line.line for line in verdict.lines)
            if settings.as_json:
                say_json(document_json(document, verdict, lang=settings.lang))
        with custody(store) as memory:
            told = [*stale_of(memory, keys, before=before), *_of_no_item(memory, said, lines, whom)]
    if not seen:
        raise LastroError(f"Não há arquivos em {', '.join(map(str, paths))}.")
    for line in told:
        click.echo(line, err=True)
    if not settings.as_json:
        click.echo(f"Entrada de {masked(entity)} · {regulation.norm.short_title} · ano {whom.year}\n")
        summary.show(settings.lang)
        if summary.masses and any(row.mass is not None for row in said.values()):
            click.echo(
                "A tabela soma as notas inteiras; de alguns itens, o arquivo de lotes reivindica uma parte. "
                "O que entrou em lotes: lastro pools."
            )
    return 1 if summary.outcomes[Outcome.REFUSED] else 0


Fallen = Mapping[tuple[str, int], frozenset[str]]
"""The claimants who used more of a line than what stands of it."""


def fallen_of(memory: PostgresCustody) -> Fallen:
    """Every line whose evidence has died after its mass was used."""
    return {(row.access_key, row.line): frozenset(row.stale) for row in memory.fallen()}


def stale_of(memory: PostgresCustody, keys: set[str], *, before: Fallen) -> list[str]:
    """In words, the lines whose mass was used and whose evidence has died: those of these keys, and every
    other that fell since `before`, whichever paper brought it down."""
    rows = [
        row
        for row in memory.fallen()
        if row.access_key in keys
        or frozenset(row.stale) - before.get((row.access_key, row.line), frozenset())
    ]
    if not rows:
        return []
    named = "; ".join(f"{row.access_key}/{row.line} ({WHY.get(row.reason, row.reason)})" for row in rows[:10])
    return [
        f"Atenção: {len(rows)} item(ns) já usados perderam a prova: {named}"
        + (" …" if len(rows) > 10 else "")
        + ". O que deles foi baixado ou certificado precisa ser reposto: veja lastro lots --stale."
    ]


def _of_no_item(memory: PostgresCustody, said: Lots, lines: Mapping[str, set[int]], whom: For) -> list[str]:
    """In words, the rows of the lots file that speak of no item; notes of earlier runs are looked up."""
    earlier = sorted({key for key, _ in said} - set(lines))
    known = {
        row.access_key: {line["line"] for line in row.verdict["lines"]}
        for row in (memory.answered(whom, keys=earlier) if earlier else ())
        if row.verdict["lines"]
    }
    told = of_no_item(said, {**known, **lines})
    more = f"\n  … e mais {len(told) - 10}." if len(told) > 10 else ""
    shown = "\n  ".join(told[:10])
    return [f"Atenção: linhas do arquivo de lotes que não valem para nada:\n  {shown}{more}"] if told else []


def admitting(name: str | None) -> Regulation:
    """The norm to count under: the one named, else the only one in force that says what it admits."""
    if name:
        regulation = library.find(name)
        if regulation.admits is None:
            raise LastroError(f"{name} não diz que notas aceita; escolha outra norma (lastro law list).")
        return regulation
    able = [r for r in library.every() if r.admits is not None and r.norm.status == "in_force"]
    if len(able) != 1:
        raise LastroError(f"Diga a norma: --norm, uma de {', '.join(r.norm.path for r in able)}.")
    return able[0]


def read_lots_file(path: Path) -> Lots:
    """A lots file from disk. Raises LastroError that names the file."""
    try:
        return lots_of([Source(str(path), None, path.read_bytes())])
    except OSError as wrong:
        raise LastroError(f"{path}: não se abre ({wrong.strerror}).") from wrong
