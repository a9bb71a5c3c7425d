"""`lastro audit`: counts everything again and says what it checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lastro.cli.common import Settings, say_json, shared_options, table
from lastro.units import how_many, portuguese

if TYPE_CHECKING:
    from lastro.ledger.audit import Check


@click.command("audit", help="Reconta tudo a partir dos lançamentos e diz o que conferiu.")
@shared_options
@click.pass_context
def command(ctx: click.Context, settings: Settings) -> None:
    """Recount the ledger; exit 1 if anything does not hold."""
    from lastro.stores.postgres import Store, auditing

    with Store.open(settings.data) as store:
        checks = auditing.run(store)
    (_as_json if settings.as_json else _as_text)(checks)
    if any(check.failed for check in checks):
        ctx.exit(1)


def _as_json(checks: list[Check]) -> None:
    say_json(
        {
            "ok": not any(check.failed for check in checks),
            "checks": [
                {"check": c.name, "counted": c.counted, "failed": c.failed, "failures": c.failures}
                for c in checks
            ],
        }
    )


def _as_text(checks: list[Check]) -> None:
    rows = [
        (
            c.label,
            portuguese(str(c.counted)),
            "confere" if not c.failed else how_many(c.failed, "falha", "falhas"),
        )
        for c in checks
    ]
    table(("Conferência", "Conferidos", "Resultado"), rows, right=(1,))
    for check in checks:
        for text in check.failures:
            click.echo(f"  ✗ {text}")
        if check.failed > len(check.failures):
            click.echo(f"  … e mais {portuguese(str(check.failed - len(check.failures)))} em «{check.label}»")
    failed = sum(check.failed for check in checks)
    click.echo(
        "Tudo confere." if not failed else f"{how_many(failed, 'falha encontrada', 'falhas encontradas')}."
    )
