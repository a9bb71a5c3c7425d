"""The parties to the day, as a whole registry answers, and what each of them may do (P06, P08, P09, P10)."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lastro.cli import main
from lastro.facts import Placement, Refusal
from lastro.ids import Material, cnpj_check_digits
from lastro.obligations.declare import Declared
from lastro.obligations.notices import notices
from lastro.pipeline import retire_lots
from lastro.registry import Registry
from lastro.stores.postgres import registry as kept
from lastro.units import Mass
from tests.codes import Codes, near_miss, triggers
from tests.codes.see import of_note
from tests.evidence import vectors as v


def _of_store(tables: dict[str, Any], on: date) -> Codes:
    """The codes of the sale of the tests, under a registry of these tables, with the sale dated that day."""
    return of_note(v.Note(issued_at=f"{on}T10:00:00-04:00"), registry=Registry(tables))


def _mill(**more: str) -> dict[str, Any]:
    return {"parties": [{"cnpj": v.MILL, "name": "Papeleira", **more}]}


@triggers("P02")
def closed_on_the_day_of_the_note() -> Codes:
    return _of_store(_mill(closed_on="2026-05-14"), date(2026, 5, 14))


@near_miss("P02")
def closed_on_the_day_after() -> Codes:
    return _of_store(_mill(closed_on="2026-05-15"), date(2026, 5, 14))


def _vetted(*spans: tuple[str, str]) -> dict[str, Any]:
    papers = dict.fromkeys(("cnpj_ok", "registrations_ok", "licence_ok", "permit_ok"), True)
    rows = [{"operator": v.COOP, "entity": v.ENTITY, "from": a, "to": b, **papers} for a, b in spans]
    return {"vettings": rows}


@triggers("P03")
def sold_on_the_day_after_the_vetting_ended() -> Codes:
    return _of_store(_vetted(("2026-01-01", "2026-05-13")), date(2026, 5, 14))


@near_miss("P03")
def sold_on_the_last_day_of_the_vetting() -> Codes:
    return _of_store(_vetted(("2026-01-01", "2026-05-14")), date(2026, 5, 14))


@triggers("P04")
def two_vettings_on_one_day() -> Codes:
    return _of_store(_vetted(("2026-01-01", "2026-05-14"), ("2026-05-14", "2026-12-31")), date(2026, 5, 14))


@near_miss("P04")
def one_vetting_after_the_other() -> Codes:
    return _of_store(_vetted(("2026-01-01", "2026-05-13"), ("2026-05-14", "2026-12-31")), date(2026, 5, 14))


@triggers("P05")
def a_licence_that_ended_the_day_before() -> Codes:
    return _of_store(_mill(licence_valid_to="2026-05-13"), date(2026, 5, 14))


@near_miss("P05")
def a_licence_on_its_last_day() -> Codes:
    return _of_store(_mill(licence_valid_to="2026-05-14"), date(2026, 5, 14))


_BRANCH = v.MILL[:8] + "0002" + cnpj_check_digits(v.MILL[:8] + "0002")


@triggers("P06")
def bought_by_a_branch_that_is_not_on_the_list() -> Codes:
    return of_note(v.Note(recipient=_BRANCH), registry=Registry(_mill()))


@near_miss("P06")
def bought_by_the_establishment_on_the_list() -> Codes:
    return of_note(v.Note(recipient=v.MILL), registry=Registry(_mill()))


def _declared(establishment: str | None, *, size: str = "large") -> Codes:
    """What a declaration of the mill is told of itself."""
    placed = Placement(2026, Material.PAPER, "MT", Mass.kg("1000"))
    known = Registry({**_mill(), "sizes": [{"company": v.MILL[:8], "year": 2026, "size": size}]})
    found = notices(Declared({(establishment, 2026): [placed]}), known, company=v.MILL)
    return {one.code for one in found}


@triggers("P06")
def declared_for_a_branch_that_is_not_on_the_list() -> Codes:
    return _declared(_BRANCH)


@near_miss("P06")
def declared_for_the_whole_company() -> Codes:
    return _declared(None)


class _Book:
    """A ledger that has whatever is asked of it."""

    def retire_lots(self, entity: str, **asked: Any) -> dict[str, Any]:
        return {"entity": entity, **asked}


def _retired(entity: str, until: str) -> Codes:
    """The code of a retirement to a company that belongs to an entity until a day of 2026."""
    row = {"establishment": v.MILL, "entity": entity, "term": "", "from": "2025-06-01", "to": until}
    answer = retire_lots(
        _Book(),
        Registry({"members": [{**row, "scheme": None}]}),
        entity=v.ENTITY,
        establishment=v.MILL,
        materials=[Material.PAPER],
        mass=Mass.kg("1"),
        year=2026,
        request="r",
        on=date(2027, 3, 15),
    )
    return {answer.code} if isinstance(answer, Refusal) else set()


@triggers("P08")
def retired_to_a_member_of_another_entity() -> Codes:
    return _retired(v.OTHER, "2026-12-31")


@near_miss("P08")
def retired_to_a_member_of_this_entity() -> Codes:
    return _retired(v.ENTITY, "2026-12-31")


@near_miss("P08")
def retired_to_who_left_the_other_entity_before_the_year() -> Codes:
    return _retired(v.OTHER, "2025-12-31")


@triggers("P09")
def a_small_firm_declares_in_full() -> Codes:
    return _declared(v.MILL, size="epp")


@near_miss("P09")
def a_medium_firm_declares_in_full() -> Codes:
    return _declared(v.MILL, size="medium")


def _homologated(store: Any, data: Path, capsys: Any, *, until: str) -> Codes:
    """The code of a verifier's statement on a day, under a contract that ends on another."""
    contract = {"verifier": v.OTHER, "entity": v.ENTITY, "from": "2026-01-01", "to": until}
    kept.load(store, {"contracts": [contract]}, source="t", on=date(2026, 12, 31))
    asked = ["--verifier", v.OTHER, "--entity", v.ENTITY, "--year", "2026", "--json"]
    with pytest.raises(SystemExit):
        main(["homologate", *asked, "--data", str(data), "--today", "2026-12-31"])
    answer = json.loads(capsys.readouterr().out)
    return {answer["refusal"]} if "refusal" in answer else set()


@triggers("P10")
def a_statement_of_a_verifier_whose_contract_ended(store: Any, data: Path, capsys: Any) -> Codes:
    return _homologated(store, data, capsys, until="2026-12-30")


@near_miss("P10")
def a_statement_of_a_verifier_on_the_last_day_of_its_contract(store: Any, data: Path, capsys: Any) -> Codes:
    return _homologated(store, data, capsys, until="2026-12-31")
