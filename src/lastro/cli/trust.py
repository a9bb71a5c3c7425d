"""`lastro trust`: the certificate roots under which a signature counts as trusted."""

from __future__ import annotations

from pathlib import Path

import click

from lastro import trust
from lastro.cli.common import Settings, say_json, shared_options, table

_PORTUGUESE = {"real": "real", "test": "teste"}


@click.group("trust")
def command() -> None:
    """Raízes de certificado em que se confia (pasta trust/ dos dados)."""


@command.command("add")
@click.argument("file", metavar="ARQUIVO", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--kind",
    type=click.Choice(trust.KINDS),
    help="Espécie da raiz: real ou test. Sem isto, é teste a que se diz de teste.",
)
@shared_options
def add(settings: Settings, file: Path, kind: str | None) -> int:
    """Passa a confiar nos certificados de ARQUIVO (PEM ou DER)."""
    data = file.read_bytes()
    chosen = kind or trust.kind_of(file.name, trust.parse(file.name, data)[0])
    made = trust.add(settings.data / "trust", file.name, data, kind=chosen, today=settings.today)
    _say(settings, made, title="Confia-se agora em:")
    from lastro.stores.postgres import Store

    if Store.stands(settings.data):
        from lastro.desk import rejudge_all

        with Store.open(settings.data) as store:
            judged = rejudge_all(store, data=settings.data, today=settings.today)
        if judged and not settings.as_json:
            click.echo(f"{judged} documentos já recebidos foram julgados de novo com o que se sabe agora.")
    return 0


@command.command("list")
@shared_options
def list_roots(settings: Settings) -> int:
    """Mostra em que raízes se confia."""
    folder = settings.data / "trust"
    trust.load(folder)
    found = trust.roots(folder)
    if not found and not settings.as_json:
        click.echo("Nenhuma raiz: toda assinatura fica sem confiança (S05). Use: lastro trust add ARQUIVO")
        return 0
    _say(settings, found, title="Raízes em que se confia:")
    return 0


def _say(settings: Settings, found: tuple[trust.Root, ...], *, title: str) -> None:
    if settings.as_json:
        say_json([_as_json(root, settings) for root in found])
        return
    rows = [
        (
            root.subject,
            _PORTUGUESE[root.kind],
            "raiz" if root.self_signed else "intermediária",
            f"{root.valid_from:%d/%m/%Y} a {root.valid_to:%d/%m/%Y}"
            + (" (expirada)" if root.valid_to < settings.today else ""),
            root.sha256,
        )
        for root in found
    ]
    table(["Titular", "Espécie", "Nível", "Validade", "SHA-256"], rows, title=title)


def _as_json(root: trust.Root, settings: Settings) -> dict[str, object]:
    return {
        "subject": root.subject,
        "kind": root.kind,
        "root": root.self_signed,
        "valid_from": root.valid_from.isoformat(),
        "valid_to": root.valid_to.isoformat(),
        "expired": root.valid_to < settings.today,
        "sha256": root.sha256,
    }
