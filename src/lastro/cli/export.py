"""`lastro export`: all that is kept, in open formats, with the program that checks it alone."""

from __future__ import annotations

from pathlib import Path

import click

from lastro.cli.common import Settings, say_json, shared_options, table
from lastro.units import portuguese


@click.command("export")
@click.argument("target", type=click.Path(path_type=Path), metavar="PASTA|ARQUIVO.zip")
@shared_options
def command(settings: Settings, target: Path) -> int:
    """Grava tudo em formatos abertos, com verificar.py, que confere sem o lastro e sem rede."""
    from lastro.exit import export
    from lastro.stores.postgres import Store

    with Store.open(settings.data) as store:
        done = export(store, target)
    if settings.as_json:
        say_json({"path": str(done.path), "manifest_sha256": done.digest, "rows": dict(done.rows)})
        return 0
    table(("Arquivo", "Linhas"), ((n, portuguese(str(c))) for n, c in done.rows.items()), right=(1,))
    click.echo(f"Gravado em {done.path}. Para conferir, com Python 3.8 ou mais novo:")
    where = done.path if done.path.is_dir() else "PASTA"
    click.echo(f"  python3 {where}/verificar.py {done.path} --resumo {done.digest}")
    click.echo("Anote o resumo fora desta pasta: com ele, nenhum byte muda sem que se veja.")
    return 0
