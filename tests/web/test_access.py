"""Who may open what: every address, every role, one's own rows and other people's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from lastro.ids import masked
from lastro.web.scopes import FOR_PARTIES, ROLES, Role, Scope
from tests.web.conftest import World, browser_of, people_of
from tests.web.own_agency import of_agency
from tests.web.own_company import NOBODYS_FORM, of_company
from tests.web.own_entity import NOBODYS_PAPER, of_entities
from tests.web.own_offices import of_offices
from tests.web.own_operators import NOBODYS_QUARTER, of_operators
from tests.web.own_verifier import of_verifiers
from tests.web.routes import routes


def _patterns() -> Iterator[URLPattern]:
    for pattern in get_resolver("lastro.web.urls").url_patterns:
        if isinstance(pattern, URLResolver) and pattern.namespace == "api":
            continue  # test_api.py walks its routes, which keys open
        assert isinstance(pattern, URLPattern), "addresses stand in one flat list"
        yield pattern


def test_every_address_declares_its_scope_and_has_a_name() -> None:
    names = []
    for pattern in _patterns():
        assert isinstance(getattr(pattern.callback, "scope", None), Scope), f"{pattern} declares no scope"
        names.append(pattern.name)
    assert None not in names
    assert len(names) == len(set(names))


def test_every_scope_opens_something_and_someone_holds_it() -> None:
    used = {pattern.callback.scope for pattern in _patterns()}  # type: ignore[attr-defined]
    used |= {route.scope for route in routes()}
    held = frozenset[Scope]().union(*ROLES.values())
    assert used - held == {Scope.PUBLIC, Scope.OWN}
    assert held <= used
    assert set(ROLES) == set(Role)


def test_who_prepares_never_authorises() -> None:
    for scopes in ROLES.values():
        assert not {Scope.CERTIFICATE_PREPARE, Scope.CERTIFICATE_AUTHORISE} <= scopes


_ELSEWHERE = (
    *("other_preparer", "other_authoriser", "stray_verifier"),
    *("other_company", "other_operator", "other_recycler"),
)
"""Who has the right roles for somebody else: nothing that `_own` names is theirs."""

_NOBODYS = frozenset({"report-cell", "my-paper", *NOBODYS_QUARTER, *NOBODYS_PAPER, *NOBODYS_FORM})
"""Addresses whose parts name nobody's row (a cell of any report, a year): others see their own there."""

_NOTHING_THERE = frozenset(
    {"report-file", "statement-file", "key-revoke", "admin-key-revoke", "company-receipt"}
)
"""Addresses for which `_own` names something that nobody has yet; other tests open those."""


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def _address(pattern: URLPattern, world: World, own: dict[str, Any]) -> str:
    """The address of a page about things that the first entity and its company really have."""
    wanted = pattern.pattern.converters
    return reverse(str(pattern.name), kwargs={name: own[str(pattern.name)][name] for name in wanted})


def _issued(world: World) -> str:
    """A certificate of the first entity for its adherent, signed."""
    from lastro.ids import Material
    from lastro.units import Mass, Money
    from lastro.web import jobs, office
    from lastro.web.models import Person
    from lastro.web.readings import certificates

    first = world.entities[0]
    identity = f"{first}-matriz"
    certificates.book().prepare(
        identity, entity=first, holder=world.member(first), year=2026, norm="mt/decreto_1455_2025",
        materials=[Material.GLASS], mass=Mass(1_000_000), investment=Money(1), by="x", on=office.today(),
    )  # fmt: skip
    authoriser = Person.objects.get(email="authoriser@exemplo.org")
    browser_of(authoriser).post(f"/entidade/certificados/{identity}/autorizar/")
    while certificates.of_entity(first)[0].certificate.issued_on is None and jobs.work_on_one():
        pass
    return identity


def _cell() -> str:
    """A number that the first entity's annual report shows."""
    from lastro.web.models import Person

    preparer = Person.objects.get(email="preparer@exemplo.org")
    shown = browser_of(preparer).get("/entidade/relatorio/").content.decode()
    found = re.search(r'href="/entidade/relatorio/numero/([^"]+)/\?ano', shown)
    assert found is not None
    return found[1]


def _own(world: World) -> dict[str, Any]:
    """For each address with parts, the parts that name something of the first entity (or its company)."""
    from lastro.custody.port import For
    from lastro.web import jobs
    from lastro.web.models import Delegation, Person
    from lastro.web.readings import contests, documents

    first = world.entities[0]
    named = {"name": _issued(world)}
    row = documents.rows(For(first, "mt/decreto_1455_2025", 2026))[0]
    person = Person.objects.get(email="preparer@exemplo.org")
    job = jobs.ask("upload", party=first, person=person, title="x", asked={"norm": "n", "year": 2026})
    contest = contests.contests([first])[0]
    delegated = {"pk": Delegation.objects.get(to__email="accountant@exemplo.org").pk}
    verified = {"entity": first, "year": 2026}
    return {
        "document": {"sha256": row.sha256, "ordinal": row.ordinal},
        "upload": {"job": job.pk},
        "upload-progress": {"job": job.pk},
        **dict.fromkeys(
            (
                *("certificate", "certificate-authorise", "certificate-refuse", "certificate-progress"),
                *("certificate-paper", "company-certificate", "company-paper"),
                *("company-use", "company-receipt", "offer-sell", "certificate-withdraw"),
            ),
            named,
        ),
        "report-file": {"digest": "0" * 64},
        "report-cell": {"cell": _cell()},
        "contest": {"key": contest.key, "line": contest.line},
        "homologate": verified,
        "statement": verified,
        "statement-file": {**verified, "digest": "0" * 64},
        "person-change": {"pk": Person.objects.get(email="admin@exemplo.org").pk},
        "norm": {"place": "mt", "name": "decreto_1455_2025"},
        "norm-file": {"place": "mt", "name": "decreto_1455_2025", "what": "valores", "kind": "csv"},
        "norms-file": {"what": "normas", "kind": "json"},
        "delegation-revoke": delegated,
        "delegation-give-back": delegated,
        "hook-end": {"pk": 2**30},
        "job-retry": {"job": job.pk},
        "admin-key-revoke": {"pk": 2**30},
        "invitation": {"pk": 2**30, "token": "x"},
        "trail-of": {"kind": "certificate", "record": named["name"]},
        "passkey-forget": {"pk": 2**30},
        "key-revoke": {"pk": 2**30},
        **of_agency(world),
        **of_offices(world),
        **of_company(world),
        **of_entities(world),
        **of_operators(world),
        **of_verifiers(world),
        "certificate-public": {"number": "CRE-2026-0000-0000-0000-0000-0000"},
    }


_BROWSERS: dict[tuple[int, int], Any] = {}
"""One browser of each person for the whole matrix."""


def _answers(person: Any, address: str, *methods: str) -> set[int]:
    """What someone gets there; forms that were only looked at (303) and other methods (405) say nothing."""
    if (id(person), person.pk) not in _BROWSERS:
        _BROWSERS[id(person), person.pk] = browser_of(person)
    browser = _BROWSERS[id(person), person.pk]
    return {getattr(browser, method)(address).status_code for method in methods} - {303, 405}


def _may(person: Any) -> frozenset[Scope]:
    """What someone may do where they begin: for their first establishment, or for none."""
    if person.parties:
        return frozenset(person.scopes_at(person.parties[0]))
    return frozenset() if Role(person.role) in FOR_PARTIES | {Role.ACCOUNTANT} else frozenset(person.scopes)


def _each(people: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """One person of each role and party: who may do the same is asked once."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for name, person in people.items():
        if (person.role, tuple(person.parties)) not in seen:
            seen.add((person.role, tuple(person.parties)))
            yield name, person


def _is_open(needed: Scope) -> bool:
    return needed in (Scope.PUBLIC, Scope.OWN)


def test_every_role_is_in_the_crowd(crowd: tuple[World, dict[str, Any]]) -> None:
    """The matrix below covers a role only if somebody has it, and somebody for other parties."""
    found = {Role(person.role) for person in crowd[1].values()}
    assert found == set(Role)
    for role in found:
        mine = [p for p in crowd[1].values() if p.role == role and p.parties]
        assert role not in FOR_PARTIES or len({tuple(p.parties) for p in mine}) > 1, role


def test_each_role_opens_its_own_pages_and_no_other(crowd: tuple[World, dict[str, Any]]) -> None:
    """GET on every address by everybody: closed to strangers and to the wrong role, open to the right one."""
    world, people = crowd
    own = _own(world)
    for pattern in _patterns():
        needed: Scope = pattern.callback.scope  # type: ignore[attr-defined]
        address = _address(pattern, world, own)
        if needed is not Scope.PUBLIC:
            stranger = browser_of().get(address)
            assert stranger.status_code in (302, 303), address
            if stranger.status_code == 302:
                assert stranger["Location"].startswith("/entrar/"), address
        for name, person in _each(people):
            found = _answers(person, address, "get")
            allowed = {200, 302, 404} if needed in _may(person) else {403}
            assert _is_open(needed) or found <= allowed, (address, name, found)


def test_what_an_address_names_is_there_for_whose_it_is(crowd: tuple[World, dict[str, Any]]) -> None:
    """Somebody finds every row of `_own`: otherwise the 404 of others would prove nothing."""
    world, people = crowd
    own = _own(world)
    for pattern in _patterns():
        needed: Scope = pattern.callback.scope  # type: ignore[attr-defined]
        if not pattern.pattern.converters or pattern.name in _NOTHING_THERE or _is_open(needed):
            continue
        holders = [person for _, person in _each(people) if needed in _may(person)]
        found = set().union(*(_answers(person, _address(pattern, world, own), "get") for person in holders))
        assert found != {404}, f"{pattern.name}: nobody finds it; let _own name something that is there"


def test_posts_are_closed_to_the_wrong_role_too(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    own = _own(world)
    for pattern in _patterns():
        needed: Scope = pattern.callback.scope  # type: ignore[attr-defined]
        if _is_open(needed):
            continue
        for name, person in _each(people):
            if needed not in _may(person):
                found = _answers(person, _address(pattern, world, own), "post")
                assert found <= {403}, (pattern.name, name, found)


def test_other_peoples_rows_are_not_found(crowd: tuple[World, dict[str, Any]]) -> None:
    """Whoever has the right role for another entity, company or verifier gets 404, by GET and by POST."""
    world, people = crowd
    own = _own(world)
    seen = 0
    for pattern in _patterns():
        needed: Scope = pattern.callback.scope  # type: ignore[attr-defined]
        if not pattern.pattern.converters or pattern.name in _NOBODYS or _is_open(needed):
            continue
        for name in _ELSEWHERE:
            if needed in _may(people[name]):
                found = _answers(people[name], _address(pattern, world, own), "get", "post")
                assert found <= {404}, (pattern.name, name, found)
                seen += 1
    assert seen >= 12


def test_a_list_holds_nothing_of_another_entity(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    mine, theirs = world.entities[0], world.entities[1]
    from lastro.custody.port import For
    from lastro.web.readings import documents

    own = {r.key for r in documents.rows(For(mine, "mt/decreto_1455_2025", 2026))}
    strange = [
        r for r in documents.rows(For(theirs, "mt/decreto_1455_2025", 2026)) if r.key and r.key not in own
    ]
    browser = browser_of(people["preparer"])
    for page in range(1, 20):
        text = browser.get("/entidade/documentos/", {"pagina": page, "ano": 2026}).content.decode()
        assert not [r.file for r in strange if r.sha256 in text]
    for row in strange[:20]:
        address = reverse("document", args=[row.sha256, row.ordinal])
        assert browser.get(address).status_code == 404


def test_a_party_that_is_not_ones_own_cannot_be_chosen(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    browser = browser_of(people["preparer"])
    assert browser.post("/parte/", {"party": world.entities[1]}).status_code == 404
    session = browser.session
    session["lastro-party"] = world.entities[1]  # even a session that was tampered with
    session.save()
    text = browser.get("/entidade/").content.decode()
    assert masked(world.entities[1]) not in text
    assert masked(world.entities[0]) in text


def test_who_is_bound_to_nobody_sees_nothing(crowd: tuple[World, dict[str, Any]]) -> None:
    assert browser_of(crowd[1]["unbound"]).get("/entidade/").status_code == 403


def test_a_role_that_moves_mass_needs_the_second_factor(crowd: tuple[World, dict[str, Any]]) -> None:
    for name in ("preparer", "authoriser", "verifier", "agency", "admin"):
        answer = browser_of(crowd[1][name], verified=False).get("/entidade/")
        assert answer.status_code == 302, name
        assert answer["Location"].startswith("/entrar/codigo/"), name


def test_a_company_that_set_up_a_second_factor_is_asked_for_it(crowd: tuple[World, dict[str, Any]]) -> None:
    from django_otp.plugins.otp_totp.models import TOTPDevice

    company = crowd[1]["other_company"]
    TOTPDevice.objects.filter(user=company).delete()
    assert browser_of(company, verified=False).get("/empresa/").status_code == 200
    TOTPDevice.objects.create(user=company, name="telefone", confirmed=True)
    assert browser_of(company, verified=False).get("/empresa/").status_code == 302


def test_what_moves_mass_asks_a_company_for_the_second_factor(crowd: tuple[World, dict[str, Any]]) -> None:
    """Looking takes a password; using a certificate takes a code too, also for who has set up none yet."""
    from django_otp.plugins.otp_totp.models import TOTPDevice

    company = crowd[1]["company"]
    TOTPDevice.objects.filter(user=company).delete()
    browser = browser_of(company, verified=False)
    assert browser.get("/empresa/").status_code == 200
    for ask in (browser.get, browser.post):
        answer = ask("/empresa/certificados/qualquer/usar/")
        assert (answer.status_code, answer["Location"][:16]) == (302, "/entrar/codigo/?")


def test_the_webs_role_in_the_database_changes_no_evidence(world: World) -> None:
    """The tables of the web may be changed; those of the ledger and of custody may not."""
    import psycopg

    with psycopg.connect(world.base.conninfo()) as db:
        db.execute("update lastro.web_job set step = step")
        db.rollback()
        for table in ("entry", "link", "verdict", "evidence_file", "certificate_paper", "balance"):
            with pytest.raises(psycopg.errors.Error, match=r"permission|permissão|only ever added"):
                db.execute(f"delete from lastro.{table}")  # type: ignore[call-overload]
            db.rollback()
