"""Who may open what: every address, every role, one's own rows and other people's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from lastro.ids import masked
from lastro.web.scopes import ROLES, Role, Scope
from tests.web.conftest import World, browser_of, people_of
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


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def _address(pattern: URLPattern, world: World, own: dict[str, Any]) -> str:
    """The address of a page about things that the first entity and its company really have."""
    wanted = pattern.pattern.converters
    return reverse(str(pattern.name), kwargs={name: own[str(pattern.name)][name] for name in wanted})


def _own(world: World) -> dict[str, Any]:
    """For each address with parts, the parts that name something of the first entity (or its company)."""
    from lastro.custody.port import For
    from lastro.ids import Material
    from lastro.units import Mass, Money
    from lastro.web import jobs, office
    from lastro.web.models import Person
    from lastro.web.readings import certificates, contests, documents

    first = world.entities[0]
    row = documents.rows(For(first, "mt/decreto_1455_2025", 2026))[0]
    person = Person.objects.get(email="preparer@exemplo.org")
    job = jobs.ask("upload", party=first, person=person, title="x", asked={"norm": "n", "year": 2026})
    contest = contests.contests([first])[0]
    book = certificates.book()
    identity = f"{first}-matriz"
    book.prepare(
        identity, entity=first, holder=world.member(first), year=2026, norm="mt/decreto_1455_2025",
        materials=[Material.GLASS], mass=Mass(1_000_000), investment=Money(1), by="x", on=office.today(),
    )  # fmt: skip
    named = {"name": identity}
    verified = {"entity": first, "year": 2026}
    return {
        "document": {"sha256": row.sha256, "ordinal": row.ordinal},
        "upload": {"job": job.pk},
        "upload-progress": {"job": job.pk},
        **dict.fromkeys(
            (
                *("certificate", "certificate-authorise", "certificate-refuse", "certificate-progress"),
                *("certificate-paper", "company-certificate", "company-paper"),
                *("company-use", "company-receipt"),
            ),
            named,
        ),
        "report-file": {"digest": "0" * 64},
        "report-cell": {"cell": "recovered/glass/total"},
        "contest": {"key": contest.key, "line": contest.line},
        "homologate": verified,
        "statement": verified,
        "statement-file": {**verified, "digest": "0" * 64},
        "person-change": {"pk": Person.objects.get(email="admin@exemplo.org").pk},
        "norm": {"place": "mt", "name": "decreto_1455_2025"},
        "norm-file": {"place": "mt", "name": "decreto_1455_2025", "what": "valores", "kind": "csv"},
        "norms-file": {"what": "normas", "kind": "json"},
        "key-revoke": {"pk": 2**30},
        "certificate-public": {"number": "CRE-2026-0000-0000-0000-0000-0000"},
    }


def test_each_role_opens_its_own_pages_and_no_other(crowd: tuple[World, dict[str, Any]]) -> None:
    """GET on every address: closed to strangers and to the wrong role, open to the right one."""
    world, people = crowd
    own = _own(world)
    for pattern in _patterns():
        needed: Scope = pattern.callback.scope  # type: ignore[attr-defined]
        address = _address(pattern, world, own)
        stranger = browser_of().get(address)
        if needed is not Scope.PUBLIC:
            assert stranger.status_code in (302, 303), address
            if stranger.status_code == 302:
                assert stranger["Location"].startswith("/entrar/"), address
        for name in ("preparer", "authoriser", "verifier", "company", "agency", "admin"):
            person = people[name]
            status = browser_of(person).get(address).status_code
            if status == 303 or needed in (Scope.PUBLIC, Scope.OWN):
                continue
            expected = (200, 302, 404) if needed in person.scopes else (403,)
            assert status in expected, (address, name, status)


def test_posts_are_closed_to_the_wrong_role_too(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    own = _own(world)
    for pattern in _patterns():
        needed: Scope = pattern.callback.scope  # type: ignore[attr-defined]
        if needed in (Scope.PUBLIC, Scope.OWN):
            continue
        for name in ("preparer", "authoriser", "verifier", "company", "agency", "admin"):
            if needed not in people[name].scopes:
                status = browser_of(people[name]).post(_address(pattern, world, own)).status_code
                assert status in (403, 405), (pattern.name, name, status)


def test_other_peoples_rows_are_not_found(crowd: tuple[World, dict[str, Any]]) -> None:
    """Whoever has the right role for another entity, company or verifier gets 404, by GET and by POST."""
    world, people = crowd
    own = _own(world)
    others = {
        Scope.ENTITY_READ: "other_preparer",
        Scope.CERTIFICATE_AUTHORISE: "other_authoriser",
        Scope.REPORT_SUBMIT: "other_authoriser",
        Scope.COMPANY_READ: "other_company",
        Scope.CERTIFICATE_USE: "other_company",
        Scope.VERIFIER_READ: "stray_verifier",
        Scope.VERIFIER_HOMOLOGATE: "stray_verifier",
    }
    seen = 0
    for pattern in _patterns():
        needed: Scope = pattern.callback.scope  # type: ignore[attr-defined]
        if needed not in others or not pattern.pattern.converters or pattern.name == "report-cell":
            continue
        address = _address(pattern, world, own)
        browser = browser_of(people[others[needed]])
        statuses = {browser.get(address).status_code, browser.post(address).status_code} - {303, 405}
        assert statuses == {404}, (address, statuses)
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
