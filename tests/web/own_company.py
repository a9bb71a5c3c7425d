"""What the first entity's adherent really has on its own pages, for the matrix of access."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

from tests.web.conftest import TODAY, World

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NOBODYS_FORM = frozenset({"company-fill"})
"""A document to fill in is any company's: it names a norm's kind, and nobody's row."""

BY_POST = frozenset({"fee-pay", "choice-keep"})
"""Addresses that only take what is sent."""


def of_company(world: World) -> dict[str, dict[str, Any]]:
    """The parts of each address of the company's desk that name something of the adherent."""
    party = world.member(world.entities[0])
    filed, job = _declared(party)
    quarter = _fee(party)
    year, paper = _choice(party), _paper(party)
    return {
        "declaration-filed": {"pk": filed},
        "declaration-file": {"pk": filed},
        "declaration-job": {"job": job},
        "declaration-progress": {"job": job},
        "fee": quarter,
        "fee-paper": quarter,
        "fee-pay": quarter,
        "fee-proof": {**quarter, "pk": _payment(party)},
        "choice": {"year": year},
        "choice-keep": {"year": year},
        "joining": {"number": _joining(party, world.entities[1], world.entities[0])},
        "company-document": {"number": paper},
        "company-document-file": {"number": paper, "kind": "json"},
        "company-fill": {"place": "mt", "name": "decreto_1455_2025", "kind": _statement()},
    }


def _declared(party: str) -> tuple[int, Any]:
    """A declaration that was taken, and the job of a larger one."""
    from lastro.web import jobs
    from lastro.web.models import Person
    from lastro.web.readings import declaration

    sheet = b"ano;material;uf;massa_kg\n2024;vidro;MT;5\n"
    filing = declaration.take(declaration.Handed("d.csv", sheet, party, 2024, "ensaio", "x"))
    person = Person.objects.get(email="company@exemplo.org")
    job = jobs.ask(
        "declare", party=party, person=person, title="d.csv", asked={"year": 2024, "reason": "", "by": "x"}
    )
    return filing.id, job.pk


def _fee(party: str) -> dict[str, int]:
    """A quarter whose fee was reckoned."""
    from lastro.web.readings import fees

    facts = json.loads((EXAMPLES / "tfa" / "no_prazo.json").read_text("utf-8")) | {"document": party}
    fees.keep(party, facts, by="x")
    return {"year": 2026, "quarter": 1}


def _payment(party: str) -> int:
    """A payment of that quarter with its proof."""
    from lastro.units import Money
    from lastro.web.readings import fees

    found = fees.one_of(party, 2026, 1)
    assert found is not None
    if not found.payments:
        fees.pay(party, found, on=date(2026, 4, 7), amount=Money(1), by="x", files=[("recibo.pdf", b"%PDF")])
        found = fees.one_of(party, 2026, 1)
    assert found is not None
    return found.payments[0].id


def _choice(party: str) -> int:
    """A simulation of the choice among regions."""
    from lastro.web.readings import choices

    facts = json.loads((EXAMPLES / "metal" / "com_escolha.json").read_text("utf-8"))
    facts["companies"][0]["cnpj"] = party[:8]
    choices.keep(party, json.dumps(facts).encode(), by="x")
    return int(facts["year"])


def _joining(party: str, other: str, entity: str) -> int:
    """What an establishment asked of the first entity: the adherent wants to leave it."""
    from lastro.web.readings import membership

    assert other != entity
    open_ones = [one for one in membership.asked_of(entity) if one.filing.subject.party == party]
    if open_ones:
        return open_ones[0].filing.id
    made = membership.ask(party, entity=entity, wants="leave", since=TODAY, text="", by="x")
    return made.id


def _statement() -> str:
    """The brand owner's statement, by the name that the norm gives it."""
    from lastro.web.readings import papers

    return next(one.kind for one in papers.offers(2026, by="company") if one.norm == "mt/decreto_1455_2025")


def _paper(party: str) -> int:
    """A statement that was filed."""
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office
    from lastro.web.readings import papers

    found = papers.offer("mt/decreto_1455_2025", _statement(), 2026, by="company")
    assert found is not None
    subject = papers.subject_of(found, entity=party, year=2026, mark="ensaio")
    mine = Filings(office.store(), sees=party)
    before = mine.latest(subject)
    if before is not None:
        return before.id
    told = {"year": 2026, "entity": {"cnpj": party, "name": "Empresa"}}
    return mine.add(subject, {"kind": found.kind, "document": told}, by="x", on=TODAY).id
