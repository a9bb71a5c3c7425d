"""`lastro verify`, from a folder of files to JSON Lines, tables and Parquet."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.serialization import Encoding

from lastro.cli import app
from lastro.errors import LastroError
from tests.evidence import vectors as v

NORM = "mt/decreto_1455_2025"
GOOD, CANCELLED, SPARE = v.Note(number=1), v.Note(number=2), v.Note(number=3, items=[v.Item(unit="UN")])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of notes with a cancellation, a zip, a page saved by mistake; roots; a registry."""
    folder = tmp_path_factory.mktemp("mundo")
    notes, trust = folder / "notas", folder / "trust"
    notes.mkdir()
    trust.mkdir()
    (notes / "a.xml").write_bytes(v.authorised(GOOD))
    (notes / "b-evento.xml").write_bytes(v.event(CANCELLED.access_key))
    (notes / "c.xml").write_bytes(v.authorised(CANCELLED))
    (notes / "d.html").write_bytes(b"<!DOCTYPE html><html/>")
    with zipfile.ZipFile(notes / "e.zip", "w") as archive:
        archive.writestr("copia.xml", v.authorised(GOOD))
        archive.writestr("f.xml", v.authorised(SPARE))
    for name, made in (("raiz", v.root()), ("ac", v.intermediate())):
        (trust / f"test-{name}.pem").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "cadastro.json").write_text(json.dumps(registry()), "utf-8")
    return folder


def registry() -> dict[str, list[dict[str, Any]]]:
    def party(cnpj: str, name: str) -> dict[str, Any]:
        return {"cnpj": cnpj, "name": name, "municipality": "5107909", "uf": "MT"}

    papers = dict.fromkeys(("cnpj_ok", "registrations_ok", "licence_ok", "permit_ok"), True)
    return {
        "parties": [party(v.COOP, "Cooperativa"), party(v.MILL, "Papeleira"), party(v.ENTITY, "Gestora")],
        "roles": [
            {"cnpj": v.COOP, "role": "operator", "origin": "picker_entity", "from": "2025-01-01"},
            {"cnpj": v.MILL, "role": "recycler", "from": "2025-01-01"},
            {"cnpj": v.ENTITY, "role": "managing_entity", "from": "2025-01-01"},
        ],
        "vettings": [
            {"operator": v.COOP, "entity": v.ENTITY, "from": "2026-01-01", "to": "2026-12-31", **papers}
        ],
    }


def run(world: Path, *options: str) -> Result:
    base = ["verify", str(world / "notas"), "--today", v.TODAY.isoformat(), "--data", str(world / "data")]
    return CliRunner().invoke(app, [*base, *options])


def full(world: Path) -> list[str]:
    return ["--norm", NORM, "--year", "2026", "--entity", v.ENTITY, "--trust", str(world / "trust"),
            "--registry", str(world / "cadastro.json")]  # fmt: skip


def lines(result: Result) -> dict[str, dict[str, Any]]:
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    return {Path(a["file"]).name + (f"!{a['member']}" if a["member"] else ""): a for a in answers}


def codes(answer: dict[str, Any]) -> set[str]:
    every = [*answer["findings"], *(f for line in answer["lines"] for f in line["findings"])]
    return {f["code"] for f in every} - {"N18"}


def test_every_document_is_answered_and_a_refusal_ends_with_one(world: Path) -> None:
    result = run(world, *full(world), "--json")
    assert result.exit_code == 1
    answers = lines(result)
    assert {name: (a["verdict"], codes(a)) for name, a in answers.items()} == {
        "a.xml": ("admitted", set()),
        "b-evento.xml": ("admitted", set()),
        "c.xml": ("refused", {"N10"}),
        "d.html": ("refused", {"F04"}),
        "e.zip!copia.xml": ("admitted", {"F11"}),
        "e.zip!f.xml": ("review", {"M01"}),
    }
    assert answers["a.xml"]["basis"] == "test"
    assert answers["c.xml"]["status"] == "cancelled"
    assert answers["a.xml"]["lines"][0]["mass_mg"] == 1_250_000_000
    assert answers["e.zip!f.xml"]["lines"][0]["mass_mg"] is None


def test_nothing_refused_ends_with_zero(world: Path) -> None:
    result = CliRunner().invoke(
        app, ["verify", str(world / "notas" / "a.xml"), *full(world), "--today", "2027-03-15"]
    )
    assert result.exit_code == 0


def test_two_processes_say_the_same_as_one(world: Path, tmp_path: Path) -> None:
    for n in range(90):
        (tmp_path / f"{n:02d}.xml").write_bytes(v.sign(v.Note(number=n + 1).xml()))
    base = ["verify", str(tmp_path), "--json", "--today", "2027-03-15", "--trust", str(world / "trust")]
    one = CliRunner().invoke(app, [*base, "--workers", "1"])
    two = CliRunner().invoke(app, [*base, "--workers", "2"])
    assert len(one.stdout.splitlines()) == 90
    assert one.stdout == two.stdout


def test_a_person_reads_counts_cures_masses_and_the_refused(world: Path) -> None:
    text = run(world, *full(world)).stdout
    for words in ("recusadas", "N10", "cancelada", "c.xml", "d.html", "1.250 kg", "TESTE"):
        assert words in text, words
    english = run(world, *full(world), "--lang", "en").stdout
    assert "The invoice was cancelled, or the MTR was." in english


def test_whether_files_follow_their_schema_is_told_when_asked_and_decides_nothing(world: Path) -> None:
    pytest.importorskip("nfelib")
    plain = lines(run(world, *full(world), "--json"))
    asked = lines(run(world, *full(world), "--json", "--schema"))
    told = {name: answer.pop("schema")["state"] for name, answer in asked.items()}
    assert {answer.pop("schema")["state"] for answer in plain.values()} == {"not_checked"}
    assert (told["a.xml"], told["d.html"]) == ("invalid", "not_checked")
    assert asked == plain
    assert "não segue o XSD" in run(world, *full(world), "--schema").stdout
    assert "XSD" not in run(world, *full(world)).stdout


def test_without_roots_and_norm_all_is_review_at_most(world: Path) -> None:
    answers = lines(run(world, "--json"))
    assert (answers["a.xml"]["verdict"], codes(answers["a.xml"])) == ("review", {"S05"})
    assert all(not line["counts"] for a in answers.values() for line in a["lines"])


def test_parquet_has_what_json_has(world: Path, tmp_path: Path) -> None:
    import duckdb

    result = run(world, *full(world), "--json", "--out", str(tmp_path / "out"))
    made = [json.loads(line) for line in result.stdout.splitlines()]

    def ask(query: str) -> list[tuple[Any, ...]]:
        return duckdb.sql(query).fetchall()

    table = {n: f"'{tmp_path}/out/{n}.parquet'" for n in ("documents", "lines", "findings")}
    assert ask(f"select count(*) from {table['documents']}") == [(len(made),)]
    assert ask(f"select count(*), sum(mass_mg)::bigint from {table['lines']} where counts") == [
        (2, 2_500_000_000)
    ]
    assert ask(f"select line, severity from {table['findings']} where code = 'M01'") == [(1, "review")]
    assert (
        sum(len(a["findings"]) + sum(len(x["findings"]) for x in a["lines"]) for a in made)
        == ask(f"select count(*) from {table['findings']}")[0][0]
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--norm", "mt/nada"], "Norma desconhecida"),
        (["--trust", "/nada/aqui"], "não existe"),
        (["--registry", "/nada.json"], "cadastro"),
    ],
)
def test_a_wrong_set_up_says_what_to_do(world: Path, options: list[str], words: str) -> None:
    result = run(world, *options)
    assert isinstance(result.exception, LastroError)
    assert words in str(result.exception)


def test_a_store_named_by_data_lends_its_registry(world: Path, data: Path) -> None:
    at = ["--data", str(data), "--today", v.TODAY.isoformat()]
    loaded = CliRunner().invoke(app, ["registry", "load", str(world / "cadastro.json"), *at])
    assert loaded.exit_code == 0, loaded.output
    named = [
        "--norm",
        NORM,
        "--year",
        "2026",
        "--entity",
        v.ENTITY,
        "--trust",
        str(world / "trust"),
        "--json",
    ]
    answers = lines(CliRunner().invoke(app, ["verify", str(world / "notas"), *named, *at]))
    assert (answers["a.xml"]["verdict"], codes(answers["a.xml"])) == ("admitted", set())
