"""`lastro report`, typed: exit codes, what is written, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastro.cli import main
from tests.ledger.worlds import ENTITY, VERIFIER, cnpj
from tests.reports.worlds import GLASS, MAKER, fill, used

WHICH = ("--year", "2026", "--entity", ENTITY)


@pytest.fixture
def typed(data: Path, store: Any, capsys: pytest.CaptureFixture[str]) -> Any:
    """Types a verb on a filled store: exit code and what was said."""
    fill(store)

    def run(*words: str, today: str = "2027-03-15") -> tuple[int, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as done:
            main(["--data", str(data), "--today", today, "report", *words])
        out, err = capsys.readouterr()
        return int(done.value.code or 0), out + err

    return run


def stated(typed: Any) -> None:
    code, said = typed("verification", *WHICH, "--verifier", VERIFIER, "--unchecked", "Tudo em papel.")
    assert code == 0, said


def test_a_statement_asks_why_nothing_was_checked_by_hand(typed):
    code, said = typed("verification", *WHICH, "--verifier", VERIFIER)
    assert (code, "nenhum item foi conferido à mão" in said, "por que" in said) == (2, True, True)
    stated(typed)
    assert typed("verification", *WHICH, "--verifier", VERIFIER)[0] == 0, "said once, it stands"


def test_a_preview_that_lacks_something_says_so(typed):
    code, said = typed("rar-mt", *WHICH)
    assert code == 1
    assert "Impede a entrega (T02): falta a declaração de verificação." in said
    assert "Massa recuperada" in said


def test_the_way_to_a_submitted_report(typed, tmp_path, store):
    stated(typed)
    assert typed("rar-mt", *WHICH)[0] == 0
    code, said = typed("rar-mt", *WHICH, "--submit", "--by", "ana", "--out", str(tmp_path / "out"))
    assert (code, "versão 1, de 15/03/2027, por ana" in said) == (0, True)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [f"rar-mt-{ENTITY}-2026-v1.{kind}" for kind in ("json", "pdf", "xlsx")]
    assert typed("versions", *WHICH)[0] == 0
    used(store, GLASS, "1", MAKER, "more")
    code, said = typed("versions", *WHICH)
    assert code == 1
    assert "Massa recuperada › Vidro › Total (kg): era 240,000001 kg, agora 241,000001 kg" in said


def test_a_stale_preview_is_refused_with_what_changed(typed, store):
    stated(typed)
    typed("rar-mt", *WHICH)
    used(store, GLASS, "1", MAKER, "more")
    code, said = typed("rar-mt", *WHICH, "--submit", "--by", "ana")
    assert code == 1
    assert "Recusado (T04)" in said
    assert "Massa recuperada › Vidro › Total (kg): era 240,000001 kg, agora 241,000001 kg" in said
    code, said = typed("rar-mt", *WHICH, "--submit", "--by", "ana", "--json")
    assert (code, json.loads(said)["refusal"]) == (1, "T04")


def test_json_is_one_object_with_sources(typed):
    code, said = typed("rar-mt", *WHICH, "--json")
    made = json.loads(said)
    assert (code, made["report"], made["basis"], made["bases"]) == (
        1,
        "rar-mt",
        "illustrative",
        ["illustrative"],
    )
    assert len(made["sources"]) > 20


def test_what_a_number_is_made_of(typed):
    code, said = typed("made-of", *WHICH, "--cell", "recovered/glass/certificates", "--json")
    answer = json.loads(said)
    assert (code, answer["mass_mg"]) == (0, 40_000_000)
    assert sum(row["mass_mg"] for row in answer["rows"]) == 40_000_000
    code, said = typed("made-of", *WHICH, "--cell", "recovered/gold/total")
    assert (code, "não tem a célula" in said) == (2, True)


def test_a_verifier_without_a_contract_is_refused(typed):
    code, said = typed("verification", *WHICH, "--verifier", cnpj("VER2"), "--unchecked", "x", "--json")
    refusal = json.loads(said)
    assert (code, refusal["refusal"]) == (1, "T02")
    assert "sem contrato" in refusal["found"]


def test_partnerships_come_from_a_table_and_only_into_a_preview(typed, tmp_path):
    sheet = tmp_path / "parcerias.csv"
    sheet.write_text(f"cnpj;nome;instrumento;de\n{cnpj('COOP1')};Cooperativa;Contrato 1;2026-01-01\n")
    made = json.loads(typed("rar-mt", *WHICH, "--partnerships", str(sheet), "--json")[1])
    (section,) = [s for s in made["sections"] if s["key"] == "partnerships"]
    assert section["rows"][0]["cells"]["name"]["value"] == "Cooperativa"
    code, _ = typed("rar-mt", *WHICH, "--submit", "--by", "ana", "--partnerships", str(sheet))
    assert code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("rar-mt", "--year", "2026"),
        ("rar-mt", *WHICH, "--submit"),
        ("verification", *WHICH),
        ("rar-br", *WHICH),
    ],
)
def test_a_call_that_is_wrong_is_told_apart(typed, words):
    assert typed(*words)[0] == 2
