"""The verbs of registry and declaration: taken whole or not at all, with exit codes for programs."""

import json
from pathlib import Path

import pytest

from lastro.cli import main
from lastro.ids import cnpj_check_digits, masked


def cnpj(base: str) -> str:
    return base + "0001" + cnpj_check_digits(base + "0001")


COOP, ENTITY, MAKER = cnpj("ZZCOOP01"), cnpj("ZZENT001"), cnpj("ZZMAKE01")
PAPERS = {"cnpj_ok": True, "registrations_ok": True, "licence_ok": True, "permit_ok": False}
VETTING = {"operator": COOP, "entity": ENTITY, "from": "2026-01-01", "to": "2026-12-31", **PAPERS}


@pytest.fixture
def lastro(data: Path, capsys: pytest.CaptureFixture[str]):
    def call(*args: object, code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main([*map(str, args), "--data", str(data), "--today", "2026-11-30"])
        told = capsys.readouterr()
        assert ended.value.code == code, told
        return told.out + told.err

    return call


def write(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def test_a_registry_is_loaded_shown_and_loaded_again(lastro, tmp_path):
    tables = {"parties": [{"cnpj": COOP, "name": "Coop Inventada"}], "vettings": [VETTING]}
    file = write(tmp_path / "cadastro.json", tables)
    first = json.loads(lastro("registry", "load", file, "--json"))
    assert first["loaded"] is True
    assert first["tables"]["vettings"] == {"new": 1, "changed": 0, "same": 0}
    again = json.loads(lastro("registry", "load", file, "--json"))
    assert again["tables"]["vettings"]["same"] == 1
    assert again["registry_version"] == first["registry_version"]
    shown = json.loads(lastro("registry", "show", COOP, "--on", "2026-06-01", "--json"))
    assert shown["vettings"][0]["counts"] is False
    words = lastro("registry", "show", masked(COOP), "--on", "2026-06-01")
    assert "falta: alvará" in words
    assert "não está no cadastro" in lastro("registry", "show", MAKER, code=1)
    assert "não é um CNPJ" in lastro("registry", "show", "123", code=2)


def test_a_registry_with_one_wrong_row_loads_nothing(lastro, tmp_path):
    tables = {"parties": [{"cnpj": COOP, "name": "A"}, {"cnpj": COOP[:-1], "name": "B"}]}
    file = write(tmp_path / "cadastro.json", tables)
    told = json.loads(lastro("registry", "load", file, "--json", code=1))
    assert told["loaded"] is False
    assert [(i["code"], i["row"], i["column"]) for i in told["issues"]] == [("P01", 2, "cnpj")]
    assert "nada foi carregado" in lastro("registry", "load", file, code=1)
    assert "não está no cadastro" in lastro("registry", "show", COOP, code=1)
    assert "só se leem" in lastro("registry", "load", write(tmp_path / "a.txt", "x"), code=2)


def test_a_declaration_is_kept_and_kept_once(lastro, tmp_path):
    file = write(tmp_path / "d.csv", "ano;material;uf;massa_kg\n2025;vidro;MT;1.355,90\n2025;aço;MT;10\n")
    told = lastro("declare", file, "--company", MAKER)
    assert "1.355,9 kg" in told
    assert "1.365,9 kg" in told
    assert "declaração guardada" in told
    again = json.loads(lastro("declare", file, "--company", MAKER, "--json"))
    assert again["declarations_added"] == 0
    assert again["totals"][0] == {
        "year": 2025, "uf": "MT", "material": "glass", "mass_mg": 1_355_900_000, "returnable_mg": 0,
    }  # fmt: skip


def test_a_broken_declaration_comes_back_and_nothing_is_kept(lastro, tmp_path):
    text = "ano;material;uf;massa_kg\n2025;vidro;MT;1.355\n"
    file = write(tmp_path / "d.csv", text)
    told = lastro("declare", file, "--company", MAKER, code=1)
    back = tmp_path / "d.erros.csv"
    assert str(back) in told.replace("\n", "")
    assert "erros" in back.read_text("utf-8-sig").splitlines()[0]
    assert file.read_text() == text
    other = tmp_path / "outro.csv"
    told = json.loads(lastro("declare", file, "--company", MAKER, "--out", other, "--json", code=1))
    assert told["returned"] == str(other)
    assert other.exists()
    assert "original" in lastro("declare", file, "--company", MAKER, "--out", file, code=2)
    good = write(tmp_path / "g.csv", text.replace("1.355", "1355"))
    assert json.loads(lastro("declare", good, "--company", MAKER, "--json"))["declarations_added"] == 1
