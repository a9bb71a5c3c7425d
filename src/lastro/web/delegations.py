"""Letting somebody else act: some of one's own rights, for one establishment, until a day, revocable at once.

A delegation leans on who gave it: it opens no more than that person may do that moment, for an establishment
that they are bound to. Nobody passes on what was delegated to them, and no delegation brings two steps of one
move into one pair of hands; one that would do so later, since roles changed, opens neither step.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from django.utils import timezone

from lastro.web import office, rows
from lastro.web.models import Delegation, Person
from lastro.web.scopes import (
    DELEGABLE,
    DELEGATES,
    FOR_PARTIES,
    ROLES,
    TWO_HANDS,
    Role,
    Scope,
    TwoHands,
)

LONGEST_DAYS = 366
"""A delegation lives a year at most; then somebody looks at it again and gives another."""


def in_force(person: Person) -> list[Delegation]:
    """What counts today for a person: not revoked, not over, and whoever gave it still may."""
    if Role(person.role) not in DELEGATES:
        return []
    with rows.seen(rows.EVERYTHING):  # whether the giver is still bound is not the receiver's to see
        found = Delegation.objects.filter(
            to_id=person.pk, revoked_at=None, until__gte=office.today()
        ).select_related("by")
        return [one for one in found.order_by("party", "pk") if _stands(one)]


def _stands(one: Delegation) -> bool:
    giver = one.by
    return giver.is_active and Role(giver.role) in FOR_PARTIES and one.party in giver.bound


def holders(party: str, needed: frozenset[Scope]) -> list[Person]:
    """Who holds one of these rights for an establishment by delegation alone, while it counts."""
    with rows.seen(rows.EVERYTHING):
        found = Delegation.objects.filter(
            party=party, revoked_at=None, until__gte=office.today(), to__is_active=True
        ).select_related("to")
        people = {one.to.pk: one.to for one in found}
        return [p for p in people.values() if party not in p.bound and needed & p.scopes_at(party)]


def opened(one: Delegation) -> frozenset[Scope]:
    """What a delegation opens now: what was named, as far as the giver's role still has it."""
    named = frozenset(scope for scope in DELEGABLE if scope.value in one.scopes)
    return named & ROLES[Role(one.by.role)]


def together(person: Person, party: str, by_role: frozenset[Scope]) -> frozenset[Scope]:
    """What a person may do for a party: by role and by delegation, but never both steps of one move."""
    if not person.delegations:
        return by_role
    here = by_role.union(*(opened(one) for one in person.delegations if one.party == party))
    for rule in TWO_HANDS:
        if rule.broken_by(here, _anywhere(person)):
            here -= (rule.first | rule.second) - by_role
    return here


def _anywhere(person: Person) -> frozenset[Scope]:
    """All that a person holds, for whichever establishment."""
    return ROLES[Role(person.role)].union(*(opened(one) for one in person.delegations))


def offered(by: Person) -> frozenset[Scope]:
    """What a person may let others do for an establishment of theirs."""
    return ROLES[Role(by.role)] & DELEGABLE.keys()


def give(
    by: Person, *, party: str, email: str, scopes: Iterable[Scope], until: date, today: date
) -> Delegation | str:
    """Let somebody act for a party that one is bound to; words on what is wrong, if it may not be."""
    wanted = frozenset(scopes)
    assert party in by.bound, "one delegates for one's own establishments only"
    assert wanted <= offered(by), "one delegates what one may do, and no other thing"
    to = Person.objects.filter(email=email.strip().lower(), is_active=True).first()
    problem = _problem(by, to, wanted, until=until, today=today)
    if problem or to is None:
        return problem
    rule = broken(to, party, wanted)
    if rule is not None:
        return f"Esta pessoa ficaria com as duas mãos do mesmo ato: {rule.why}. Delegue a outra pessoa."
    return Delegation.objects.create(
        party=party, by=by, to=to, scopes=sorted(one.value for one in wanted), until=until
    )


def _problem(by: Person, to: Person | None, wanted: Iterable[Scope], *, until: date, today: date) -> str:
    if not wanted:
        return "Marque ao menos uma coisa que a pessoa possa fazer."
    if not today <= until <= today + timedelta(days=LONGEST_DAYS):
        return f"Diga até que dia vale: de hoje a {today + timedelta(days=LONGEST_DAYS):%d/%m/%Y}."
    if to is None:
        return "Ninguém com este e-mail entra aqui. Peça à administração que convide a pessoa."
    if to.pk == by.pk:
        return "Você já age por este estabelecimento; delegue a outra pessoa."
    if Role(to.role) not in DELEGATES:
        return "Quem verifica, fiscaliza, decide ou administra não age por quem é julgado."
    return ""


def broken(to: Person, party: str, wanted: frozenset[Scope]) -> TwoHands | None:
    """The two-person rule that a further delegation would break."""
    by_role = ROLES[Role(to.role)] if party in to.bound else frozenset[Scope]()
    here = by_role.union(wanted, *(opened(one) for one in to.delegations if one.party == party))
    held = here | _anywhere(to)
    return next((rule for rule in TWO_HANDS if rule.broken_by(here, held)), None)


def revoke(one: Delegation, *, by: Person) -> None:
    """Take a delegation back at once; the receiver may give it back too."""
    Delegation.objects.filter(pk=one.pk, revoked_at=None).update(
        revoked_at=timezone.now(), revoked_by=by.email
    )
