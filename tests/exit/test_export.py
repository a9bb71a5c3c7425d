"""An export carries everything and no contact of people; what is changed in it is found without a server."""

from __future__ import annotations

import ast
import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lastro.certificates.states import RULES, STEPS
from lastro.cli import main
from lastro.errors import LastroError
from lastro.exit import export, verificar
from lastro.ledger import audit as ledger_audit
from lastro.stores.postgres import Store
from tests.certificates.test_life import EVERY, cancel, offer, sell, split, withdraw
from tests.certificates.worlds import authorise, issue, retire, walk
from tests.custody.test_settle import A

BOUND = ("elos", "lancamentos", "cadeias", "saldos", "declaracoes", "certificados", "movimentos", "papeis")
"""Files of which every byte that the chain covers is found to be changed, whoever makes the manifest anew."""


def fill(store: Store) -> None:
    """Two notes of one entity, and a certificate in every state."""
    book = walk(store)
    assert isinstance(offer(book, "o1", entity=A, allows=EVERY), dict)
    for move in (sell, authorise, issue, split):
        assert isinstance(move(book), dict)
    assert isinstance(issue(book, "c1.a"), dict)
    assert isinstance(cancel(book, "i"), dict)
    assert isinstance(retire(book, "c1.a"), dict)
    assert isinstance(cancel(book, "c1.a"), dict), "also after it was used"
    assert isinstance(withdraw(book, "o2"), dict)


@pytest.fixture(scope="module")
def filled(module_base):
    store = Store(module_base.conninfo())
    fill(store)
    yield store
    store.close()


@pytest.fixture(scope="module")
def pristine(filled, tmp_path_factory):
    """One export, never changed."""
    place = tmp_path_factory.mktemp("saida") / "e"
    export(filled, place)
    return place


@pytest.fixture
def folder(pristine, tmp_path):
    """A copy of it, to be changed."""
    return Path(shutil.copytree(pristine, tmp_path / "copia"))


def found(place, **more):
    """The names of the checks that failed, and the first words of each."""
    return [(c.name, c.failures[0]) for c in verificar.verify(str(place), **more).checks if c.failed]


def remade(folder: Path) -> None:
    """Make the manifest anew for what stands in the folder, as who changed a file with care would."""
    told = json.loads((folder / "manifesto.json").read_text("utf-8"))
    for file in told["files"]:
        body = (folder / file["name"]).read_bytes()
        file["bytes"], file["sha256"] = len(body), hashlib.sha256(body).hexdigest()
        if file["rows"] is not None:
            file["rows"] = body.count(b"\n")
    body = verificar.canonical(told)
    (folder / "manifesto.json").write_bytes(body)
    digest = hashlib.sha256(body).hexdigest()
    (folder / "manifesto.sha256").write_text(f"{digest}  manifesto.json\n", "utf-8")


def flipped(body: bytes, at: int, by: random.Random) -> bytes:
    return body[:at] + bytes([body[at] ^ by.randrange(1, 256)]) + body[at + 1 :]


def test_what_was_exported_holds_and_all_of_it_was_looked_at(pristine):
    seen = verificar.verify(str(pristine)).checks
    assert [f for c in seen for f in c.failures] == []
    counted = {c.name.partition(":")[0]: c.counted for c in seen}
    assert counted["certificados"] == 10
    assert counted["itens"] == 2
    assert all(counted.values()), counted


def test_it_runs_alone_with_nothing_but_the_standard_library(pristine, tmp_path):
    for name, code in ((pristine, 0), (tmp_path / "nada.zip", 2)):
        command = [sys.executable, "-I", "-S", pristine / "verificar.py", name]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == code, done.stdout + done.stderr


def test_python_3_8_reads_it():
    source = Path(verificar.__file__).read_text("utf-8")
    tree = ast.parse(source, feature_version=(3, 8))
    modules = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    modules |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert {m.partition(".")[0] for m in modules} <= sys.stdlib_module_names


def test_its_tables_are_those_of_the_house():
    steps = {(s, m): str(after) for s, moves in STEPS.items() for m, after in moves.items() if after in STEPS}
    assert steps == verificar.STEPS
    assert {str(move): str(rule.effect) for move, rule in RULES.items()} == verificar.EFFECTS
    assert ledger_audit._WAYS == verificar.WAYS


def test_the_same_store_gives_the_same_bytes(filled, pristine, tmp_path):
    export(filled, tmp_path / "de_novo")
    for path in pristine.iterdir():
        assert (tmp_path / "de_novo" / path.name).read_bytes() == path.read_bytes(), path.name
    for name in ("a.zip", "b.zip"):
        export(filled, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert found(tmp_path / "a.zip") == []


def test_a_second_reader_comes_to_the_totals_of_the_store(filled, pristine):
    rows = [json.loads(x) for x in (pristine / "lancamentos.jsonl").read_text("utf-8").splitlines()]
    held: Counter[str] = Counter()
    for row in rows:
        held[row["debit"]] -= row["mass_mg"]
        held[row["credit"]] += row["mass_mg"]
    lots = {a: mg for a, mg in held.items() if a.startswith("lot/")}
    assert lots == {f"lot/{x.lot.access_key}/{x.lot.line}/{x.lot.claimant}": x.mass.mg for x in filled.lots()}
    kept = sum(r.fact.mass.mg for r in filled.retired(company=None))
    assert sum(mg for a, mg in held.items() if a.startswith("retired/")) == kept > 0


def test_fifty_single_bytes_changed_anywhere_are_found(folder):
    by, named = random.Random(20261201), Counter()
    files = sorted(folder.iterdir())
    for turn in range(50):
        path = files[turn % len(files)]
        body = path.read_bytes()
        if not body:
            path = folder / "elos.jsonl"
            body = path.read_bytes()
        at = by.randrange(len(body))
        path.write_bytes(flipped(body, at, by))
        said = found(folder)
        path.write_bytes(body)
        assert said, f"{path.name}, byte {at}"
        named[said[0][0]] += 1
    print(dict(named))
    assert found(folder) == []


def test_fifty_bytes_changed_with_the_manifest_made_anew_are_found(folder):
    by, named = random.Random(7), Counter()
    noted = {n: (folder / n).read_bytes() for n in ("manifesto.json", "manifesto.sha256")}
    for turn in range(50):
        path = folder / f"{BOUND[turn % len(BOUND)]}.jsonl"
        body = path.read_bytes()
        loose = [m.span(1) for m in re.finditer(rb'"happened_on":"([^"]*)"', body)]
        free = path.name == "declaracoes.jsonl"  # the day of a statement is not in its link
        places = [i for i in range(len(body)) if not (free and any(a <= i < b for a, b in loose))]
        at = by.choice(places)
        path.write_bytes(flipped(body, at, by))
        remade(folder)
        said = found(folder)
        path.write_bytes(body)
        for name, whole in noted.items():
            (folder / name).write_bytes(whole)
        assert said, f"{path.name}, byte {at}"
        assert not any(name.startswith("manifesto") for name, _ in said)
        named[said[0][0]] += 1
    print(dict(named))
    assert found(folder) == []


def test_no_byte_of_a_certificate_s_row_is_free(folder):
    """Every field that a row says, one at a time, also of what stands in the place of another."""
    path = folder / "certificados.jsonl"
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    for at, name in [(at, name) for at, row in enumerate(rows) for name in row]:
        row = dict(rows[at])
        if row[name] is None and name in ("number", "parent"):
            continue
        row[name] = {"allows": ["sell"], "materials": ["paper"], "parent": "p"}.get(
            name, row[name] + 1000 if isinstance(row[name], int) else f"{row[name] or ''}x"
        )
        lines = [verificar.canonical(row if n == at else other) for n, other in enumerate(rows)]
        path.write_bytes(b"".join(lines))
        remade(folder)
        assert found(folder), (at, name)


MEANT: dict[str, tuple[str, bytes, bytes, str]] = {
    "a note that weighs less than was counted": (
        "itens.jsonl", rb'"mass_mg":\d+', b'"mass_mg":1000', "itens"),
    "a balance": ("saldos.jsonl", rb'"mass_mg":\d+', b'"mass_mg":1', "saldos"),
    "one person alone": (
        "certificados.jsonl", rb'"prepared_by":"ana"', b'"prepared_by":"BIA "', "certificados"),
    "a certificate's number": ("papeis.jsonl", rb"CRE-2026-.", b"CRE-2026-0", "certificados"),
    "mass of an entry": ("lancamentos.jsonl", rb'"mass_mg":\d+', b'"mass_mg":5', "cadeias"),
    "a document without its digest": (
        "documentos.jsonl", rb'"sha256":"....', b'"sha256":"zzzz', "documentos"),
}  # fmt: skip


@pytest.mark.parametrize("what", MEANT)
def test_what_is_changed_with_care_is_found_by_the_check_that_counts_it(folder, what):
    name, pattern, value, check = MEANT[what]
    body = (folder / name).read_bytes()
    changed = re.sub(pattern, value, body, count=1)
    assert changed != body
    (folder / name).write_bytes(changed)
    remade(folder)
    assert check in {told.partition(":")[0].partition(",")[0] for told, _ in found(folder)}


def test_a_line_taken_away_with_care_is_found(folder):
    for name in (f"{bound}.jsonl" for bound in BOUND):
        body = (folder / name).read_bytes()
        (folder / name).write_bytes(body[: body.rstrip(b"\n").rfind(b"\n") + 1])
        remade(folder)
        assert found(folder), name
        (folder / name).write_bytes(body)


def test_what_no_chain_covers_is_bound_by_the_digest_that_was_noted(folder):
    noted = hashlib.sha256((folder / "manifesto.json").read_bytes()).hexdigest()
    path = folder / "itens.jsonl"
    path.write_bytes(re.sub(rb'"mass_mg":(\d+)', rb'"mass_mg":9\1', path.read_bytes(), count=1))
    remade(folder)
    assert found(folder) == [], "a heavier note contradicts nothing that is in the export"
    assert "manifesto" in found(folder, asked=noted)[0][0]


def test_files_in_hand_are_compared_with_their_digests(pristine, tmp_path):
    (tmp_path / "papel.pdf").write_bytes(b"%PDF")
    assert found(pristine, folder=str(tmp_path)) == []
    (tmp_path / "outro.pdf").write_bytes(b"%PDX")
    assert [told.partition(":")[0] for _, told in found(pristine, folder=str(tmp_path))] == ["outro.pdf"]


def test_nothing_is_written_over_and_nothing_is_left_half(filled, tmp_path, monkeypatch):
    (tmp_path / "ali").mkdir()
    with pytest.raises(LastroError, match="já existe"):
        export(filled, tmp_path / "ali")
    monkeypatch.setattr("lastro.exit.writing._sha256", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export(filled, tmp_path / "nova")
    assert [p.name for p in tmp_path.iterdir()] == ["ali"]


def test_people_stay_out_of_the_registry_and_the_verb_says_how_to_check(data, store, tmp_path, capsys):
    person = "0" * 9 + "91"
    rows = [{"cnpj": A, "name": "Entidade", "contact": "fulana@exemplo"}, {"cnpj": person, "name": "Fulano"}]
    with store.transaction() as db:
        db.execute("INSERT INTO registry_load (source, sha256, loaded_on) VALUES ('x', 'x', '2026-01-01')")
        for row in rows:
            db.execute(
                "INSERT INTO registry_row (load, kind, natural_key, body) SELECT max(id), 'parties', %s, %s "
                "FROM registry_load",
                [row["cnpj"], json.dumps(row)],
            )
    with pytest.raises(SystemExit) as ended:
        main(["export", str(tmp_path / "s"), "--data", str(data)])
    assert ended.value.code == 0
    text = (tmp_path / "s" / "cadastro.jsonl").read_text("utf-8")
    assert A in text
    assert not any(word in text for word in ("fulana", person))
    digest = hashlib.sha256((tmp_path / "s" / "manifesto.json").read_bytes()).hexdigest()
    assert f"--resumo {digest}" in capsys.readouterr().out
    assert found(tmp_path / "s", asked=digest) == []
