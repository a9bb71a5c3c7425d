"""`lastro user`: who may log in to the pages."""

from __future__ import annotations

import os

import click

from lastro.cli.common import CNPJ, Settings, say_json, shared_options, table
from lastro.errors import LastroError

_ROLES = (
    *("entity_preparer", "entity_authoriser", "verifier", "company", "operator", "recycler", "agency"),
    *("fee_staff", "cmrr", "committee", "gap", "ministry", "accountant", "admin"),
)
"""The roles of the pages, whose module loads a web framework that the other verbs never need."""


@click.group("user")
def command() -> None:
    """Pessoas que entram nas páginas: acrescentar e listar."""


@command.command("add")
@click.argument("email")
@click.option("--name", required=True, help="Nome da pessoa.")
@click.option(
    "--role",
    required=True,
    type=click.Choice(_ROLES),
    help="Papel.",
)
@click.option("--party", "parties", type=CNPJ, multiple=True, help="CNPJ por quem age; repita para mais.")
@shared_options
def add(settings: Settings, email: str, name: str, role: str, parties: tuple[str, ...]) -> int:
    """Acrescenta uma pessoa. A senha vem de LASTRO_PASSWORD ou é pedida; o segundo fator vem depois."""
    password = os.environ.get("LASTRO_PASSWORD") or click.prompt(
        "Senha", hide_input=True, confirmation_prompt="De novo"
    )
    from lastro.web import office
    from lastro.web.settings import Site

    with office.opened(Site(data=settings.data)):
        _add(email, password, name=name, role=role, parties=parties)
    click.echo(f"{email} pode entrar.")
    return 0


def _add(email: str, password: str, *, name: str, role: str, parties: tuple[str, ...]) -> None:
    from django.contrib.auth.password_validation import validate_password
    from django.core.exceptions import ValidationError
    from django.db import IntegrityError

    from lastro.web.models import Person
    from lastro.web.scopes import Role

    try:
        validate_password(password, Person(email=email, name=name))
        Person.objects.create_user(email, password=password, role=Role(role), name=name, parties=parties)
    except ValidationError as wrong:
        raise LastroError(" ".join(wrong.messages)) from wrong
    except IntegrityError as wrong:
        raise LastroError(f"Já há uma pessoa com o e-mail {email}.") from wrong


@command.command("list")
@shared_options
def list_people(settings: Settings) -> int:
    """Lista quem pode entrar, com o papel e por quem age."""
    from lastro.web import office
    from lastro.web.settings import Site

    with office.opened(Site(data=settings.data)):
        from lastro.web.models import Person

        people = [(p.email, p.name, p.role, p.parties, p.is_active) for p in Person.objects.order_by("email")]
    if settings.as_json:
        for email, name, role, parties, active in people:
            say_json({"email": email, "name": name, "role": role, "parties": parties, "active": active})
    else:
        table(
            ["e-mail", "nome", "papel", "age por", "entra"],
            [(e, n, r, " ".join(p) or "—", "sim" if a else "não") for e, n, r, p, a in people],
        )
    return 0
