"""Offers, and what leans on evidence that died, as entities, companies and the agency see them."""

from __future__ import annotations

from dataclasses import dataclass

from lastro.cascade import Fall, cascade
from lastro.certificates import number as numbers
from lastro.certificates.states import State
from lastro.ids import company_of
from lastro.web import office
from lastro.web.readings import certificates
from lastro.web.readings.certificates import Shown


@dataclass(frozen=True)
class Offer:
    """An offer as a buyer sees it: what, of which year, by whom, and how to reach them."""

    shown: Shown
    contact: str


def for_company(establishment: str) -> list[Offer]:
    """What the managing entities to which an establishment adheres today offer to whoever buys."""
    known, today = office.registry(), office.today()
    mine = sorted({one.entity for one in known.memberships(establishment, today)})
    found = []
    for entity in mine:
        party = known.party(entity)
        contact = (party.contact or "") if party else ""
        found += [
            Offer(one, contact)
            for one in certificates.of_entity(entity)
            if one.state is State.OFFERED and not one.certificate.stale
        ]
    return found


def falls_of_company(establishment: str) -> list[Fall]:
    """What died and reaches the company of an establishment."""
    return _falls(company=company_of(establishment))


def falls_of_entity(entity: str) -> list[Fall]:
    """What died of what an entity claimed, sold or used."""
    return _falls(entity=entity)


def _falls(*, company: str = "", entity: str = "") -> list[Fall]:
    return cascade(
        office.store(), data=office.site().data, today=office.today(), company=company, entity=entity
    )


def issued_one(text: str) -> Shown | None:
    """The certificate of a number as it was typed, once it was issued; None where there is none."""
    number = numbers.parse(text)
    found = certificates.book().find(number) if number else None
    return certificates.shown(found) if found is not None and found.issued_on is not None else None
