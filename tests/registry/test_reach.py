"""What an entity may write by itself: its own rows, and of establishments what concerns its members alone."""

from __future__ import annotations

import json
from datetime import date

import pytest

from lastro.ids import cnpj_check_digits
from lastro.registry import Registry
from lastro.registry.reach import beyond
from lastro.registry.read import read

ON = date(2026, 6, 1)


def cnpj(name: str) -> str:
    base = f"ZZ{name:0>6}0001"
    return base + cnpj_check_digits(base)


MINE, THEIRS, SHOP, MILL, FRESH = map(cnpj, ("MINHA", "OUTRA", "LOJA", "USINA", "NOVA"))


def party(who: str, name: str = "NOME") -> dict[str, str]:
    return {"cnpj": who, "name": name, "municipality": "5103403"}


def member(who: str, entity: str = MINE) -> dict[str, str]:
    return {"establishment": who, "entity": entity, "from": "2026-01-01"}


def known(**tables: list[dict[str, str]]) -> Registry:
    found = read("cadastro.json", json.dumps(tables).encode())
    assert not found.issues, found.issues
    return Registry(found.tables)


def told(before: Registry, **tables: list[dict[str, str]]) -> list[str]:
    found = read("cadastro.json", json.dumps(tables).encode())
    assert not found.issues, found.issues
    return [f"{i.sheet}/{i.row}" for i in beyond(found.rows, entity=MINE, known=before, on=ON)]


BEFORE = known(
    parties=[party(SHOP), party(MILL)],
    members=[member(SHOP)],
    roles=[{"cnpj": MILL, "role": "recycler", "from": "2025-01-01"}],
)


def test_its_own_rows_are_its_own_to_write():
    vetting = {
        "operator": MILL, "entity": MINE, "from": "2026-01-01", "cnpj_ok": "sim", "registrations_ok": "sim",
        "licence_ok": "sim", "permit_ok": "sim",
    }  # fmt: skip
    assert told(BEFORE, members=[member(FRESH)], vettings=[vetting], parties=[party(FRESH)]) == []


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("members", member(FRESH, THEIRS)),
        ("roles", {"cnpj": FRESH, "role": "recycler", "from": "2026-01-01"}),
        ("contracts", {"verifier": FRESH, "entity": MINE, "from": "2026-01-01"}),
        ("sizes", {"company": FRESH[:8], "year": "2026", "size": "mei"}),
    ],
)
def test_what_is_others_or_weighs_for_others_is_not(table, row):
    assert len(told(BEFORE, **{table: [row]})) == 1


def test_an_establishment_is_changed_by_the_entity_of_which_alone_it_is_a_member():
    assert told(BEFORE, parties=[party(SHOP, "NOME NOVO")]) == []
    assert len(told(BEFORE, parties=[party(MILL, "NOME NOVO")])) == 1, "a recycler is everybody's"
    assert told(BEFORE, parties=[party(MILL)]) == [], "saying what already stands changes nothing"
    both = known(parties=[party(SHOP)], members=[member(SHOP), member(SHOP, THEIRS)])
    assert len(told(both, parties=[party(SHOP, "NOME NOVO")])) == 1
