"""What a system keeps, as its norm asks: what lacks or contradicts itself stops the document."""

from __future__ import annotations

import pytest

from tests.reports.documents import changed

EL_BUDGET = "documentos/orcamento_eletroeletronicos"


def codes(data) -> list[str]:
    return [block.code for block in data.blocks]


def test_the_funds_cover_each_stage_to_the_cent(tmp_path):
    def set_funding(value):
        return lambda facts: facts["budget"][1].update(funding_brl=value)

    for value, stopped in (("30500.49", ["T06"]), ("30500.50", []), ("30500.51", [])):
        assert codes(changed(EL_BUDGET, tmp_path, set_funding(value))) == stopped, value


def test_a_stage_that_nobody_told_of_is_missing_and_not_free(tmp_path):
    data = changed(EL_BUDGET, tmp_path, lambda facts: facts["budget"].pop())
    assert codes(data) == ["T02"]


@pytest.mark.parametrize(("end", "stopped"), [("2026-01-31", ["T06"]), ("2026-02-01", []), (None, [])])
def test_an_instrument_begins_before_it_ends(tmp_path, end, stopped):
    def change(facts):
        facts["instrument"].pop("to")
        if end:
            facts["instrument"]["to"] = end

    assert codes(changed("documentos/instrumento_eletroeletronicos", tmp_path, change)) == stopped


def test_a_cooperative_is_constituted_and_enabled(tmp_path):
    def change(facts):
        facts["instrument"]["enabled"] = False

    for name in ("documentos/instrumento_eletroeletronicos", "documentos/instrumento_metal"):
        assert codes(changed(name, tmp_path, change)) == ["T06"]


@pytest.mark.parametrize(("on", "stopped"), [("2028-05-31", []), ("2028-06-01", ["T06"])])
def test_a_provider_is_licensed_on_the_day_it_is_enabled(tmp_path, on, stopped):
    data = changed(
        "documentos/prestador_eletroeletronicos", tmp_path, lambda f: f["provider"].update(enabled_on=on)
    )
    assert codes(data) == stopped


@pytest.mark.parametrize(("on", "stopped"), [("2026-02-01", []), ("2026-02-02", ["T06"])])
def test_a_city_agreed_before_its_service_began(tmp_path, on, stopped):
    data = changed(
        "documentos/acordo_municipal_eletroeletronicos",
        tmp_path,
        lambda f: f["agreement"].update(agreed_on=on),
    )
    assert codes(data) == stopped


@pytest.mark.parametrize(("paid", "stopped"), [("1799.99", ["T06"]), ("1800.00", []), ("1800.01", [])])
def test_a_city_gets_what_its_tonnes_are_worth(tmp_path, paid, stopped):
    data = changed(
        "documentos/compensacao_a_municipios",
        tmp_path,
        lambda f: f["city_compensation"][0].update(amount_brl=paid),
    )
    assert codes(data) == stopped


def test_a_manual_tells_all_three(tmp_path):
    data = changed("documentos/manual_eletroeletronicos", tmp_path, lambda f: f["manual"].pop())
    assert codes(data) == ["T02"]
