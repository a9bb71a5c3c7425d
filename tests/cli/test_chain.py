"""`lastro chain` lists the resales that count less, and tells what stands behind one."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from lastro.cli import app
from lastro.errors import LastroError
from tests.custody.test_chain_settle import CHAIN, COOP, DEALER, KG, MILL, A, B, give, key, sale


@pytest.fixture
def ask(store, data):
    for one in CHAIN:
        give(store, *one)

    def run(*words: str):
        return CliRunner().invoke(app, ["--data", str(data), "chain", *words])

    return run


def test_a_resale_that_counts_less_is_listed(ask):
    answer = ask("--json")
    assert answer.exit_code == 0, answer.output
    (row,) = map(json.loads, answer.stdout.splitlines())
    assert (row["access_key"], row["claimed_mg"], row["upstream_counted_mg"]) == (key(3), 100 * KG, 40 * KG)
    assert row["unknown_origin_mg"] == 0
    shown = ask()
    assert key(3) in shown.output
    assert "40 kg" in shown.output
    assert ask("--year", "2025").output.startswith("Nenhuma revenda")


def test_a_resale_tells_its_purchases(ask):
    answer = ask(f"{key(3)}/1", "--json")
    told = json.loads(answer.stdout)
    assert {step["access_key"] for step in told["steps"]} == {key(1), key(2)}
    assert all(step["bought"] for step in told["steps"])
    assert (told["steps"][-1]["clean_mg"], told["steps"][-1]["spent_mg"]) == (60 * KG, 40 * KG)
    assert (told["upstream_counted_mg"], told["seller_excess_mg"]) == (40 * KG, 40 * KG)
    shown = ask(f"{key(3)}/1").output
    assert "40 kg já foram contados antes, 0 kg não têm origem conhecida; contam 60 kg" in shown
    assert "ao menos 40 kg" in shown


def test_a_sale_before_its_purchase_is_told_with_the_purchase(store, data):
    give(store, A, sale(1, 12, COOP, DEALER, 5000))
    give(store, B, sale(2, 11, DEALER, MILL, 4800))

    def run(*words: str) -> str:
        return CliRunner().invoke(app, ["--data", str(data), "chain", *words]).stdout

    (row,) = map(json.loads, run("--json").splitlines())
    assert (row["before_purchase_mg"], row["waiting_purchase_mg"]) == (4800 * KG, 0)
    assert json.loads(run(f"{key(2)}/1", "--json"))["before_purchase_mg"] == 4800 * KG
    said = f"4.800 kg foram vendidos antes da compra, a nota {key(1)}: duas pessoas decidem."
    assert said in run(f"{key(2)}/1")
    assert "A explicar: vendida antes da compra" in run()


def test_where_mass_begins_there_is_no_story_behind(ask):
    answer = ask(f"{key(1)}/1")
    assert answer.exit_code == 0
    assert "A massa começa aqui" in answer.output


def test_an_unknown_sale_is_said(ask):
    answer = ask(f"{key(9)}/1")
    assert isinstance(answer.exception, LastroError)
    assert "não é o item de uma venda conhecida" in str(answer.exception)
