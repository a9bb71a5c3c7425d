"""What tests of the pages ask for: a database with a small world in it, people of every role, browsers.

Django is set up while tests are collected, before anything else sets it up for migrations alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from lastro.web.settings import Site, configure
from tests.conftest import Base, fresh_base

NORM, YEAR, TODAY = "mt/decreto_1455_2025", 2026, date(2027, 3, 15)
PASSWORD = "senha-de-ensaio-1455"
UNCHECKED = {"reason": "Nada foi sorteado neste ensaio.", "sure": "on"}
"""What a verifier says to issue its statement though nobody looked at every item by hand."""

configure("dbname=nobody", Site(data=Path(tempfile.gettempdir()), secret="s" * 60))


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Thirty people a test: each password is made with one round, and read by the hasher of every day."""
    from unittest import mock

    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    with mock.patch.object(PBKDF2PasswordHasher, "iterations", 1):
        yield


@pytest.fixture(scope="session")
def web_server(pg_server: Any) -> Any:
    """The server of all tests, whose databases also have the tables of the web."""
    from lastro.stores.postgres.migrate import migrate_others

    migrate_others(pg_server.conninfo("lastro_owner"))
    return pg_server


@dataclass
class World:
    """A small world in a database: who is who, and where its files stand."""

    base: Base
    folder: Path
    data: Path
    registry: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def entities(self) -> list[str]:
        return sorted(folder.name for folder in (self.folder / "notas").iterdir())

    @property
    def companies(self) -> list[str]:
        return sorted(p.stem for p in (self.folder / "declaracoes").iterdir() if p.stem != "quebrada")

    def establishment(self, company: str) -> str:
        return min(
            str(row["cnpj"]) for row in self.registry["parties"] if str(row["cnpj"]).startswith(company)
        )

    def verifier(self, entity: str) -> str:
        return next(str(row["verifier"]) for row in self.registry["contracts"] if row["entity"] == entity)

    def member(self, entity: str) -> str:
        """An establishment that adheres to an entity, of a company that declared."""
        named = {str(r["establishment"]) for r in self.registry["members"] if r["entity"] == entity}
        return min(one for one in named if one[:8] in self.companies)

    def operators(self, entity: str) -> list[str]:
        """The operators that an entity vetted, in order."""
        return sorted({str(row["operator"]) for row in self.registry["vettings"] if row["entity"] == entity})

    @property
    def recyclers(self) -> list[str]:
        return sorted({str(row["cnpj"]) for row in self.registry["roles"] if row["role"] == "recycler"})

    @property
    def env(self) -> dict[str, str]:
        urls = {"DATABASE_URL": self.base.url(), "LASTRO_OWNER_URL": self.base.url("lastro_owner")}
        return {**os.environ, **urls, "LASTRO_DATA": str(self.data)}

    def type(self, *words: str | Path) -> None:
        """Type one verb of the command line; a refusal is as good as a success here."""
        code = "import sys; from lastro.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", code, "--data", str(self.data), "--today", TODAY.isoformat()]
        done = subprocess.run(
            [*command, *map(str, words)], env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), done.stderr


@pytest.fixture(scope="session")
def _seeded(web_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The world that every test gets a copy of: entered, homologated, declared, partly retired."""
    folder, data = tmp_path_factory.mktemp("mundo"), tmp_path_factory.mktemp("dados")
    command = [sys.executable, "-m", "lastro.sample", str(folder), "--seed", "11", "--notes", "90"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with fresh_base(web_server) as base:
        world = World(base, folder, data, json.loads((folder / "cadastro.json").read_text("utf-8")))
        for root in sorted((folder / "trust").glob("*.pem")):
            world.type("trust", "add", root, "--kind", "test")
        world.type("registry", "load", folder / "cadastro.json")
        world.type("law", "load", NORM, "targets", folder / "metas_ilustrativas.csv")
        for entity in world.entities:
            words = ("--entity", entity, "--norm", NORM, "--year", str(YEAR), "--workers", "1")
            world.type("enter", folder / "notas" / entity, *words)
        first = world.entities[0]
        world.type("homologate", "--verifier", world.verifier(first), "--entity", first, "--year", str(YEAR))
        for company in world.companies:
            (sheet,) = (folder / "declaracoes").glob(f"{company}.*")
            world.type("declare", sheet, "--company", world.establishment(company))
        yield world


@pytest.fixture
def world(_seeded: World, web_server: Any) -> Iterator[World]:
    """A copy of the seeded world for one test, which the pages of this process work with."""
    yield from _copy(_seeded, web_server)


@pytest.fixture(scope="module")
def module_world(_seeded: World, web_server: Any) -> Iterator[World]:
    """A copy for all tests of a module that leave it as it is."""
    yield from _copy(_seeded, web_server)


def _copy(seeded: World, server: Any) -> Iterator[World]:
    with fresh_base(server, template=seeded.base.name) as base:
        world = World(base, seeded.folder, seeded.data, seeded.registry)
        with _pages_of(world):
            yield world


class _pages_of:  # noqa: N801 (used as a context)
    """The pages of this process stand on a world's database and day."""

    def __init__(self, world: World) -> None:
        self.world = world

    def __enter__(self) -> None:
        from django.conf import settings
        from django.core.cache import cache
        from django.db import connections
        from django.db.backends.postgresql.base import DatabaseWrapper

        from lastro.stores.postgres import Store
        from lastro.stores.postgres.migrate import django_database
        from lastro.web import office

        cache.clear()
        self.before = (connections["default"], settings.LASTRO, list(office._stores))
        self.connection = DatabaseWrapper(django_database(self.world.base.conninfo()), "default")
        connections["default"] = self.connection
        settings.LASTRO = Site(data=self.world.data, today=TODAY, secret="s" * 60)
        self.store = Store(self.world.base.conninfo())
        office.use(self.store)

    def __exit__(self, *_: object) -> None:
        from django.conf import settings
        from django.db import connections

        from lastro.web import office

        self.connection.close()
        self.store.close()
        connections["default"], settings.LASTRO, office._stores[:] = self.before


@pytest.fixture
def people(world: World) -> dict[str, Any]:
    """One person of each role; `other_*` work for the second entity and another company."""
    return people_of(world)


def people_of(world: World) -> dict[str, Any]:
    from lastro.web.models import Person
    from lastro.web.scopes import Role

    first, second = world.entities[0], world.entities[1]
    mine = world.member(first)
    operators, recyclers = world.operators(first), world.recyclers
    theirs = next(c for c in world.companies if c != mine[:8])
    made = {
        "preparer": (Role.ENTITY_PREPARER, [first]),
        "second_preparer": (Role.ENTITY_PREPARER, [first]),
        "third_preparer": (Role.ENTITY_PREPARER, [first]),
        "fourth_preparer": (Role.ENTITY_PREPARER, [first]),
        "authoriser": (Role.ENTITY_AUTHORISER, [first]),
        "other_preparer": (Role.ENTITY_PREPARER, [second]),
        "other_authoriser": (Role.ENTITY_AUTHORISER, [second]),
        "verifier": (Role.VERIFIER, [world.verifier(first)]),
        "stray_verifier": (Role.VERIFIER, [world.establishment(theirs)]),
        "company": (Role.COMPANY, [mine]),
        "second_company": (Role.COMPANY, [mine]),
        "other_company": (Role.COMPANY, [world.establishment(theirs)]),
        "agency": (Role.AGENCY, []),
        "second_agency": (Role.AGENCY, []),
        "operator": (Role.OPERATOR, [operators[0]]),
        "other_operator": (Role.OPERATOR, [operators[1]]),
        "recycler": (Role.RECYCLER, [recyclers[0]]),
        "other_recycler": (Role.RECYCLER, [recyclers[1]]),
        "fee_staff": (Role.FEE_STAFF, []),
        "cmrr": (Role.CMRR, []),
        "committee": (Role.COMMITTEE, []),
        "second_committee": (Role.COMMITTEE, []),
        "gap": (Role.GAP, []),
        "ministry": (Role.MINISTRY, []),
        "accountant": (Role.ACCOUNTANT, []),
        "entity_accountant": (Role.ACCOUNTANT, []),
        "late_accountant": (Role.ACCOUNTANT, []),
        "admin": (Role.ADMIN, []),
        "unbound": (Role.ENTITY_PREPARER, []),
    }
    people = {
        name: Person.objects.create_user(
            f"{name}@exemplo.org", password=PASSWORD, role=role, name=name.title(), parties=parties
        )
        for name, (role, parties) in made.items()
    }
    _delegate(people)
    return people


def _delegate(people: Mapping[str, Any]) -> None:
    """A company lets one accountant look, an entity another; what was let to the third is over."""
    from lastro.web import delegations
    from lastro.web.scopes import Scope

    looking = [Scope.COMPANY_READ, Scope.DEADLINES_READ]
    reading = [Scope.ENTITY_READ, Scope.ENTITY_UPLOAD]
    for giver, taker, scopes, given_on in (
        ("company", "accountant", looking, TODAY),
        ("preparer", "entity_accountant", reading, TODAY),
        ("company", "late_accountant", looking, TODAY - timedelta(days=90)),
    ):
        one = delegations.give(
            people[giver],
            party=people[giver].parties[0],
            email=people[taker].email,
            scopes=scopes,
            until=given_on + timedelta(days=60),
            today=given_on,
        )
        assert not isinstance(one, str), one


def browser_of(person: Any = None, *, verified: bool = True) -> Any:
    """Django's test browser of a person who came in, with the second factor unless told otherwise."""
    from django.test import Client
    from django_otp import DEVICE_ID_SESSION_KEY
    from django_otp.plugins.otp_totp.models import TOTPDevice

    browser = Client(SERVER_NAME="localhost")
    if person is None:
        return browser
    browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    if verified:
        device, _ = TOTPDevice.objects.get_or_create(user=person, name="telefone")
        session = browser.session
        session[DEVICE_ID_SESSION_KEY] = device.persistent_id
        session.save()
    return browser
