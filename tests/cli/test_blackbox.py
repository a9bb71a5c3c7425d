"""`lastro blackbox`, from the verifier's keys to the one row that a formal request opens."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from lastro.cli import app
from lastro.desk import settle_companies
from lastro.facts import Basis, TargetRow
from lastro.filings import Kind
from lastro.ids import cnpj_check_digits
from lastro.stores.postgres import Store
from lastro.stores.postgres import registry as kept
from lastro.stores.postgres.filings import Filings

NORM, DAY = "mt/decreto_1455_2025", date(2027, 3, 15)


def _cnpj(base: str) -> str:
    return base + cnpj_check_digits(base)


VERIFIER = _cnpj("ZZVERI010001")
COMPANIES = [_cnpj(f"ZZCAIX0{n}0001") for n in range(1, 6)]
MASSES = ["1200.000001", "1500.5", "1333.333333", "980.25", "0.000007"]


class Verbs:
    """The command line with one folder, on one day."""

    def __init__(self, data: Path, tmp: Path) -> None:
        self.data, self.tmp = data, tmp

    def __call__(self, *words: str, exit: int = 0, fails: str = "") -> str:
        asked = ["--data", str(self.data), "--today", DAY.isoformat(), *words]
        answer = CliRunner().invoke(app, asked, standalone_mode=False)
        if fails:
            assert fails in str(answer.exception)
            return ""
        assert answer.exception is None, (answer.output, answer.exception)
        assert (answer.return_value or 0) == exit, answer.output
        return answer.output

    def at(self, name: str) -> str:
        return str(self.tmp / name)

    def seal(self, n: int, *words: str) -> str:
        sheet = Path(self.at(f"{n}.csv"))
        sheet.write_text(f"ano;material;uf;massa_kg\n2026;vidro;MT;{MASSES[n].replace('.', ',')}\n", "utf-8")
        out, keep = self.at(f"{n}.lacrada.json"), self.at(f"{n}.guardada.json")
        self.said = self("blackbox", "seal", str(sheet), *words, "--company", COMPANIES[n], "--year", "2026",
             "--to", self.at("chave.json"), "--out", out, "--keep", keep)  # fmt: skip
        return out


@pytest.fixture
def verbs(data: Path, tmp_path: Path) -> Verbs:
    made = Verbs(data, tmp_path)
    made("blackbox", "keys", "--name", VERIFIER, "--out", made.at("chave.json"))
    return made


def _targets(store: Store) -> None:
    row = TargetRow("embalagens_em_geral", "glass", 2027, "25%", "tabela inventada", Basis.TEST)
    kept.add_targets(store, NORM, [row], on=date(2027, 1, 1))


def test_totals_and_targets_are_the_plain_ones_and_each_finds_its_row(verbs: Verbs, store: Store) -> None:
    _targets(store)
    sealed = [verbs.seal(n) for n in range(5)]
    for path in sealed:
        text = Path(path).read_text()
        assert not any(mass.replace(".", "").lstrip("0") in text for mass in MASSES[:2])
        assert "vidro" not in text
        assert "glass" not in text
    verbs("blackbox", "open-totals", *sealed, "--name", VERIFIER, "--year", "2026", "--norm", NORM,
          "--out", verbs.at("totais.json"))  # fmt: skip
    said = json.loads(Path(verbs.at("totais.json")).read_text())["said"]
    told = {(one["kind"], one["what"]): one for one in said["sums"]}

    for n in range(5):
        verbs("declare", verbs.at(f"{n}.csv"), "--company", COMPANIES[n])
    plain = sum(p.mass.mg for rows in kept.placed(store).values() for p in rows)
    settled = settle_companies(store, NORM, year=2027, company=None, data=verbs.data, today=DAY)
    owed = [p.obligation_mass for _, found in settled for p in found if p.material == "glass"]
    assert told["placed", "glass"]["mass_mg"] == str(plain) == "5014083341"
    assert len(owed) == 5
    assert told["owed", "glass"]["mass_mg"] == str(sum(one.mg for one in owed if one is not None))
    assert told["returnable", "glass"] == {**told["returnable", "glass"], "mass_mg": None, "why": "few"}

    key = ("--from", verbs.at("chave.json"))
    shown = verbs("blackbox", "totals", verbs.at("totais.json"), *key, "--rate", "glass=90.50")
    assert "R$ 453,77" in shown, "5.014083341 t at R$ 90.50, cut to the cent"
    verbs("blackbox", "check", verbs.at("totais.json"), verbs.at("0.guardada.json"), *key)
    verbs.seal(0)  # sealed anew, with another salt: this row is in no totals yet
    said_out = verbs("blackbox", "check", verbs.at("totais.json"), verbs.at("0.guardada.json"), *key, exit=1)
    assert "Não contada: vidro, MT, 2026" in said_out


def test_who_is_missing_is_named_without_values_and_few_are_not_told(verbs: Verbs) -> None:
    groups = Path(verbs.at("grupos.csv"))
    groups.write_text("empresa;grupo\n" + "".join(f"{one};bebidas\n" for one in COMPANIES[:3]), "utf-8")
    two = verbs.seal(0), verbs.seal(1)
    said = verbs("blackbox", "open-totals", *two, "--name", VERIFIER, "--year", "2026",
                 "--groups", str(groups), "--out", verbs.at("totais.json"))  # fmt: skip
    assert f"Não atualizada: {COMPANIES[2][:8]}" in said
    assert "T12" in said
    sums = json.loads(Path(verbs.at("totais.json")).read_text())["said"]["sums"]
    assert [one["mass_mg"] for one in sums] == [None] * 4, "all, then the group; placed, then returnable"


def test_one_row_is_opened_by_a_request_and_its_company_sees_it(verbs: Verbs, store: Store) -> None:
    sealed = verbs.seal(3)
    row = json.loads(Path(sealed).read_text())["boxes"][0]["commitment"]
    asked = ["blackbox", "open-row", sealed, row[:16], "--name", VERIFIER, "--establishment", COMPANIES[3],
             "--by", "pessoa@verificador.example", "--reason", "conferir a declaração"]  # fmt: skip
    verbs(*asked, "--request", " ", fails="Sem pedido formal")
    assert not Filings(store, sees=COMPANIES[3]).standing(Kind.OPENING, addressee=COMPANIES[3])
    said = verbs(*asked, "--request", "órgão, 2027-0004")
    assert "980,25" in said
    (seen,) = Filings(store, sees=COMPANIES[3]).standing(Kind.OPENING, addressee=COMPANIES[3])
    assert seen.body["request"] == "órgão, 2027-0004"
    assert seen.body["reason"] == "conferir a declaração"
    assert seen.body["what"] == f"uma linha lacrada ({row[:12]})"
    assert not Filings(store, sees=COMPANIES[2]).standing(Kind.OPENING, addressee=COMPANIES[2])


def test_another_key_opens_nothing_and_a_changed_total_is_seen(verbs: Verbs) -> None:
    sealed = [verbs.seal(n) for n in range(3)]
    other = _cnpj("ZZVERI020001")
    verbs("blackbox", "keys", "--name", other, "--out", verbs.at("outra.json"))
    verbs("blackbox", "open-totals", *sealed, "--name", other, "--year", "2026", "--out", verbs.at("t.json"),
          fails="não abre")  # fmt: skip
    verbs(
        "blackbox", "open-totals", *sealed, "--name", VERIFIER, "--year", "2026", "--out", verbs.at("t.json")
    )
    told = json.loads(Path(verbs.at("t.json")).read_text())
    told["said"]["sums"][0]["mass_mg"] = "1"
    Path(verbs.at("t.json")).write_text(json.dumps(told))
    verbs(
        "blackbox",
        "totals",
        verbs.at("t.json"),
        "--from",
        verbs.at("chave.json"),
        fails="não estão assinados",
    )


def test_a_maker_of_metal_is_warned_unless_its_representative_sends(verbs: Verbs) -> None:
    verbs.seal(0, "--through", "gestora")
    assert "art. 38" in verbs.said
    verbs.seal(0, "--through", "representativa")
    assert "Aviso" not in verbs.said
