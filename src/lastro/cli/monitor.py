"""`lastro monitor`: read all of a public log, count it again and compare it with what others saw."""

from __future__ import annotations

from pathlib import Path

import click

from lastro.cli.common import Settings, say_json, shared_options
from lastro.cli.public_keys import signer_of
from lastro.connectors.public_log import reader
from lastro.errors import LastroError
from lastro.publiclog.watch import monitor


@click.command("monitor")
@click.argument("source", metavar="ENDEREÇO|PASTA")
@click.option("--log", "log_key", required=True, help="A chave pública do registro (lastro log begin).")
@click.option(
    "--seen", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Um fechamento que outra pessoa viu (o de uma testemunha); pode repetir.",
)  # fmt: skip
@shared_options
def command(settings: Settings, source: str, log_key: str, seen: tuple[Path, ...]) -> int:
    """Lê o registro inteiro, refaz a raiz e procura folhas repetidas e fechamentos que não combinam."""
    notes = [path.read_text("utf-8") for path in seen]
    try:
        found = list(monitor(reader(source), log=signer_of(log_key), seen=notes))
    except OSError as silent:
        raise LastroError(f"{source} não respondeu ({silent}). Tente mais tarde.") from silent
    if settings.as_json:
        say_json([fault.as_json() for fault in found])
    elif not found:
        click.echo("Tudo confere: a raiz é a das folhas, nenhuma se repete, e ninguém viu outra coisa.")
    for fault in [] if settings.as_json else found:
        click.echo(f"{fault.kind}: {fault.said}.")
    return 1 if found else 0
