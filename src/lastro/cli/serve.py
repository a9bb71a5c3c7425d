"""`lastro serve`: the pages, and by default a worker beside them."""

from __future__ import annotations

import os

import click

from lastro.cli.common import Settings, shared_options


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Endereço em que se escuta.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: uma livre.")
@click.option(
    "--threads", type=click.IntRange(1, 64), default=8, show_default=True, help="Pedidos de uma vez."
)
@click.option("--no-worker", is_flag=True, help="Sem trabalhador: outro processo corre lastro worker.")
@click.option("--allow-host", "hosts", multiple=True, help="Outro nome pelo qual as páginas são pedidas.")
@click.option("--proxy", metavar="ENDEREÇO", default="", help="IP do servidor que fica na frente, se há um.")
@shared_options
@click.pass_context
def command(
    ctx: click.Context,
    settings: Settings,
    host: str,
    port: int,
    threads: int,
    no_worker: bool,
    hosts: tuple[str, ...],
    proxy: str,
) -> int:
    """Serve as páginas. O endereço público, quando é outro, vem de LASTRO_PUBLIC_URL."""
    from lastro.web.serving import serve
    from lastro.web.settings import Site, demo_of, public_url

    marked, day = demo_of(settings.data)
    site = Site(
        data=settings.data,
        public_url=public_url(f"http://{host}:{port}"),
        hosts=hosts,
        today=settings.fixed_today or day,
        demo=marked or bool(os.environ.get("LASTRO_DEMO")),
    )

    def ready(at: int) -> None:
        click.echo(f"Páginas em http://{host}:{at}/ (Ctrl-C encerra)")
        if marked and site.today:
            click.echo(f"Dados de demonstração: o dia é {site.today:%d/%m/%Y}; outro, com --today.")

    serve(site, host=host, port=port, threads=threads, worker=not no_worker, proxy=proxy, ready=ready)
    return 0
