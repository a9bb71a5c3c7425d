"""`lastro hub`: the custody hub, for whoever runs it, keeps a tag key, verifies or claims."""

from __future__ import annotations

import os
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import click

from lastro.cli import hub_files, hub_proofs, hub_rounds
from lastro.cli.common import CNPJ, Settings, say_json, shared_options
from lastro.cli.hub_rounds import FILE
from lastro.errors import LastroError
from lastro.hub.hub import Hub
from lastro.hub.keeper import Keeper, key_of
from lastro.stores.postgres import Store
from lastro.stores.postgres.hub import PostgresHub, PostgresKeeper


@click.group("hub")
def command() -> None:
    """Centro de custódia: quem mais reivindica o mesmo item, sem que ninguém mostre o que tem."""


for _verb in (*hub_rounds.VERBS, *hub_proofs.VERBS):
    command.add_command(_verb)


# ── who takes part ───────────────────────────────────────────────────────────────────────────────────


@command.command("join")
@click.option("--as", "role", type=click.Choice(hub_files.ROLES), required=True, help="O papel.")
@click.option("--name", required=True, help="CNPJ da entidade ou do verificador; nome curto do guardião.")
@click.option("--era", "eras", multiple=True, help="Guardião: um ano de emissão das notas; pode repetir.")
@click.option("--out", type=FILE, help="Onde gravar a parte pública (padrão: mostra).")
@shared_options
def join(settings: Settings, role: str, name: str, eras: tuple[str, ...], out: Path | None) -> int:
    """Faz as chaves de um papel, uma vez, e mostra a parte pública, que vai para o rol."""
    if role in ("member", "verifier"):
        name = CNPJ.convert(name, None, None)
    if role == "keeper" and not eras:
        raise LastroError("Um guardião tem uma chave por ano de emissão das notas; diga os anos com --era.")
    piece = hub_files.make_role(settings.data, role, name).piece(sorted(eras))
    if out:
        hub_files.write_json(out, piece)
    else:
        say_json(piece)
    return 0


@command.command("roster")
@click.argument("pieces", type=FILE, nargs=-1, metavar="ARQUIVO...")
@click.option("--take", type=FILE, help="Adota um rol pronto, que outro fez.")
@click.option("--origin", help="O nome do centro, como aparece nos fechamentos.")
@click.option(
    "--size", type=click.IntRange(2, 65_535), default=1024, show_default=True, help="Entradas por lote."
)
@click.option(
    "--pace", type=click.IntRange(1, 10_000), default=8, show_default=True, help="Lotes por dia, de cada um."
)
@click.option("--out", type=FILE, help="Onde gravar também, para mandar aos outros.")
@shared_options
def roster(
    settings: Settings,
    pieces: tuple[Path, ...],
    take: Path | None,
    origin: str | None,
    size: int,
    pace: int,
    out: Path | None,
) -> int:
    """Junta as partes públicas num rol, ou adota um; todos leem uns aos outros o mesmo resumo."""
    if take:
        made = hub_files.read_roster(take)
    elif pieces and origin:
        told = [hub_files.read_json(one) for one in pieces]
        made = hub_files.compile_roster(told, origin=origin, size=size, pace=pace)
    else:
        made = hub_files.own_roster(settings.data)
    for path in (hub_files.roster_path(settings.data), out):
        if path and (take or pieces or path == out):
            hub_files.write_json(path, asdict(made))
    if settings.as_json:
        say_json({"digest": made.digest, "quota": made.quota, **asdict(made)})
        return 0
    click.echo(f"{made.origin}: {len(made.members)} entidades, {len(made.verifiers)} verificadores, ")
    click.echo(f"guardiões: {', '.join(one.name for one in made.keepers)}")
    click.echo(f"{made.pace} lotes de {made.size} por dia, de cada entidade: {made.quota} perguntas por dia")
    click.echo(f"resumo: {made.digest}")
    return 0


# ── servers ──────────────────────────────────────────────────────────────────────────────────────────


def _serving(function: Any) -> Any:
    for option in (
        click.option("--host", default="127.0.0.1", show_default=True, help="Endereço em que se escuta."),
        click.option("--port", type=click.IntRange(0, 65535), default=8100, show_default=True),
        click.option("--threads", type=click.IntRange(1, 64), default=4, show_default=True),
    ):
        function = option(function)
    return function


@command.command("serve")
@_serving
@click.option(
    "--close-every",
    type=click.IntRange(1, 1440),
    default=60,
    show_default=True,
    help="Minutos entre fechamentos.",
)
@shared_options
def serve(settings: Settings, host: str, port: int, threads: int, close_every: int) -> int:
    """Serve o centro de custódia. Fora deste computador, ponha na frente um servidor com HTTPS."""
    from lastro.web.hub_door import ClosesInTime, Door
    from lastro.web.hub_door import serve as run

    made, role = hub_files.own_roster(settings.data), hub_files.role_of(settings.data, "hub")
    with Store.open(settings.data) as store:
        hub = Hub(made, secret=role.secrets["signs"], shelf=PostgresHub(store))
        today = _today(settings)
        door = Door(made, today=today, hub=hub)
        closing = ClosesInTime(door, hub, every=close_every * 60, today=today)
        run(closing, host=host, port=port, threads=threads, ready=_told(f"Centro {made.origin}"))
    return 0


@command.command("keeper")
@click.option("--name", default="", help="Qual guardião, se há mais de um nesta pasta.")
@_serving
@shared_options
def keeper(settings: Settings, name: str, host: str, port: int, threads: int) -> int:
    """Serve um guardião de chave de marcas: outra parte que não o centro."""
    from lastro.web.hub_door import Door
    from lastro.web.hub_door import serve as run

    made, role = hub_files.own_roster(settings.data), hub_files.role_of(settings.data, "keeper", name)
    mine = made.keeper(role.name)
    if mine is None:
        raise LastroError(f"O guardião {role.name} não está no rol; peça que o ponham.")
    with Store.open(settings.data) as store:
        kept = Keeper(
            made, signs=role.secrets["signs"], shelf=PostgresKeeper(store), draw=os.urandom,
            secrets={era: key_of(role.secrets["seed"], era) for era in mine.eras},
        )  # fmt: skip
        door = Door(made, today=_today(settings), keeper=kept)
        run(door, host=host, port=port, threads=threads, ready=_told(f"Guardião {role.name}"))
    return 0


def _today(settings: Settings) -> Any:
    return lambda: settings.fixed_today or date.today()


def _told(who: str) -> Any:
    return lambda port: click.echo(f"{who} na porta {port} (Ctrl-C encerra)")
