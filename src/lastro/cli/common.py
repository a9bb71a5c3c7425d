"""What every verb shares: where the data stands, the day, the language, and how answers are written."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from lastro.errors import LastroError
from lastro.facts import Refusal

Function = TypeVar("Function", bound=Callable[..., Any])
Item = TypeVar("Item")


@dataclass(frozen=True)
class Settings:
    """How this call was asked to run. No room reads the clock: `today` is read here, once."""

    data: Path
    today: date
    as_json: bool
    lang: str
    fixed_today: date | None = None  # the day that was asked for, for who runs on past midnight


def _default_data() -> Path:
    import platformdirs

    return Path(os.environ.get("LASTRO_DATA") or platformdirs.user_data_dir("lastro", appauthor=False))


class Day(click.ParamType[date]):
    """A date written as AAAA-MM-DD."""

    name = "AAAA-MM-DD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} não é uma data; escreva como 2026-12-31", param, ctx)


DAY = Day()


YEAR = click.IntRange(2000, 2100)
"""A year that any of this can be about."""


class Cnpj(click.ParamType[str]):
    """A CNPJ, masked or not, letters allowed; its check digits are judged."""

    name = "CNPJ"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from lastro.ids import bare, is_cnpj

        text = bare(str(value))
        if not is_cnpj(text):
            self.fail(f"{value!r} não é um CNPJ válido (14 caracteres, dígitos verificadores)", param, ctx)
        return text


CNPJ = Cnpj()


class Person(click.ParamType[str]):
    """The name or e-mail of who does something; spelled as people are told apart by."""

    name = "PESSOA"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from lastro.ids import person_named

        try:
            return person_named(str(value))
        except ValueError:
            self.fail(f"{value!r} não é o nome de uma pessoa (letras latinas, não em branco)", param, ctx)


PERSON = Person()


def shared_options(function: Function) -> Function:
    """Give a verb --data, --today, --json and --lang, and hand them over as `settings`.

    They may stand before or after the verb; the nearer one wins.
    """

    @click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Pasta dos dados.")
    @click.option("--today", type=DAY, help="O dia de hoje, para repetir um resultado.")
    @click.option("--json", "as_json", is_flag=True, help="Responde em JSON.")
    @click.option("--lang", type=click.Choice(["pt", "en"]), help="Idioma das respostas.")
    @functools.wraps(function)
    def wrapped(
        *,
        data: Path | None,
        today: date | None,
        as_json: bool,
        lang: str | None,
        **rest: Any,
    ) -> Any:
        ctx = click.get_current_context()
        outer = ctx.obj if isinstance(ctx.obj, Settings) else None
        base = outer or Settings(data=_default_data(), today=date.today(), as_json=False, lang="pt")
        settings = replace(
            base,
            data=data or base.data,
            today=today or base.today,
            fixed_today=today or base.fixed_today,
            as_json=as_json or base.as_json,
            lang=lang or base.lang,
        )
        ctx.obj = settings
        return function(settings=settings, **rest)

    return wrapped  # type: ignore[return-value]


def read_document(file: Path, read: Callable[[str], Item]) -> Item:
    """Read a JSON document that a person wrote. Raises LastroError naming the file and what to mend in it."""
    from lastro.jsonfile import JsonRefused

    try:
        return read(file.read_text("utf-8-sig"))
    except JsonRefused as wrong:
        raise LastroError(f"{file}: {wrong}") from wrong
    except OSError as wrong:
        raise LastroError(f"{file}: não se abre ({wrong.strerror}).") from wrong
    except UnicodeDecodeError as wrong:
        raise LastroError(f"{file}: não é um texto em UTF-8; salve-o de novo.") from wrong


def not_over(file: Path, *others: Path | None) -> None:
    """What is written must not take the place of what is read. Raises LastroError naming the file."""
    if any(other is not None and file.resolve() == other.resolve() for other in others):
        raise LastroError(
            f"{file}: este arquivo já tem outro uso nesta mesma ordem; dê outro nome ao que se grava."
        )


def say_json(value: Any) -> None:
    """Write one JSON value on one line of standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")))


def table(
    headings: Iterable[str],
    rows: Iterable[Iterable[object]],
    *,
    title: str = "",
    right: Iterable[int] = (),
    whole: Iterable[int] = (),
) -> None:
    """Write a table for a person: columns in `right` are aligned as numbers, those in `whole` never break."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    numbers, unbroken = set(right), {*right, *whole}
    grid = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(headings):
        side: Literal["left", "right"] = "right" if i in numbers else "left"
        grid.add_column(heading, justify=side, overflow="fold", no_wrap=i in unbroken)
    for row in rows:
        grid.add_row(*(str(cell) for cell in row))
    console = Console(highlight=False, markup=False, soft_wrap=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, width=200)
    console.print(grid)


def counted(items: Iterable[Item]) -> Iterator[Item]:
    """The items as they come, with how far the reading got on standard error, on a terminal only."""
    shown = sys.stderr.isatty()
    for number, item in enumerate(items, start=1):
        if shown and number % 100 == 0:
            sys.stderr.write(f"\r{number} arquivos lidos…")
            sys.stderr.flush()
        yield item
    if shown:
        sys.stderr.write("\r\033[K")


def refused(refusal: Refusal, settings: Settings) -> int:
    """Say why a move was not made, with what stands and the cure; the exit code of a refusal."""
    from lastro.findings import catalogue, refusal_json

    code = catalogue()[refusal.code]
    if refusal.code == "K09" and "first" in refusal.detail:
        raise LastroError(
            "Esta identificação (--id) já foi usada por outro pedido, e a resposta dele foi: "
            f"{json.dumps(refusal.detail['first'], ensure_ascii=False)[:300]}. Use outra identificação."
        )
    if settings.as_json:
        say_json(refusal_json(refusal, lang=settings.lang))
        return 1
    click.echo(f"Recusado ({refusal.code}): {code.message[settings.lang]}")
    for name, value in (("encontrado", refusal.found), ("esperado", refusal.expected)):
        if value:
            click.echo(f"  {name}: {value}")
    click.echo(f"  o que fazer: {code.cure[settings.lang]}")
    if refusal.article or code.article:
        click.echo(f"  base: {refusal.article or code.article}")
    return 1
