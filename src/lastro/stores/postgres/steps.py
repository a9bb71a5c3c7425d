"""A migration read from the `.sql` file beside it."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

_FOLDER = Path(__file__).parent / "migrations"


def step(name: str, *, after: str | None = None) -> type[migrations.Migration]:
    """The migration that runs `migrations/<name>.sql` in one transaction; there is no way back."""

    class Migration(migrations.Migration):
        dependencies = [("store", after)] if after else []
        operations = [migrations.RunSQL([_FOLDER.joinpath(f"{name}.sql").read_text("utf-8")])]  # noqa: RUF012

    return Migration
