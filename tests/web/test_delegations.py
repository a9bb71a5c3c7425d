"""Letting an accountant act: what it opens, for whom, until when, and that it ends at once."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from lastro.ids import masked
from lastro.web import delegations
from lastro.web.models import Binding, Delegation, Person
from lastro.web.scopes import (
    DELEGABLE,
    DELEGATES,
    FOR_PARTIES,
    NEVER_DELEGATED,
    ROLES,
    TWO_HANDS,
    Role,
    Scope,
)
from tests.web.conftest import TODAY, World, browser_of


def _give(by: Person, to: Person, *scopes: Scope, days: int = 30) -> Delegation | str:
    return delegations.give(
        by, party=by.bound[0], email=to.email, scopes=scopes, until=TODAY + timedelta(days=days), today=TODAY
    )


def _again(person: Person) -> Person:
    return Person.objects.get(pk=person.pk)


def test_no_role_holds_both_halves_of_a_move() -> None:
    """Provisions §7: who homologates is not the entity, who prepares does not authorise, …"""
    for role, scopes in ROLES.items():
        for rule in TWO_HANDS:
            assert not rule.broken_by(scopes, scopes), (role, rule.why)
    for rule in TWO_HANDS:
        for half in (rule.first, rule.second):
            assert any(half & scopes for scopes in ROLES.values()), f"nobody does: {rule.why}"


def test_every_right_of_who_acts_for_parties_is_passed_on_in_words_or_never() -> None:
    held = frozenset[Scope]().union(*(ROLES[role] for role in FOR_PARTIES))
    assert not DELEGABLE.keys() & NEVER_DELEGATED
    assert held <= DELEGABLE.keys() | NEVER_DELEGATED, held - DELEGABLE.keys() - NEVER_DELEGATED
    assert not ROLES[Role.ACCOUNTANT]


def test_what_is_delegated_opens_and_nothing_else(world: World, people: dict[str, Any]) -> None:
    accountant, company = people["accountant"], people["company"]
    browser = browser_of(accountant)
    shown = browser.get("/empresa/")
    assert shown.status_code == 200
    assert "por delegação, até" in shown.content.decode()
    assert browser.get("/prazos/").status_code == 200
    assert browser.get("/chaves/").status_code == 403, "keys are never passed on"
    assert browser.get("/delegacoes/").status_code == 403, "nor are delegations"
    assert browser.get("/empresa/certificados/x/usar/").status_code == 403, "it was not delegated"
    assert browser.get("/entidade/").status_code == 403
    other = people["other_company"].bound[0]
    assert browser.post("/parte/", {"party": other}).status_code == 404
    assert masked(company.bound[0]) in browser.get("/conta/").content.decode()


def test_it_ends_at_once(world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Revoked, over, given back, the giver gone, unbound or in another role: the next request fails."""
    company, accountant = people["company"], people["accountant"]
    browser, one = browser_of(accountant), Delegation.objects.get(to=accountant)
    mine = browser_of(company)

    def opens() -> bool:
        return bool(browser.get("/empresa/").status_code == 200)

    assert opens()
    assert browser_of(people["other_company"]).post(f"/delegacoes/{one.pk}/revogar/").status_code == 404
    assert opens()
    mine.post(f"/delegacoes/{one.pk}/revogar/")
    assert not opens()
    assert Delegation.objects.get(pk=one.pk).revoked_by == company.email
    Delegation.objects.filter(pk=one.pk).update(revoked_at=None)
    assert opens()
    Delegation.objects.filter(pk=one.pk).update(until=TODAY - timedelta(days=1))
    assert not opens()
    Delegation.objects.filter(pk=one.pk).update(until=TODAY)
    assert opens()
    Person.objects.filter(pk=company.pk).update(is_active=False)
    assert not opens()
    Person.objects.filter(pk=company.pk).update(is_active=True, role=Role.OPERATOR.value)
    assert not opens(), "what the giver lost, the receiver lost"
    Person.objects.filter(pk=company.pk).update(role=Role.COMPANY.value)
    Binding.objects.filter(person=company).delete()
    assert not opens()
    Binding.objects.create(person=company, party=one.party)
    assert opens()
    browser.post(f"/conta/delegacoes/{one.pk}/devolver/")
    assert not opens()


def test_a_session_that_was_acting_falls_back_to_what_is_left(world: World, people: dict[str, Any]) -> None:
    accountant, other = people["accountant"], people["other_company"]
    given = _give(other, accountant, Scope.COMPANY_READ)
    assert isinstance(given, Delegation)
    browser = browser_of(accountant)
    browser.post("/parte/", {"party": other.bound[0]})
    assert masked(other.bound[0]) in browser.get("/conta/").content.decode()
    delegations.revoke(given, by=other)
    text = browser.get("/empresa/").content.decode()
    assert masked(other.bound[0]) not in text
    assert masked(people["company"].bound[0]) in text


def test_two_steps_of_a_move_never_come_into_one_pair_of_hands(world: World, people: dict[str, Any]) -> None:
    preparer, authoriser = people["preparer"], people["authoriser"]
    fresh = people["late_accountant"]
    assert isinstance(_give(preparer, fresh, Scope.CERTIFICATE_PREPARE), Delegation)
    assert "duas mãos" in str(_give(authoriser, _again(fresh), Scope.CERTIFICATE_AUTHORISE))
    assert "duas mãos" in str(_give(authoriser, people["second_preparer"], Scope.CERTIFICATE_AUTHORISE))
    assert "duas mãos" in str(_give(people["company"], people["entity_accountant"], Scope.COMPANY_READ))
    elsewhere = _give(people["other_authoriser"], _again(fresh), Scope.CERTIFICATE_AUTHORISE)
    assert isinstance(elsewhere, Delegation), "of another entity it is another move"
    # written past the rules (a role that changed, an older version): neither half opens
    party = preparer.bound[0]
    Delegation.objects.create(
        party=party, by=authoriser, to=fresh, scopes=[Scope.CERTIFICATE_AUTHORISE.value], until=TODAY
    )
    held = _again(fresh).scopes_at(party)
    assert not held & {Scope.CERTIFICATE_PREPARE, Scope.CERTIFICATE_AUTHORISE}
    assert Scope.CERTIFICATE_AUTHORISE in _again(fresh).scopes_at(elsewhere.party)


def test_who_judges_acts_for_nobody(world: World, people: dict[str, Any]) -> None:
    for name in ("agency", "verifier", "admin", "committee", "cmrr", "gap", "ministry", "fee_staff"):
        assert Role(people[name].role) not in DELEGATES
        assert "não age por quem é julgado" in str(_give(people["company"], people[name], Scope.COMPANY_READ))
    Delegation.objects.create(
        party=people["company"].bound[0], by=people["company"], to=people["agency"],
        scopes=[Scope.COMPANY_READ.value], until=TODAY,
    )  # fmt: skip
    assert _again(people["agency"]).parties == []


def test_what_a_form_gets_wrong_is_said(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["company"])
    right = {
        "email": people["late_accountant"].email,
        "alcance": ["company.read"],
        "ate": f"{TODAY:%Y-%m-%d}",
    }
    before = Delegation.objects.count()
    for wrong, said in (
        ({"email": "ninguem@exemplo.org"}, "Ninguém com este e-mail"),
        ({"email": people["company"].email}, "delegue a outra pessoa"),
        ({"alcance": []}, "Marque ao menos uma coisa"),
        ({"alcance": ["keys.manage", "certificate.authorise"]}, "Marque ao menos uma coisa"),
        ({"ate": "amanhã"}, "até que dia"),
        ({"ate": f"{TODAY - timedelta(days=1):%Y-%m-%d}"}, "até que dia"),
        ({"ate": f"{TODAY + timedelta(days=400):%Y-%m-%d}"}, "até que dia"),
    ):
        answer = browser.post("/delegacoes/", {**right, **wrong})
        assert (answer.status_code, said in answer.content.decode()) == (400, True), (wrong, said)
    assert Delegation.objects.count() == before
    assert browser.post("/delegacoes/", {**right, "email": right["email"].upper()}).status_code == 302
    assert Delegation.objects.count() == before + 1


def test_a_delegate_is_asked_for_the_second_factor(world: World, people: dict[str, Any]) -> None:
    for name in ("accountant", "other_company"):
        assert people["company"].bound
        if name == "other_company":
            assert isinstance(_give(people["company"], people[name], Scope.COMPANY_READ), Delegation)
        answer = browser_of(people[name], verified=False).get("/empresa/")
        assert answer["Location"].startswith("/entrar/codigo/"), name


def test_a_key_is_worth_what_its_maker_may_for_that_party(world: World, people: dict[str, Any]) -> None:
    """A company's person who acts for another by delegation makes no key for it, and theirs opens no more."""
    from lastro.web.api.keys import make

    maker, other = people["other_company"], people["company"]
    assert isinstance(_give(other, maker, Scope.COMPANY_READ), Delegation)
    with pytest.raises(AssertionError, match="its maker"):
        make(
            _again(maker), party=other.bound[0], name="x", scopes=[Scope.CERTIFICATE_USE], days=1, today=TODAY
        )
    with pytest.raises(AssertionError, match="its maker"):
        make(_again(maker), party=other.bound[0], name="x", scopes=[Scope.COMPANY_READ], days=1, today=TODAY)


def test_rights_by_delegation_are_those_of_the_giver(world: World, people: dict[str, Any]) -> None:
    """Every right × every giver: what the giver's role lacks is not given, whatever was written down."""
    fresh = people["late_accountant"]
    for giver, scope in product(("company", "preparer", "authoriser", "operator"), DELEGABLE):
        Delegation.objects.filter(to=fresh).delete()
        by = people[giver]
        Delegation.objects.create(party=by.bound[0], by=by, to=fresh, scopes=[scope.value], until=TODAY)
        opened = _again(fresh).scopes_at(by.bound[0])
        assert opened == ({scope} & ROLES[Role(by.role)]), (giver, scope)


@pytest.mark.parametrize(
    ("right", "opens"),
    [
        (Scope.COMPANY_JOIN, "/empresa/cadastro/pedir/"),
        (Scope.COMPANY_PAPERS, "/empresa/documentos/mt/decreto_1455_2025/nada/"),
        (Scope.FEE_FILE, "/empresa/taxa/calcular/"),
        (Scope.COMPANY_DECLARE, "/empresa/declaracao/formulario/"),
    ],
)
def test_each_work_of_a_company_is_delegated_by_itself(
    world: World, people: dict[str, Any], right: Scope, opens: str
) -> None:
    """Adhesion, documents, fee and declaration: whoever holds one opens that one, and none of the others."""
    every = {
        Scope.COMPANY_JOIN: "/empresa/cadastro/pedir/",
        Scope.COMPANY_PAPERS: "/empresa/documentos/mt/decreto_1455_2025/nada/",
        Scope.FEE_FILE: "/empresa/taxa/calcular/",
        Scope.COMPANY_DECLARE: "/empresa/declaracao/formulario/",
    }
    assert not isinstance(_give(people["company"], people["late_accountant"], right), str)
    browser = browser_of(people["late_accountant"])
    assert browser.post(opens).status_code != 403
    assert {browser.post(other).status_code for one, other in every.items() if one is not right} == {403}


def test_what_was_lent_before_the_split_keeps_what_it_granted(world: World, people: dict[str, Any]) -> None:
    """The migration adds the three rights to who had the one, once, and to nobody else."""
    from importlib import import_module

    from django.db import connections

    given = _give(people["company"], people["late_accountant"], Scope.COMPANY_READ, Scope.COMPANY_DECLARE)
    assert not isinstance(given, str)
    keep = import_module("lastro.web.migrations.0009_company_scopes")._KEEP
    for _ in range(2):
        with connections["default"].cursor() as cursor:
            cursor.execute(keep)
    three = {"company.join", "company.papers", "fee.file"}
    assert set(Delegation.objects.get(pk=given.pk).scopes) == {"company.read", "company.declare"} | three
    other = Delegation.objects.get(to=people["accountant"])
    assert not three & set(other.scopes)
