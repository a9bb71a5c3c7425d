"""Digits, keys and dates of the sample, checked by other means than those that made them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from decimal import Decimal

from stdnum.br import cnpj as stdnum_cnpj
from stdnum.br import cpf as stdnum_cpf

from lastro.sample import digits
from lastro.sample.places import GOIAS, MATO_GROSSO
from lastro.sample.world import Truth, World
from tests.sample.reading import NFE, data_of, parsed, text_of


def _notes(world: World) -> list[Truth]:
    broken = ("F04", "F05")
    return [r for r in world.truth if r.access_key and r.role != "event" and r.fault[:3] not in broken]


def _code(row: Truth) -> str:
    return row.fault[:3] if row.role == "fault" else ""


def test_digits_agree_with_the_official_example_and_not_with_the_trap() -> None:
    assert digits.cnpj("12ABC345", 1)[:12] == "12ABC3450001"
    assert digits._modulo11("12ABC34501DE") + digits._modulo11("12ABC34501DE3") == "35"
    assert digits.key_digit("3526081" + "2ABC34501DE3555001000000123112345678") == "0"
    assert digits.cnpj("LBNXQOB5", 1) != "LBNXQOB5000163"


def test_parties_of_the_registry_have_right_numbers_under_invented_roots(world: World) -> None:
    tables = json.loads((world.out / "cadastro.json").read_text(encoding="utf-8"))
    parties = [row["cnpj"] for row in tables["parties"]]
    assert len(set(parties)) == len(parties)
    for number in parties:
        assert stdnum_cnpj.is_valid(number), number
        assert number.startswith("ZZ")
    known = set(parties)
    assert {row["cnpj"] for row in tables["roles"]} == known
    assert {row["operator"] for row in tables["vettings"]} <= known
    assert {row["establishment"] for row in tables["members"]} <= known


def test_numbers_on_notes_close_save_where_planted(world: World) -> None:
    for row in _notes(world):
        root = parsed(data_of(world, row))
        numbers = [
            e.text or ""
            for e in root.iter(NFE + "CNPJ", NFE + "CPF")
            if e.getparent().tag != NFE + "infEvento"
        ]
        checks = (stdnum_cpf.is_valid(n) if len(n) == 11 else stdnum_cnpj.is_valid(n) for n in numbers)
        assert all(checks) == (_code(row) != "P01"), row.fault or row.path


def test_keys_close_save_where_planted(world: World) -> None:
    for row in _notes(world):
        key = text_of(parsed(data_of(world, row)), "ide/cDV")
        right = digits.key_digit(row.access_key[:-1])
        assert key == row.access_key[-1]
        assert (right == row.access_key[-1]) == (_code(row) != "N03"), row.fault or row.path


def test_a_wrong_digit_is_wrong_wherever_the_key_stands(world: World) -> None:
    for row in (r for r in world.truth if _code(r) == "N03"):
        text = data_of(world, row).decode("utf-8-sig")
        assert text.count(row.access_key) == 3, "Id, reference and protocol"


def test_key_parts_agree_with_the_content_save_where_planted(world: World) -> None:
    for row in _notes(world):
        root = parsed(data_of(world, row))
        issuer = text_of(root, "emit/CNPJ")
        told = (
            text_of(root, "ide/cUF")
            + text_of(root, "ide/dhEmi")[2:4]
            + text_of(root, "ide/dhEmi")[5:7]
            + issuer
            + text_of(root, "ide/mod")
            + text_of(root, "ide/serie").zfill(3)
            + text_of(root, "ide/nNF").zfill(9)
            + text_of(root, "ide/tpEmis")
            + text_of(root, "ide/cNF")
        )
        assert (told == row.access_key[:-1]) == (_code(row) != "N04"), row.fault or row.path


def test_no_key_stands_twice_save_where_planted(world: World) -> None:
    holders: dict[str, set[str]] = defaultdict(set)
    contents: dict[str, set[str]] = defaultdict(set)
    for row in world.truth:
        if row.access_key and row.role != "event":
            holders[row.access_key].add(f"{row.entity} {row.path} {row.member}")
            contents[row.access_key].add(row.fault)
    twice = {fault[:3] for key, places in holders.items() if len(places) > 1 for fault in contents[key]}
    assert twice == {"N15", "C01", "C02"}


def test_notes_are_of_2026_save_where_planted(world: World) -> None:
    for row in _notes(world):
        year = text_of(parsed(data_of(world, row)), "ide/dhEmi")[:4]
        assert (year == "2026") == (_code(row) != "N14"), row.fault or row.path


def test_values_add_up(world: World) -> None:
    for row in _notes(world):
        if _code(row) == "S02":
            continue
        root = parsed(data_of(world, row))
        total = Decimal(0)
        for goods in root.iter(NFE + "prod"):
            told = {child.tag.removeprefix(NFE): child.text or "" for child in goods}
            exact = Decimal(told["qCom"]) * Decimal(told["vUnCom"])
            assert abs(exact - Decimal(told["vProd"])) <= Decimal("0.005") + Decimal("1E-6"), row.path
            total += Decimal(told["vProd"])
        assert Decimal(text_of(root, "ICMSTot/vNF")) == total


def test_places_are_written_with_seven_digits_of_their_state() -> None:
    assert len(MATO_GROSSO) >= 25
    assert all(re.fullmatch(r"51\d{5}", place.code) for place in MATO_GROSSO)
    assert all(re.fullmatch(r"52\d{5}", place.code) for place in GOIAS)
    assert len({place.code for place in MATO_GROSSO}) == len(MATO_GROSSO)
