"""What documents say of the corrected papers' worked figures, and what they refuse to say."""

from __future__ import annotations

import json

import pytest

from lastro.errors import LastroError
from lastro.jsonfile import JsonRefused
from lastro.lawkit import library
from lastro.reports.form import parse
from lastro.reports.public_copy import public_copy
from tests.reports.documents import EL, EXAMPLES, ON, changed, make, texts, value

PERFORMANCE = "documentos/desempenho_eletroeletronicos"
ACCOUNTS = "documentos/contas_da_bolsa"


def test_the_memory_has_tonnes_coefficients_points_money_and_payments():
    data = make("bolsa/trimestre")
    assert value(data, "funds/available/value") == "100000.00"
    assert value(data, "payments/ZZBOLSA1000127/amount") == "43396.23"
    assert value(data, "payments/ZZBOLSA2000171/amount") == "56603.77"
    assert (value(data, "payments/total/points"), value(data, "payments/total/amount")) == ("53", "100000.00")
    assert value(data, "payments/ZZBOLSA1000127/least_to_members") == "39056.61"
    assert value(data, "sold/ZZBOLSA1000127.plastic/points") == "6"
    assert value(data, "coefficients/glass/unit_value") == "200000/53"
    assert not data.blocks


def test_points_by_material_add_up_to_the_points_of_each():
    for name in ("bolsa/trimestre", "bolsa/conta_por_tonelada"):
        data = make(name)
        for row in data.section("payments").rows[:-1]:
            mine = [r for r in data.section("sold").rows if r.key.startswith(row.key)]
            assert sum(r.cells["points"].value for r in mine) == row.cells["points"].value


def test_a_coefficient_that_is_missing_leaves_every_amount_untold():
    data = make("bolsa/sem_coeficiente")
    assert texts(data) == [("B01", "payments")]
    cells = [row.cells["amount"] for row in data.section("payments").rows]
    assert {(cell.value, cell.code) for cell in cells} == {(None, "B01")}
    assert value(data, "funds/granted/value") is None


def test_what_is_left_out_stands_there_with_its_article():
    data = make("bolsa/suspensa_e_atrasada")
    seen = {row.cells["code"].value for row in data.section("left_out").rows}
    assert seen == {"B04", "B05"}
    assert data.cell("sold/ZZBOLSA1000127.glass/points").code == "B02"
    assert value(data, "payments/ZZBOLSA1000127/amount") == "0.00"


def test_too_little_money_blocks_the_memory(tmp_path):
    data = changed("bolsa/trimestre", tmp_path, lambda facts: facts.update(budget_brl="99999.99"))
    assert texts(data) == [("T02", "payments")]
    assert value(data, "payments/total/amount") is None


def test_the_credit_is_what_was_paid_and_the_offset_an_estimate():
    data = make("tfa/com_credito_municipal")
    assert value(data, "credit/state_credit/amount") == "521.71"
    assert value(data, "credit/federal_offset/amount") == "695.61"
    assert not data.blocks


def test_without_a_payment_there_is_no_credit(tmp_path):
    data = changed("tfa/com_credito_municipal", tmp_path, lambda facts: facts.pop("paid_on"))
    assert texts(data) == [("T02", "credit")]
    assert value(data, "credit/state_credit/amount") is None


def test_a_fee_that_cannot_be_told_is_not_zero():
    data = make("tfa/sem_nivel")
    assert texts(data) == [("X06", "assessment")]
    rows = data.section("assessment").rows
    assert {(row.cells["amount"].value, row.cells["amount"].code) for row in rows} == {(None, "X06")}


def test_the_assessment_adds_up():
    data = make("tfa/depois_da_notificacao")
    told = [value(data, f"assessment/{part}/amount") for part in ("amount", "fine", "interest", "total")]
    assert told == ["695.61", "173.90", "14.26", "883.77"]


def test_accounts_that_pass_on_enough_have_nothing_against_them():
    data = make(ACCOUNTS)
    assert not data.blocks
    assert value(data, "received/total/amount") == "170000.00"
    assert value(data, "received/total/passed_on") == "155000.00"
    assert value(data, "checks/balance/found") == "3000.00"
    assert all(row.cells["holds"].value is True for row in data.section("checks").rows)


def test_a_cent_too_little_is_told_and_a_use_that_is_none_is_refused():
    data = make("documentos/contas_da_bolsa_a_menos")
    assert (data.cell("checks/passed_on.1/holds").value, data.cell("checks/passed_on.1/holds").code) == (
        False,
        "B03",
    )
    assert value(data, "checks/passed_on.1/asked") == "39056.61"
    assert texts(data) == [("T06", "checks")]


def test_accounts_cannot_use_more_than_they_received(tmp_path):
    def spend(facts):
        facts["uses"][0]["amount_brl"] = "15000.01"

    data = changed(ACCOUNTS, tmp_path, spend)
    assert value(data, "checks/balance/found") == "-0.01"
    assert texts(data) == [("T06", "checks")]


def test_a_gap_takes_the_sum_and_the_check_with_it(tmp_path):
    data = changed(ACCOUNTS, tmp_path, lambda facts: facts["received"][1].pop("passed_on_brl"))
    assert texts(data) == [("T02", "received.2")]
    assert data.cell("received/total/passed_on").value is None
    assert data.cell("received/total/amount").value is not None
    assert (data.cell("checks/balance/found").value, data.cell("checks/balance/holds").value) == (None, None)


def test_the_performance_report_tells_sums_and_no_company(tmp_path):
    data = make(PERFORMANCE)
    path = "targets/electronics"
    assert [value(data, f"{path}/{name}") for name in ("base", "target", "owed", "achieved")] == [
        "600000", "17", "102000", "102000.5",
    ]  # fmt: skip
    assert (data.cell(f"{path}/met").value, data.cell(f"{path}/companies_short").value) == (False, 1)
    told = {cell.json()["value"] for _, cell in data.cells()}
    assert not told & {"400000", "200000", "70000", "32000.5", "68000", "34000"}
    assert not any("kg" in note for note in data.section("targets").notes)


def test_the_performance_report_checks_what_it_is_told():
    data = make(PERFORMANCE)
    assert not data.blocks
    assert value(data, "checks/unexplained/found") == "0"
    assert value(data, "checks/plans_done/found") == "75"
    assert data.cell("checks/plans_done/holds").value is False


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        (lambda facts: facts["received"][0].update(mass_kg="60000.5"), "T06", "checks"),
        (lambda facts: facts["recyclers"][0].update(mass_kg="62000"), "T06", "checks"),
        (lambda facts: facts["recyclers"].pop(), "T06", "checks"),
        (lambda facts: facts["audits"][0].update(hired_by="group"), "T06", "checks"),
        (lambda facts: facts["audits"][0].update(same_group=True), "T06", "checks"),
        (lambda facts: facts["packaging"][0].pop("placed_kg"), "T02", "packaging.1"),
        (lambda facts: facts.update(points=[]), "T02", "points"),
        (lambda facts: facts.pop("stock"), "T02", "stock.1"),
        (lambda facts: facts.pop("facts"), "T02", "targets"),
        (lambda facts: facts["facts"]["companies"][0].update(placed=[]), "T02", "targets"),
    ],
)
def test_what_is_wrong_or_missing_blocks(change, code, where, tmp_path):
    assert (code, where) in texts(changed(PERFORMANCE, tmp_path, change))


def test_without_an_audit_the_report_goes_on_and_says_so(tmp_path):
    data = changed(PERFORMANCE, tmp_path, lambda facts: facts.pop("audits"))
    assert not data.blocks
    assert (data.cell("checks/audited/holds").value, data.cell("checks/audited/holds").code) == (False, "T02")


def test_the_public_copy_has_nothing_of_what_is_secret(tmp_path):
    whole = make(PERFORMANCE)
    shown = public_copy(whole)
    hidden = [cell for row in shown.section("recyclers").rows for cell in row.cells.values()]
    assert hidden
    assert all((cell.value, cell.provenance) == ("hidden", ()) for cell in hidden)
    assert "Recicladora Exemplo Um" not in json.dumps(shown.json())
    assert {row.cells["found"].value for row in shown.section("checks").rows} == {"hidden"}
    assert shown.section("targets") == whole.section("targets")
    assert shown.digest != whole.digest
    assert "public" in shown.marks
    open_book = changed(PERFORMANCE, tmp_path, lambda facts: facts.pop("secrets"))
    assert public_copy(open_book).section("recyclers") == open_book.section("recyclers")


@pytest.mark.parametrize("lacking", ["ground", "asked_by"])
def test_a_secret_has_its_ground_and_who_asked(lacking, tmp_path):
    data = changed(PERFORMANCE, tmp_path, lambda facts: facts["secrets"][0].pop(lacking))
    assert texts(data) == [("T02", "secrets.1")]
    assert data.cell("checks/secret.1/holds").value is False


def test_only_a_section_that_may_be_secret_is(tmp_path):
    with pytest.raises(LastroError, match=r"secrets\[0\].section"):
        changed(PERFORMANCE, tmp_path, lambda facts: facts["secrets"][0].update(section="municipalities"))


def test_after_the_fifth_year_the_target_is_not_taken_for_the_last(tmp_path):
    def later(facts):
        facts["year"] = facts["facts"]["year"] = 2026
        for company in facts["facts"]["companies"]:
            company["retired"][0]["year"] = 2026

    data = changed(PERFORMANCE, tmp_path, later)
    cell = data.cell("targets/electronics/owed")
    assert (cell.value, cell.code) == (None, "T01")
    assert ("T01", "targets") in texts(data)


def test_the_group_adds_systems_up_and_balances_them():
    data = make("documentos/consolidado_eletroeletronicos")
    assert value(data, "systems/total/destined") == "1000000"
    assert value(data, "checks/system_balance.1/found") == "100000"
    assert value(data, "checks/system_balance.2/found") == "-100000"


def test_a_system_that_told_nothing_is_named(tmp_path):
    name = "documentos/consolidado_eletroeletronicos"
    data = changed(name, tmp_path, lambda facts: facts["systems"][1].pop("delivered_on"))
    assert [block.text for block in data.blocks] == [
        "Sistemas, linha 2: falta “Entregue em” (Decreto 10.240/2020, art. 56, §§ 2º e 3º; art. 20, X)"
    ]


def test_the_metal_results_simulate_and_tell_the_reuse_of_returnables(tmp_path):
    data = make("documentos/resultados_metal")
    assert value(data, "checks/reuse_index/found") == "75"
    assert value(data, "checks/by_recycler.1/asked") == "9200"
    short = changed("documentos/resultados_metal", tmp_path, lambda facts: facts["reuse"].pop("refilled_kg"))
    assert ("T02", "reuse.1") in texts(short)


def test_the_declaration_reaches_what_the_exemption_reaches(tmp_path):
    data = make("documentos/declaracao_de_embalagens")
    assert value(data, "packaging/total/placed") == "1280.5"
    assert value(data, "identification/due/value") == "2027-07-30"

    def outside(facts):
        facts["packaging"][1]["federal_agreement"] = False

    data = changed("documentos/declaracao_de_embalagens", tmp_path, outside)
    assert texts(data) == [("T06", "checks")]


def test_an_operators_file_needs_its_papers_or_what_stands_for_them(tmp_path):
    name = "documentos/ficha_de_operadores"
    assert not make(name).blocks
    data = changed(name, tmp_path, lambda facts: facts["operators"][1].pop("waiver"))
    assert texts(data) == [("T02", "operators.2")] * 2
    data = changed(name, tmp_path, lambda facts: facts["operators"][0].update(licence_to="2026-01-31"))
    assert texts(data) == [("T06", "checks")]
    data = changed(name, tmp_path, lambda facts: facts["operators"][0].update(licence_to="2026-02-01"))
    assert not data.blocks


def test_a_plan_of_communication_lacks_the_content_that_it_lacks(tmp_path):
    assert texts(make("documentos/comunicacao_metal")) == [("T02", "checks")]
    assert "benefícios da reciclagem: falta" in make("documentos/comunicacao_metal").blocks[0].text
    name = "documentos/comunicacao_eletroeletronicos"
    assert not make(name).blocks
    data = changed(name, tmp_path, lambda facts: facts["contents"].pop(3))
    (block,) = data.blocks
    assert "ciclo de vida" in block.text
    assert "art. 42, IV" in block.text
    data = changed(name, tmp_path, lambda facts: facts["aims"].pop())
    assert not data.blocks  # a plan that forgets the packaging is warned of it
    assert data.cell("checks/packaging_returned/holds").value is False


def test_a_theme_without_an_action_or_consumers_left_out_stop_a_plan(tmp_path):
    def whole(facts):
        facts["contents"].append({"subject": "benefits", "text": "x"})

    name = "documentos/comunicacao_metal"
    assert not changed(name, tmp_path, whole).blocks
    for change in (
        lambda facts: facts["plans"].pop(),
        lambda facts: facts["audiences"][0].update(audience="x"),
    ):
        data = changed(name, tmp_path, lambda facts, change=change: (whole(facts), change(facts)))
        assert texts(data) == [("T02", "checks")]


def test_an_audit_without_a_visit_is_no_audit(tmp_path):
    name = "documentos/auditoria_metal"
    data = make(name)
    assert not data.blocks
    assert data.cell("checks/law_kept.2/holds").value is False
    data = changed(name, tmp_path, lambda facts: facts.pop("inspections"))
    assert texts(data) == [("T02", "inspections")]
    data = changed(name, tmp_path, lambda facts: facts["auditor"].update(is_verifier=True))
    assert texts(data) == [("T06", "checks")]


def test_a_qualification_stands_on_the_day_of_the_answer(tmp_path):
    name = "documentos/qualificacao"
    assert not make(name).blocks

    def until(day):
        return lambda facts: facts["verifier_papers"][0].update(valid_to=day)

    assert not changed(name, tmp_path, until("2026-09-05")).blocks
    late = changed(name, tmp_path, until("2026-09-04")).cell("checks/verifier_papers_stand.1/holds")
    assert (late.value, late.code) == (False, "T06")
    assert texts(changed(name, tmp_path, lambda facts: facts.pop("verifier_papers"))) == [
        ("T02", "verifier_papers")
    ]


def test_a_brand_owners_statement_tells_the_days_it_does_not_cover(tmp_path):
    name = "documentos/declaracao_da_detentora"
    data = make(name)
    assert not data.blocks
    assert (value(data, "checks/uncovered_days/found"), data.cell("checks/uncovered_days/holds").value) == (
        59,
        False,
    )
    data = changed(name, tmp_path, lambda facts: facts["declared"].update(made_to_order_covered=False))
    assert texts(data) == [("T06", "checks")]
    data = changed(name, tmp_path, lambda facts: facts["period"].pop("covered_to"))
    assert texts(data) == [("T02", "period.1")]
    assert value(data, "checks/uncovered_days/found") is None


def test_returnables_that_no_invoice_shows_are_told(tmp_path):
    name = "documentos/retornaveis"
    assert not make(name).blocks
    data = changed(name, tmp_path, lambda facts: facts["returnables"][0].update(returned_kg="41000.000001"))
    assert data.cell("checks/returned_proved/holds").value is False
    data = changed(name, tmp_path, lambda facts: facts["invoices"][0].pop("mass_kg"))
    assert texts(data) == [("T02", "invoices.1")]


@pytest.mark.parametrize("who", ["eletroeletronicos", "metal"])
def test_an_individual_system_keeps_its_plan_points_and_proofs(who, tmp_path):
    name = f"documentos/individual_{who}"
    assert not make(name).blocks
    data = changed(
        name, tmp_path, lambda facts: [facts.pop(part) for part in ("plan_version", "points", "destined")]
    )
    assert {where for _, where in texts(data)} == {"plan_version.1", "points", "destined"}
    data = changed(f"documentos/importador_{who}", tmp_path, lambda facts: facts.pop("system_runner"))
    assert {where for _, where in texts(data)} == {"system_runner.1"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"year": 2025}', "entity"),
        ('{"year": 2025, "entity": {"cnpj": "ZZ", "name": "X"}}', "entity.cnpj"),
        ('{"year": 2025, "entity": {}, "pontos": []}', "pontos"),
        ('{"year": 2025, "entity": {}, "points": [{"rua": "x"}]}', "points[0].rua"),
        ('{"year": 2025, "entity": {}, "stock": {"opening_kg": -1}}', "stock.opening_kg"),
        ('{"year": 2025, "entity": {}, "points": [{"point_kind": "round"}]}', "points[0].point_kind"),
        ('{"year": "x"}', "year"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place(text, place):
    with pytest.raises(JsonRefused) as wrong:
        parse(library.find(EL), "performance", text, today=ON)
    assert any(one.startswith(f"{place}:") for one in wrong.value.problems)


def test_coordinates_have_their_bounds():
    text = (EXAMPLES / "documentos/resultados_metal.json").read_text("utf-8")
    for wrong in ("-91", "-90.1", "abc"):
        with pytest.raises(JsonRefused, match="latitude"):
            parse(
                library.find("br/minuta_metal_2022"),
                "group-results",
                text.replace("-15.6014", wrong),
                today=ON,
            )
