"""`lastro report`: the annual results report and the verifier's statement, made, looked at and handed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from lastro import delivery
from lastro.cli.common import CNPJ, YEAR, Settings, refused, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.facts import Refusal
from lastro.lawkit import library
from lastro.reports.cells import DataSet, Section
from lastro.reports.changes import Change
from lastro.reports.desk import Case, Heading
from lastro.reports.paper import subtitle, title
from lastro.reports.partnerships import read_partnerships
from lastro.reports.standing import Version
from lastro.reports.words import column, row_name, said, word
from lastro.stores.postgres import Store

_NORM = "mt/decreto_1455_2025"
_SHOWN = {
    "placed": ("material", "mass", "returnable", "companies"),
    "recovered": ("material", "lots", "certificates", "total"),
    "beside": ("material", "homologated", "verified", "certified"),
    "targets": ("material", "target", "owed", "achieved", "balance", "attained", "met"),
}
"""What a terminal shows of a report: the sections that add up, and as many columns as it holds."""


@click.group("report")
def command() -> None:
    """Relatórios: faz, mostra de que cada número é feito, e entrega."""


def _which(function: Callable[..., Any]) -> Callable[..., Any]:
    function = click.option("--norm", default=_NORM, show_default=True, help="A norma do relatório.")(
        function
    )
    function = click.option("--year", type=YEAR, required=True, help="Ano de referência.")(function)
    return click.option("--entity", type=CNPJ, required=True, help="Entidade gestora.")(function)


def _case(settings: Settings, norm: str, entity: str, year: int) -> Case:
    return delivery.case_of(settings.data, norm=norm, entity=entity, year=year, today=settings.today)


@command.command("rar-mt")
@_which
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Pasta dos arquivos.")
@click.option("--partnerships", "sheet", type=click.Path(path_type=Path, dir_okay=False, exists=True),
              help="Tabela das parcerias formais (.xlsx, .csv ou .json).")  # fmt: skip
@click.option("--submit", is_flag=True, help="Entrega a prévia, se ela ainda vale.")
@click.option("--preview", "number", type=int, help="Com --submit: o número da prévia (padrão: a última).")
@click.option("--by", help="Com --submit: quem entrega.")
@click.option("--reason", default="", help="Com --submit: o motivo de uma nova versão.")
@shared_options
def rar_mt(
    settings: Settings,
    norm: str,
    entity: str,
    year: int,
    out: Path | None,
    sheet: Path | None,
    submit: bool,
    number: int | None,
    by: str | None,
    reason: str,
) -> int:
    """Relatório Anual de Resultados: sem --submit, uma prévia; com --submit, a entrega."""
    case = _case(settings, norm, entity, year)
    if submit:
        if not by:
            raise click.UsageError("--submit pede --by USUÁRIO")
        if sheet is not None:
            raise click.UsageError("--partnerships entra na prévia; entregue depois, com --submit")
        with Store.open(settings.data) as store:
            done = delivery.submit_report(
                store, case, by=by, reason=reason, number=number, lang=settings.lang
            )
            return _submitted(store, done, settings, out)
    known = None if sheet is None else read_partnerships(sheet.name, sheet.read_bytes())
    with Store.open(settings.data) as store:
        data, made = delivery.preview_report(store, case, partnerships=known)
    heading = Heading(settings.today)
    paths = _write(out, delivery.files(settings.lang)(data, heading)) if out else []
    if settings.as_json:
        say_json({"preview": made.id, "files": paths, **data.json()})
    else:
        _show(data, settings.lang)
        click.echo(f"Prévia {made.id}, de {made.made_on:%d/%m/%Y}; resumo {data.digest[:16]}…")
        for path in paths:
            click.echo(f"  {path}")
    return 1 if data.blocks else 0


@command.command("verification")
@_which
@click.option("--verifier", type=CNPJ, required=True, help="Verificador de resultados que declara.")
@click.option("--unchecked", default="", help="Por que se declara sem ter conferido à mão toda a amostra.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Pasta dos arquivos.")
@shared_options
def statement(
    settings: Settings, norm: str, entity: str, year: int, verifier: str, unchecked: str, out: Path | None
) -> int:
    """Declaração de verificação: notas cobertas, testes e colisões; mesmo conteúdo, mesmo número.

    O que não se conferiu à mão se declara com a razão, em --unchecked; ela fica na declaração.
    """
    case = _case(settings, norm, entity, year)
    with Store.open(settings.data) as store:
        if unchecked:
            delivery.samples(store, case, verifier).leave(reason=unchecked, by=verifier, on=settings.today)
        done = delivery.issue_statement(store, case, verifier=verifier, lang=settings.lang)
        return _submitted(store, done, settings, out)


@command.command("versions")
@_which
@shared_options
def versions(settings: Settings, norm: str, entity: str, year: int) -> int:
    """O que foi entregue, e o que mudou desde então (T04)."""
    case = _case(settings, norm, entity, year)
    with Store.open(settings.data) as store:
        state = delivery.report_state(store, case)
        issued = delivery.statements(store, case)
    last = state.versions[-1] if state.versions else None
    if settings.as_json:
        for one in (*issued, *state.versions):
            stale = state.stale if one is last else None
            say_json(delivery.version_json(one, stale=stale))
        return 1 if state.stale else 0
    for one in issued:
        click.echo(f"Declaração {delivery.version_line(one)}.")
    for one in state.versions:
        click.echo(f"Relatório: {delivery.version_line(one)}.")
        if one.reason:
            click.echo(f"  motivo: {one.reason}")
    if last is None:
        click.echo("Nada foi entregue ainda.")
    elif state.stale:
        click.echo(f"A última versão não vale mais como está (T04): {len(state.since_version)} mudanças.")
        for change in state.since_version[:20]:
            click.echo(f"  {change}")
    return 1 if state.stale else 0


@command.command("made-of")
@_which
@click.option("--cell", required=True, help="A célula: seção/linha/coluna, como recovered/glass/total.")
@shared_options
def made_of(settings: Settings, norm: str, entity: str, year: int, cell: str) -> int:
    """De que um número do relatório é feito: lançamentos, declarações, cadastro, regras."""
    case = _case(settings, norm, entity, year)
    with Store.open(settings.data) as store:
        try:
            data, rows = delivery.made_of(store, case, cell)
        except KeyError:
            raise LastroError(f"O relatório não tem a célula {cell!r}; veja os nomes no JSON.") from None
    if settings.as_json:
        say_json({"cell": cell, **data.cell(cell).json(), "rows": rows})
        return 0
    click.echo(f"{cell}: {said(data.cell(cell))}")
    for kind in dict.fromkeys(row["source"] for row in rows):
        mine = [row for row in rows if row["source"] == kind]
        heads = [
            name for name in dict.fromkeys(n for row in mine for n in row) if name not in ("source", "kind")
        ]
        shown = [column("", name, settings.lang) for name in heads]
        title = word("source", kind, settings.lang)
        table(shown, [[row.get(name, "") for name in heads] for row in mine], title=title)
    return 0


@command.command("document")
@click.argument("norm")
@click.argument("kind")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Pasta dos arquivos.")
@click.option("--public", is_flag=True, help="A cópia para o público, sem o que está sob sigilo.")
@shared_options
def document(settings: Settings, norm: str, kind: str, file: Path, out: Path | None, public: bool) -> int:
    """Um documento da norma, feito de um arquivo de fatos, sem gravar nada: memória, extrato, relatório."""
    from lastro.cli.report_facts import made_from
    from lastro.reports.public_copy import public_copy

    data = made_from(library.find(norm), kind, file, today=settings.today)
    data = public_copy(data) if public else data
    paths = _write(out, delivery.files(settings.lang)(data, Heading(settings.today))) if out else []
    if settings.as_json:
        say_json({"files": paths, **data.json()})
        return 1 if data.blocks else 0
    click.echo(f"{title(data, settings.lang)} · {subtitle(data, settings.lang)}")
    for section in data.sections:
        _whole(section, settings.lang)
    for block in data.blocks:
        click.echo(f"Impede a entrega ({block.code}): {block.text}.")
    for path in paths:
        click.echo(f"  {path}")
    return 1 if data.blocks else 0


def _whole(section: Section, lang: str) -> None:
    """A section as a terminal shows it: names with values, or a table; then what is said beside."""
    listed, names = section.columns == ("value",), section.columns
    heads = [column("", "item", lang)] if listed else []
    heads += [column(section.key, name, lang) for name in names]
    rows = [
        ([row_name(row.key, lang)] if listed else [])
        + [said(row.cells[name], column=name, lang=lang) for name in names]
        for row in section.rows
    ]
    if rows:
        table(heads, rows, title=word("section", section.key, lang))
    for note in section.notes:
        click.echo(f"{word('section', section.key, lang)}: {note}")


def _submitted(store: Store, done: Version | Refusal, settings: Settings, out: Path | None) -> int:
    if isinstance(done, Refusal):
        code = refused(done, settings)
        if not settings.as_json:
            for change in done.detail.get("changes", ())[:20]:
                click.echo(f"  {Change.read(change)}")
            for block in done.detail.get("blocks", ()):
                click.echo(f"  {block['code']}: {block['text']}")
        return code
    bodies = {name: delivery.stored_file(store, digest) or b"" for name, digest in done.files.items()}
    paths = _write(out, bodies) if out else []
    if settings.as_json:
        say_json({**delivery.version_json(done), "paths": paths})
        return 0
    if done.repeated:
        click.echo(delivery.repeated_line(done))
    else:
        click.echo(f"{word('report', done.kind, settings.lang)}: {delivery.version_line(done)}.")
    for path in paths:
        click.echo(f"  {path}")
    return 0


def _write(folder: Path, bodies: Mapping[str, bytes]) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in bodies.items():
        (folder / name).write_bytes(body)
    return [str(folder / name) for name in sorted(bodies)]


def _show(data: DataSet, lang: str) -> None:
    for section in data.sections:
        if section.key in _SHOWN and section.rows:
            _table(section, lang)
            for note in section.notes:
                click.echo(note)
    for block in data.blocks:
        click.echo(f"Impede a entrega ({block.code}): {block.text}.")


def _table(section: Section, lang: str) -> None:
    names = _SHOWN[section.key]
    heads = [column(section.key, name, lang) for name in names]
    rows = [[said(row.cells[name], column=name, lang=lang) for name in names] for row in section.rows]
    right = [n for n, name in enumerate(names) if name not in ("material", "met")]
    table(heads, rows, title=word("section", section.key, lang), right=right)
