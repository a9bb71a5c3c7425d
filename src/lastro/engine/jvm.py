"""A Spark of our own: it stands on this computer alone, is silent, and leaves nothing behind.

Comes in: how many workers. Goes out: a session, and what ends it for good. Nothing of a Spark that may be
set up on this computer is read: neither its folders nor its settings.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lastro.errors import LastroError

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

_JAVA = 17
"""The oldest Java that Spark 4 runs on."""

_LOCAL = "ou use --engine local, que usa todos os núcleos deste computador e não precisa de Java."
_ENDS_WITHIN = 20
_FOREIGN = re.compile(r"^(SPARK_|PYSPARK_)")
"""Settings of another Spark, which ours does not follow."""

_OURS = {
    "SPARK_LOCAL_IP": "127.0.0.1",
    "SPARK_LOCAL_HOSTNAME": "localhost",
    "SPARK_LAUNCHER_OPTS": "-XX:-UsePerfData",
}


class Jvm:
    """A Java process with one Spark session in it. Raises LastroError where it cannot begin."""

    def __init__(self, *, workers: int, rows: int) -> None:
        _look_for_java()
        self._folder = Path(tempfile.mkdtemp(prefix="lastro-spark-"))
        self._gateway: Any = None
        self._context: SparkContext | None = None
        try:
            self.session = self._begin(workers, rows)
        except BaseException:
            self.close()
            raise

    def _begin(self, workers: int, rows: int) -> SparkSession:
        try:
            import pandas  # noqa: F401 (Spark asks for it when it maps Arrow)
            from py4j.protocol import Py4JError
            from pyspark import SparkContext
            from pyspark.errors import PySparkException
            from pyspark.sql import SparkSession
        except ImportError as wrong:
            raise LastroError(
                f"O motor Spark não está instalado (falta {wrong.name}): instale com pip install "
                f'"lastro[spark]", {_LOCAL}'
            ) from wrong
        try:
            with _alone(self._folder), _same_answer_to_ctrl_c():
                context = self._launch(SparkContext, _settings(self._folder, workers=workers, rows=rows))
            context.pythonExec = sys.executable
            context.setLogLevel("ERROR")
            return SparkSession(context)
        except (Py4JError, PySparkException, OSError, EOFError) as wrong:
            raise LastroError(
                f"O Spark não começou ({self.last_words(wrong)}). Confira o Java, {_LOCAL}"
            ) from wrong

    def _launch(self, kind: type[SparkContext], settings: dict[str, str]) -> SparkContext:
        from pyspark import SparkConf
        from pyspark.java_gateway import launch_gateway

        assert kind._active_spark_context is None, "a process has one Spark at a time"
        conf = SparkConf(loadDefaults=False)
        for name, value in settings.items():
            conf.set(name, value)
        with (self._folder / "java.log").open("wb") as log:
            self._gateway = launch_gateway(conf, {"stdout": log, "stderr": log})
        self._context = kind(conf=conf, gateway=self._gateway)
        # Its thread says on standard error that Java went away; it is said by who was waiting for an answer.
        self._context._accumulatorServer.handle_error = lambda *_: None
        return self._context

    @staticmethod
    def carried(function: Callable[..., object]) -> bytes:
        """A function ready to travel, also one that stands in a program's own file."""
        from pyspark import cloudpickle

        return bytes(cloudpickle.dumps(function))

    def last_words(self, wrong: BaseException | None = None) -> str:
        """What Java said last, in one line; else the kind of what went wrong."""
        with suppress(OSError):
            lines = (self._folder / "java.log").read_text("utf-8", "replace").splitlines()
            said = [line.strip() for line in lines if re.search(r"error|exception|not set", line, re.I)]
            if said:
                return said[-1][:200]
        return type(wrong).__name__ if wrong else "sem mensagem"

    def close(self) -> None:
        """End Java and what it started, and remove its files; whatever it was doing is worth nothing now."""
        if self._context is not None:
            self._context._jsc = None  # it is not asked to end: it may be busy, or gone
            self._context.stop()
            self._context = None
        if self._gateway is not None:
            _end(self._gateway.proc)
            with suppress(Exception):  # the other side is gone: there is nothing to take leave of
                self._gateway.shutdown()
            self._gateway = None
            _forget()
        shutil.rmtree(self._folder, ignore_errors=True)


def _look_for_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=os.path.join(home, "bin")) if home else shutil.which("java")
    if java is None:
        raise LastroError(
            f"O motor Spark precisa do Java {_JAVA} ou mais novo, e não o encontrei"
            f"{' em JAVA_HOME' if home else ''}: instale-o (no Debian e no Ubuntu: "
            f"apt install default-jre-headless), {_LOCAL}"
        )
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as wrong:
        raise LastroError(f"O Java deste computador não responde ({java}): confira-o, {_LOCAL}") from wrong
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    if found and int(found[1]) < _JAVA:
        raise LastroError(
            f"O motor Spark precisa do Java {_JAVA} ou mais novo, e este é o {found[1]}: "
            f"instale um mais novo (no Debian e no Ubuntu: apt install default-jre-headless), "
            f"{_LOCAL}"
        )


def _settings(folder: Path, *, workers: int, rows: int) -> dict[str, str]:
    """Loopback only, no page, no progress bar, every file in one folder; one row a task and a batch."""
    java = f"-XX:-UsePerfData -Djava.io.tmpdir={folder} -Dderby.system.home={folder}"
    return {
        "spark.master": f"local[{workers}]",
        "spark.app.name": "lastro",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": java,
        "spark.driver.maxResultSize": "0",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)),
        "spark.local.dir": str(folder),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1",
        "spark.sql.leafNodeDefaultParallelism": str(rows),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While Java is started, no setting of another Spark is seen; afterwards all is as it was."""
    before = dict(os.environ)
    for name in [name for name in os.environ if _FOREIGN.match(name)]:
        del os.environ[name]
    os.environ.update(_OURS, SPARK_CONF_DIR=str(folder))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _same_answer_to_ctrl_c() -> Iterator[None]:
    """Spark takes Ctrl-C for itself when it begins; it is given back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Java ends when its standard input does, and its workers with it; what does not is killed."""
    if process.stdin:
        with suppress(OSError):
            process.stdin.close()
    try:
        process.wait(_ENDS_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _forget() -> None:
    """Spark keeps its Java process for the life of ours; ours is gone, and another may be started."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    SparkContext._gateway = SparkContext._jvm = None
    SparkSession._instantiatedSession = None
    SparkSession._activeSession = None
