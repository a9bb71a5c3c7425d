"""A small world for the verbs of certificates, and how to type them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastro.cli import main
from tests.certificates.test_counter import MEMBER, PARTY, SELLER, TERM
from tests.certificates.worlds import NORM
from tests.custody.test_settle import TODAY, A, give, note
from tests.ledger.worlds import COMPANY, VERIFIER


@pytest.fixture
def lastro(data: Path, capsys: pytest.CaptureFixture[str]):
    def call(*words: object, code: int = 0, today: str = "2027-03-15") -> Any:
        with pytest.raises(SystemExit) as ended:
            main([*map(str, words), "--data", str(data), "--today", today])
        told = capsys.readouterr()
        assert ended.value.code == code, told
        return json.loads(told.out) if "--json" in words else told.out + told.err

    return call


@pytest.fixture
def ready(store, lastro, tmp_path):
    """Two homologated notes, a buyer who adheres and declared, and an illustrative target."""
    tables = {"parties": [PARTY, SELLER | {"municipality": "5103403"}], "terms": [TERM], "members": [MEMBER]}
    (tmp_path / "cadastro.json").write_text(json.dumps(tables), "utf-8")
    (tmp_path / "metas.csv").write_text(
        "sector,material,year,share,source,basis\n"
        "embalagens_em_geral,glass,2026,20%,tabela inventada,illustrative\n",
        "utf-8",
    )
    rows = [{"year": 2025, "material": "glass", "uf": "MT", "mass_kg": "1", "returnable_kg": "0"}]
    (tmp_path / "declaracao.json").write_text(json.dumps(rows), "utf-8")
    lastro("registry", "load", tmp_path / "cadastro.json")
    lastro("law", "load", NORM, "targets", tmp_path / "metas.csv")
    lastro("declare", tmp_path / "declaracao.json", "--company", COMPANY)
    give(store, A, note(1, mass=60_000), note(2, mass=60_000))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    return lastro
