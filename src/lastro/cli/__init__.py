"""The command line: one verb per file, a skin over the same room functions that the web calls.

Comes in: arguments and files. Goes out: a table for a person, JSON for a program, and an exit code:
0 done; 1 done, and something was refused or falls short; 2 the call or the set-up is wrong.
"""

from __future__ import annotations

import importlib
import io
import pkgutil
import sys
from typing import Any

import click

from lastro import __version__
from lastro.cli.common import Settings, shared_options
from lastro.errors import LastroError

_NOT_VERBS = {
    "blackbox_files",
    "certificate_life",
    "common",
    "hub_files",
    "hub_proofs",
    "hub_rounds",
    "private_files",
    "public_keys",
    "report_facts",
}


class _Verbs(click.Group):
    """Finds verbs where they stand: every module of this package with a `command` is one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name not in _NOT_VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"{__name__}.{name}").command
        return command


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@shared_options
@click.version_option(__version__, prog_name="lastro")
def app(settings: Settings) -> None:
    """Lastro: prova que a embalagem voltou, quilograma por quilograma, cada um contado uma vez."""


def main(argv: list[str] | None = None) -> Any:
    """Run the command line; a set-up that is wrong ends with what to do, not with a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without accents still gets its answer
            stream.reconfigure(errors="replace")
    try:
        code = app.main(args=argv, prog_name="lastro", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("Interrompido.", err=True)
        sys.exit(2)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(2)
    except LastroError as wrong:
        click.echo(f"Erro: {wrong}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(2)
    except Exception as wrong:
        if not type(wrong).__module__.startswith("psycopg"):
            raise
        said = str(wrong).strip().partition("\n")[0] or type(wrong).__name__
        click.echo(f"Erro: o banco de dados não respondeu como devia ({said}).", err=True)
        click.echo("Nada fica pela metade: repita o comando.", err=True)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)
