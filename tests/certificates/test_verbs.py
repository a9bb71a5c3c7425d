"""The verbs of certificates, typed: from homologated notes to a signed file that a stranger checks."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from lastro.cli import main
from tests.certificates.test_counter import BRANCH
from tests.custody.test_settle import A, cancellation, give, key
from tests.ledger.worlds import COMPANY

NORM = "mt/decreto_1455_2025"
SALE = ("--entity", A, "--to", COMPANY, "--material", "glass", "--year", "2026")


def issue(lastro: Any, name: str = "v1", kg: str = "0.1", **more: Any) -> Any:
    return lastro("issue", *SALE, "--kg", kg, "--investment", "15.00", "--id", name, "--json", **more)


def test_a_certificate_is_sold_checked_and_used_once(ready, data):
    made = issue(ready)
    file = Path(made["file"])
    assert file == data / "certificates" / f"{made['number']}.pdf"
    assert (made["certificate"], made["valid_to"]) == ("v1", "2028-03-15")
    assert file.read_bytes().startswith(b"%PDF")

    again = issue(ready)
    assert again["repeated"] == "K09"
    assert {name: again[name] for name in ("number", "sha256", "file")} == {
        name: made[name] for name in ("number", "sha256", "file")
    }

    shown = ready("certificate", "show", made["number"], "--json")
    assert (shown["state"], shown["mass_mg"], shown["basis"]) == ("issued", 100_000, "test")
    assert [(lot["access_key"], lot["mass_mg"]) for lot in shown["lots"]] == [
        (key(1), 60_000),
        (key(2), 40_000),
    ]
    assert shown == ready("certificate", "show", "v1", "--json")
    assert "emitido em: 15/03/2027" in ready("certificate", "show", "v1")

    assert ready("retire", "--certificate", "v1", "--to", BRANCH, "--json", code=1)["refusal"] == "K08"
    assert ready("retire", "--certificate", "v1", "--json", code=1, today="2028-03-16")["refusal"] == "K04"
    assert ready("retire", "--certificate", made["number"], "--id", "use", "--json")["mass_mg"] == 100_000
    assert ready("retire", "--certificate", "v1", "--id", "use", "--json")["repeated"] == "K09"
    assert ready("retire", "--certificate", "v1", "--json", code=1)["refusal"] == "K03"
    assert "certificado se baixa inteiro" in ready("retire", "--certificate", "v1", "--kg", "1", code=2)
    assert ready("certificate", "show", "v1", "--json")["state"] == "retired"
    assert "Tudo confere." in ready("audit")


def test_a_file_is_checked_offline_and_against_the_register(ready, tmp_path):
    made = issue(ready)
    file = Path(made["file"])
    alone = ready("certificate", "verify", file, "--offline", "--json")
    assert (alone["holds"], alone["looked_up"], alone["certificate"]) == (True, False, None)
    assert alone["number"] == made["number"]
    assert alone["signature"]["state"] == "test"
    known = ready("certificate", "verify", file, "--json")
    assert (known["holds"], known["same_file"], known["certificate"]["id"]) == (True, True, "v1")

    before = ready("certificate", "verify", made["number"], "--json", code=1, today="2027-03-14")
    assert (before["holds"], before["certificate"]["state"]) == (False, "prepared")

    whole = file.read_bytes()
    changed = tmp_path / "mudado.pdf"
    changed.write_bytes(whole[:2000] + bytes([whole[2000] ^ 1]) + whole[2001:])
    bad = ready("certificate", "verify", changed, "--json", code=1)
    assert (bad["holds"], bad["signature"]["intact"]) == (False, False)
    longer = tmp_path / "longo.pdf"
    longer.write_bytes(whole + b"\n% more")
    said = ready("certificate", "verify", longer, "--json", code=1)
    assert (said["signature"]["intact"], said["signature"]["covers_all"]) == (True, False)
    assert (said["same_file"], said["certificate"]["id"]) == (False, "v1")
    assert "não é o que foi guardado" in ready("certificate", "verify", longer, code=1)


def test_a_number_is_checked_by_itself_and_in_the_register(ready):
    made = issue(ready)
    number = made["number"]
    for typed in (number, number.lower(), f"http://127.0.0.1:8000/c/{number}", "v1"):
        assert ready("certificate", "verify", typed, "--json")["certificate"]["number"] == number
    wrong = number[:-1] + ("0" if number[-1] != "0" else "1")
    assert ready("certificate", "verify", wrong, "--json", code=1)["refusal"] == "K10"
    assert ready("certificate", "show", wrong, "--json", code=1)["refusal"] == "K10"
    assert ready("retire", "--certificate", wrong, "--json", code=1)["refusal"] == "K10"
    alone = ready("certificate", "verify", number, "--offline", "--json", code=1)
    assert (alone["holds"], alone["number"]) == (False, number)
    assert "Não há certificado" in ready("certificate", "show", "outro", code=2)
    assert "não conhece" in ready("certificate", "verify", "outro", code=1)


def test_a_note_that_dies_after_issue_is_told_everywhere(ready, store):
    made = issue(ready)
    give(store, A, cancellation(2))
    shown = ready("certificate", "show", "v1", "--json")
    assert shown["stale"] == [{"access_key": key(2), "line": 1, "reason": "N10"}]
    checked = ready("certificate", "verify", made["file"], "--json", code=1)
    assert (checked["holds"], checked["signature"]["holds"]) == (False, True)
    assert "K11" in ready("certificate", "verify", made["file"], code=1)
    assert ready("retire", "--certificate", "v1", "--json", code=1)["refusal"] == "K11"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--kg", "0.0005", "--investment", "1"), "K07"),
        (("--kg", "0.121", "--investment", "1"), "K01"),
        (("--kg", "0.1", "--norm", NORM), "K07"),
        (("--kg", "0.1", "--investment", "1", "--prepared-by", "ana", "--authorised-by", "Ana"), "K02"),
    ],
)
def test_what_is_refused_is_told_by_its_code(ready, words, code):
    assert ready("issue", *SALE, *words, "--json", code=1)["refusal"] == code


@pytest.mark.parametrize(
    "words",
    [
        ("--kg", "0.1", "--investment", "dez"),
        ("--kg", "0.1", "--investment", "1", "--id", "CRE-1"),
        ("--kg", "0.1", "--investment", "1", "--id", "a/b"),
        ("--kg", "um", "--investment", "1"),
        ("--kg", "0.1", "--investment", "1", "--norm", "no/such"),
    ],
)
def test_what_is_typed_wrong_is_told_and_nothing_is_set_apart(ready, store, words):
    ready("issue", *SALE, *words, code=2)
    assert sum(lot.mass.mg for lot in store.lots()) == 120_000


def test_a_file_that_nobody_here_vouches_for_proves_nothing(ready, tmp_path, monkeypatch):
    """Signed under an authority that is not known here: whole, and not good; unless the register kept it."""
    made = issue(ready)
    monkeypatch.delenv("DATABASE_URL")
    stranger = tmp_path / "outra"
    stranger.mkdir()
    words = ("--data", stranger, "certificate", "verify", made["file"], "--json")
    with pytest.raises(SystemExit) as ended:
        main([str(w) for w in words])
    assert ended.value.code == 1
    assert list(stranger.iterdir()) == []


def test_the_register_vouches_for_a_file_whose_root_was_lost(ready, data):
    made = issue(ready)
    shutil.rmtree(data / "keys")
    known = ready("certificate", "verify", made["file"], "--json")
    assert (known["signature"]["state"], known["same_file"], known["holds"]) == ("untrusted", True, True)
    alone = ready("certificate", "verify", made["file"], "--offline", "--json", code=1)
    assert (alone["signature"]["state"], alone["holds"]) == ("untrusted", False)


def test_two_persons_are_asked_for_before_any_mass_is_set_apart(ready, store):
    words = ("issue", *SALE, "--kg", "0.1", "--investment", "1", "--prepared-by", "ana")
    assert ready(*words, "--authorised-by", " ANA ", "--json", code=1)["refusal"] == "K02"
    assert sum(lot.mass.mg for lot in store.lots()) == 120_000


def test_a_sale_that_stops_half_way_is_listed_and_refused(ready, store):
    """The note dies between preparing and issuing: the mass is set apart until somebody refuses it."""
    from datetime import date

    from lastro.stores.postgres.certificates import Certificates
    from tests.certificates.worlds import prepare

    prepare(Certificates(store), "v1", 100, entity=A, on=date(2027, 3, 15))
    give(store, A, cancellation(2))
    (one,) = [ready("certificate", "list", "--entity", A, "--json")]
    assert (one["id"], one["state"], len(one["stale"])) == ("v1", "prepared", 1)
    assert "(K11)" in ready("certificate", "list", "--year", "2026")
    assert "devolvê-la" not in ready("certificate", "refuse", "v1", "--reason", "nota cancelada")
    assert ready("certificate", "refuse", "v1", "--reason", "de novo", "--json", code=1)["refusal"] == "K08"
    assert ready("certificate", "list", "--json")["state"] == "refused"
    assert sum(lot.mass.mg for lot in store.lots()) == 60_000
    assert "não há esse arquivo" in ready("certificate", "verify", "nenhum.pdf", code=2)


def test_an_offer_is_sold_in_part_withdrawn_and_its_certificate_cancelled(ready):
    asked = ["--entity", A, "--material", "glass", "--kg", "0.1", "--year", 2026, "--id", "o1"]
    assert "Oferta o1" in ready("certificate", "offer", *asked)
    said = ready(
        "certificate", "sell", "o1", "--to", COMPANY, "--kg", "0.06", "--investment", "10.00", "--id", "c1"
    )
    assert "c1-resto" in said
    shown = ready("certificate", "show", "c1-resto", "--json")
    assert (shown["state"], shown["holder"], shown["mass_mg"]) == ("offered", "", 40_000)
    assert "retirado" in ready("certificate", "withdraw", "c1-resto", "--reason", "sem comprador")
    assert "K08" in ready("certificate", "cancel", "c1", "--reason", "laudo falso", code=1)
    assert "Nada se apoia" in ready("certificate", "fallen")
    assert "substituído" in ready("certificate", "show", "o1")
