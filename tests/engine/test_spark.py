"""Spark keeps the promises of every engine, answers as the local one does, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastro.engine.files import Question, judged
from lastro.engine.local import LocalEngine
from lastro.engine.spark import SparkEngine
from lastro.errors import LastroError
from lastro.evidence import Context, document_json, sources
from lastro.sample.world import build_world
from tests.engine.contract import EngineContract, double, failed
from tests.evidence import vectors as v

PAPERS = Path(__file__).parents[3] / "shared" / "inputs" / "nfe"
JAVA = shutil.which("java")
pytestmark = pytest.mark.spark
java = pytest.mark.skipif(JAVA is None, reason="needs Java 17 (Debian: default-jre-headless)")
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkEngine]:
    """One Spark for all tests that leave it as it is: it takes seconds to begin."""
    with SparkEngine(2) as engine:
        yield engine


@java
class TestSpark(EngineContract):
    @pytest.fixture
    def engine(self, spark: SparkEngine) -> SparkEngine:
        return spark


# ── the same answers ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def dirty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as people hand them in: notes and their cancellation, zips in zips, broken and empty ones."""
    folder = tmp_path_factory.mktemp("entregue")
    inner = folder / "dentro.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("nota.xml", v.authorised(v.Note(number=1)))
        archive.writestr("pasta/leia.txt", "não é nota")
    with zipfile.ZipFile(folder / "fora.zip", "w") as archive:
        archive.write(inner, "dentro.zip")
        archive.writestr("outra.xml", v.authorised(v.Note(number=2)))
    with zipfile.ZipFile(folder / "tres.zip", "w") as archive:
        archive.write(folder / "fora.zip", "fora.zip")
    with zipfile.ZipFile(folder / "vazio.zip", "w"):
        pass
    whole = (folder / "fora.zip").read_bytes()
    (folder / "cortado.zip").write_bytes(whole[: len(whole) // 2])
    (folder / "estragado.zip").write_bytes(whole.replace(b"infNFe", b"infXXX"))
    (folder / "vazio.xml").write_bytes(b"")
    (folder / "cortada.xml").write_bytes(v.authorised(v.Note(number=3))[:700])
    (folder / "pagina.xml").write_bytes(b"<!DOCTYPE html><html/>")
    (folder / "a-evento.xml").write_bytes(v.event(v.Note(number=2).access_key))
    for n in range(3, 150):
        (folder / f"nota-{n:03d}.xml").write_bytes(v.authorised(v.Note(number=n)))
    (folder / "z-copia.xml").write_bytes(v.authorised(v.Note(number=1)))
    return folder


def answers(paths: list[Path], engine: LocalEngine | SparkEngine) -> list[dict[str, object]]:
    context = Context(today=v.TODAY, trust=v.TRUST)
    made = judged(sources(paths), context=context, question=Question(), engine=engine)
    return [document_json(document, verdict) for document, verdict in made]


@java
def test_a_dirty_folder_is_answered_alike(spark: SparkEngine, dirty: Path) -> None:
    made = answers([dirty], spark)
    assert made == answers([dirty], LocalEngine(1))
    codes = {f["code"] for answer in made for f in answer["findings"]}  # type: ignore[attr-defined]
    assert {"F02", "F03", "F04", "F05", "F11", "N10"} <= codes


@java
@pytest.mark.shared
def test_real_documents_are_answered_alike(spark: SparkEngine) -> None:
    made = answers([PAPERS], spark)
    assert len(made) >= 58
    assert made == answers([PAPERS], LocalEngine(1))


@java
@pytest.mark.parametrize("options", [["--json"], []], ids=["json", "table"])
def test_the_command_writes_the_same_bytes_says_nothing_else_and_leaves_nothing(
    dirty: Path, tmp_path: Path, options: list[str]
) -> None:
    world, temporary = tmp_path / "mundo", tmp_path / "tmp"
    build_world(world, seed=7, notes=40)
    temporary.mkdir()
    call = [sys.executable, "-c", "from lastro.cli import main; main()", "verify", str(world), str(dirty),
            "--today", "2026-11-30", "--data", str(tmp_path / "dados"), *options]  # fmt: skip

    def run(engine: str) -> subprocess.CompletedProcess[bytes]:
        env = {**os.environ, "TMPDIR": str(temporary)}
        command = [*call, "--engine", engine, "--workers", "2"]
        return subprocess.run(command, capture_output=True, env=env, cwd=tmp_path, timeout=300)

    here, there = run("local"), run("spark")
    assert (there.stdout, there.returncode, there.stderr) == (here.stdout, 1, b"")
    assert len(here.stdout.splitlines()) > (180 if options else 20)
    assert sorted(p.name for p in temporary.iterdir()) == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mundo", "tmp"]


# ── alone on this computer, and gone afterwards ──────────────────────────────────────────────────────


@java
@linux
def test_nothing_listens_beyond_this_computer(spark: SparkEngine) -> None:
    assert list(spark.map(abs, [-1], failed=failed)) == [1]
    assert spark._jvm is not None
    process = spark._jvm._gateway.proc.pid
    links = [os.readlink(link) for link in Path(f"/proc/{process}/fd").iterdir() if link.is_symlink()]
    sockets = {link[8:-1] for link in links if link.startswith("socket:[")}
    listening = [
        row.split()[1].partition(":")[0]
        for name in ("tcp", "tcp6")
        for row in Path(f"/proc/{process}/net/{name}").read_text().splitlines()[1:]
        if row.split()[3] == "0A" and row.split()[9] in sockets
    ]
    loopback = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}
    assert listening
    assert set(listening) <= loopback


@java
@linux
def test_ctrl_c_ends_it_without_a_process_or_a_file_left(tmp_path: Path) -> None:
    program = (
        "import os, signal, threading, time\n"
        "from lastro.engine.spark import SparkEngine\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "with SparkEngine(2) as engine:\n"
        "    try:\n"
        "        results = engine.map(abs, range(-100000, 0), failed=lambda n, w: 0)\n"
        "        next(results)\n"
        "        java = engine._jvm._gateway.proc.pid\n"
        "        slow = engine.map(time.sleep, [60] * 9, failed=lambda n, w: 0)\n"
        "        threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "        next(slow)\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
        "print('left', os.path.exists(f'/proc/{java}'))\n"
    )
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=env, timeout=200
    )
    assert (done.stdout.strip(), done.stderr) == ("interrupted\nleft False", "")
    assert list(tmp_path.iterdir()) == []


@java
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_java_that_goes_away_is_said_and_another_begins(spark: SparkEngine) -> None:
    results = spark.map(abs, range(-1000, 0), failed=failed)
    assert next(results) == 1000
    assert spark._jvm is not None
    os.kill(spark._jvm._gateway.proc.pid, signal.SIGKILL)
    with pytest.raises(LastroError, match="parou no meio do trabalho"):
        list(results)
    assert list(spark.map(abs, [-7], failed=failed)) == [7]


# ── what is missing is said ──────────────────────────────────────────────────────────────────────────


def test_without_java_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LastroError, match=r"precisa do Java 17 .* não o encontrei: instale-o"):
        list(SparkEngine(1).map(double, [1], failed=failed))


@pytest.mark.skipif(os.name != "posix", reason="a program of the shell")
def test_an_old_java_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(LastroError, match="e este é o 8"):
        list(SparkEngine(1).map(double, [1], failed=failed))


@java
def test_without_the_library_it_is_said_how_to_bring_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(LastroError, match=r"falta pyspark.*lastro\[spark\]"):
        list(SparkEngine(1).map(double, [1], failed=failed))


def test_with_nothing_to_do_nothing_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(SparkEngine(1).map(double, [], failed=failed)) == []
