"""`lastro worker`: does what was asked for in the background, one job after another."""

from __future__ import annotations

import click

from lastro.cli.common import Settings, shared_options


@click.command("worker")
@click.option("--while-stdin", is_flag=True, hidden=True)
@shared_options
def command(settings: Settings, while_stdin: bool) -> int:
    """Faz os trabalhos pedidos pelas páginas. Pode haver vários; um que morre deixa o seu para outro."""
    from lastro.web.serving import work
    from lastro.web.settings import Site, demo_of, public_url

    work(
        Site(
            data=settings.data,
            public_url=public_url("http://127.0.0.1:8000"),
            today=settings.fixed_today or demo_of(settings.data)[1],
        ),
        while_stdin=while_stdin,
    )
    return 0
