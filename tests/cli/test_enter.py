"""`lastro enter` says what a run brought down, and which rows of the lots file speak of nothing."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from lastro.cli import app
from lastro.cli.enter import fallen_of, stale_of
from lastro.stores.postgres.custody import custody
from lastro.units import Mass
from tests.custody.test_chain_settle import CHAIN, COOP, KG, MILL, NORM, PAPER, TODAY, A, B, give, key, sale
from tests.evidence import vectors as v
from tests.ledger.worlds import COMPANY, VERIFIER


def entered(data: Path, folder: Path, *rows: str) -> str:
    """What a run over one note, beside a lots file, writes to who watches it."""
    folder.mkdir(exist_ok=True)
    (folder / "nota.xml").write_bytes(v.authorised())
    (folder / "lote.csv").write_text("chave,item\n" + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    words = ["--data", str(data), "enter", str(folder), "--entity", A, "--norm", NORM, "--year", "2026"]
    answer = CliRunner().invoke(app, [*words, "--workers", "1"])
    assert answer.exit_code in (0, 1), answer.output
    return answer.stderr


def test_rows_of_the_lots_file_that_speak_of_no_item_are_told(store, data, tmp_path):
    own, other = v.Note().access_key, key(9)
    told = entered(data, tmp_path / "a", f"{own},1", f"{own},2", f"{other},1")
    assert f"item 2 da nota {own}: ela tem só o item 1" in told
    assert f"item 1 da nota {other}: a nota ainda não entrou" in told
    assert f"item 1 da nota {own}" not in told
    assert "Atenção" not in entered(data, tmp_path / "a", f"{own},1")
    give(store, A, sale(9, 0, COOP, MILL, 100))
    assert "Atenção" not in entered(data, tmp_path / "b", f"{own},1", f"{other},1")


def test_what_falls_by_a_paper_of_another_key_is_named(store):
    give(store, B, CHAIN[2][1])
    store.homologate(B, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    retired = {"establishment": COMPANY, "year": 2026, "materials": [PAPER], "mass": Mass(90 * KG)}
    store.retire_lots(B, **retired, request="r", happened_on=TODAY)
    with custody(store) as memory:
        before = fallen_of(memory)
    assert before == {}
    give(store, *CHAIN[0])
    with custody(store) as memory:
        (told,) = stale_of(memory, {key(1)}, before=before)
        assert f"{key(3)}/1 (contado em venda anterior da mesma massa, ou vendido antes de comprado)" in told
        assert stale_of(memory, {key(1)}, before=fallen_of(memory)) == []
        assert len(stale_of(memory, {key(3)}, before=fallen_of(memory))) == 1
