"""The set-up and the checks of the tree, as far as they can be tried without installing anything."""

import importlib.machinery
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lastro.ids import cnpj_check_digits, is_cpf

HERE = Path(__file__).parents[1]


def script(name: str) -> ModuleType:
    loader = importlib.machinery.SourceFileLoader(Path(name).stem + "_script", str(HERE / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return script("run")


def test_a_python_that_is_too_old_is_told_what_to_do(run, monkeypatch, capsys):
    monkeypatch.setattr(run, "OLDEST", (9, 0))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit) as ended:
        run.need_python()
    assert ended.value.code == 2
    assert "precisa do Python 9.0" in capsys.readouterr().err


def test_an_unknown_task_shows_the_tasks(run, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run", "dance"])
    assert run.main() == 2
    assert "./run demo" in capsys.readouterr().out


def test_the_environment_stands_only_for_its_python_place_and_locks(run, monkeypatch, tmp_path):
    lock = tmp_path / "a.lock"
    lock.write_text("x==1")
    monkeypatch.setattr(run, "HERE", tmp_path)
    monkeypatch.setattr(run, "STAMP", tmp_path / "stamp.json")
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    assert run.standing() is None
    made = {"python": sys.version, "here": str(tmp_path), "locks": {"a.lock": run.digest("a.lock")}}
    run.STAMP.write_text(run.json.dumps(made))
    assert run.standing() == made
    lock.write_text("x==2")
    assert run.standing() is None


def test_what_was_left_out_is_counted_by_reason(run, tmp_path):
    report = tmp_path / "report.xml"
    report.write_text('<a><skipped message="sem Java"/><skipped message="sem Java"/><skipped/></a>')
    assert run.skipped(report) == {"sem Java": 2, "sem razão": 1}
    assert run.skipped(tmp_path / "none.xml") == {}


def test_the_locks_name_every_file_by_its_hash_and_no_address():
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (HERE / name).read_text("utf-8")
        assert "://" not in text
        assert "index" not in text
        entries = text.replace("\\\n", " ").strip().splitlines()
        assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)


def test_the_dev_lock_holds_the_other():
    def pins(name: str) -> set[str]:
        return {li.split()[0] for li in (HERE / name).read_text().splitlines() if "==" in li.split(";")[0]}

    assert pins("requirements.lock") <= pins("requirements-dev.lock")


def a_cpf() -> str:
    base = 10**10
    return next(str(n) for n in range(base, base + 100) if is_cpf(str(n)))


def a_numeric_cnpj() -> str:
    return "990000000001" + cnpj_check_digits("990000000001")


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("nothing to see in 12345678901", 0),
        (f"a person {a_cpf()} here", 1),
        (f"a longer number 1{a_cpf()}", 0),
        (f"a firm {a_numeric_cnpj()}", 1),
        ("see /ho" + "me/ana/x", 1),
        ("see <br>/home page", 0),
        ("index of files.python" + "hosted.org", 1),
    ],
)
def test_what_must_not_stand_in_the_tree_is_found(line, faults):
    assert len(script("tools/check_tree.py").faults(line)) == faults


def test_links_that_lead_nowhere_are_found(tmp_path):
    page = tmp_path / "a.md"
    page.write_text("[a](a.md#x) [b](b.md) [c](https://example.org) [d](#here)")
    assert script("tools/check_docs.py").broken(page) == ["b.md"]


def test_the_scripts_are_executable_and_readable_by_their_interpreters():
    assert (HERE / "run").stat().st_mode & 0o111
    assert (HERE / ".ci" / "run").stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", str(HERE / ".ci" / "run")], check=False).returncode == 0
