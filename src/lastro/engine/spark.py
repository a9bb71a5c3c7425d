"""The engine of Apache Spark: the same function over partitions, with the same answers in the same order.

Items travel in batches, one batch a row of binary data, and a bounded number of rows is one job. So Spark
sees few large rows, which it is good at, and never one row for each small file, which it is not.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Self, TypeVar

from lastro.engine.batches import DIED, Raised, cores, in_batches, run, told
from lastro.engine.jvm import Jvm
from lastro.errors import LastroError

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession

Item = TypeVar("Item")
Result = TypeVar("Result")

_ROWS_PER_WORKER = 4
_WAVE_SIZE = 64_000_000
"""A wave of rows that weighs this much is full, however many workers there are: it stands in memory."""

_DIED = "Python worker exited unexpectedly"
"""How Spark says that a process of ours ended."""


class SparkEngine:
    """A Spark on this computer, started when there is something to do and ended by `close`.

    Raises LastroError where Java or Spark is missing, does not begin, or goes away while it works.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or cores()
        self._jvm: Jvm | None = None
        self._waiting: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End Spark, whatever it is doing, and remove its files. May be called more than once."""
        if self._jvm is not None:
            self._jvm.close()
            self._jvm = None
        if self._waiting is not None:
            self._waiting.shutdown(cancel_futures=True)
            self._waiting = None

    def map(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        failed: Callable[[Item, str], Result],
        size: Callable[[Item], int] = lambda item: 1,
    ) -> Iterator[Result]:
        """See `Engine.map`. A worker that dies costs a search for its item, not the answers of others."""
        asked = b""
        for wave in _waves(in_batches(items, size), size, most=self._rows):
            asked = asked or self._begun().carried(function)
            results = self._results(asked, wave, size)
            yield from told(list(chain.from_iterable(wave)), results, failed)

    def _begun(self) -> Jvm:
        if self._jvm is None:
            self._jvm = Jvm(workers=self.workers, rows=self._rows)
        return self._jvm

    @property
    def _rows(self) -> int:
        return self.workers * _ROWS_PER_WORKER

    def _results(self, asked: bytes, wave: list[list[Any]], size: Callable[[Any], int]) -> list[Any]:
        """One result an item, in order; where a worker died, halves are tried until it is known on which."""
        if self._waiting is None:
            self._waiting = ThreadPoolExecutor(1)
        try:
            # In another thread, since Spark waits until its job has ended, and Ctrl-C must not wait for that.
            return self._waiting.submit(_job, self._begun().session, asked, wave).result()
        except _Lost as lost:
            items = list(chain.from_iterable(wave))
            if len(items) > 1:
                half = len(items) // 2
                parts = (list(in_batches(part, size)) for part in (items[:half], items[half:]))
                return [result for part in parts for result in self._results(asked, part, size)]
            if lost.died:
                return [Raised(DIED)]
            raise self._stopped(lost) from lost
        except _Gone as gone:
            raise self._stopped(gone) from gone

    def _stopped(self, wrong: Exception) -> LastroError:
        """What is said of a Spark that is of no more use; another is started when there is more to do."""
        said = self._jvm.last_words(wrong) if self._jvm else ""
        self.close()
        return LastroError(f"O Spark parou no meio do trabalho ({said}). Repita, ou use --engine local.")


class _Gone(Exception):
    """Spark no longer answers, or cannot do what it is asked."""


class _Lost(Exception):
    """A job that Spark gave up: a process of ours died, or something of Spark's did not work."""

    @property
    def died(self) -> bool:
        return _DIED in str(self)


def _job(session: SparkSession, asked: bytes, wave: list[list[Any]]) -> list[Any]:
    """The results of a wave of rows, in order. Raises _Lost where Spark gave up, _Gone where it is gone."""
    import pyarrow
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException

    rows = {
        "at": pyarrow.array(range(len(wave)), pyarrow.int64()),
        "batch": pyarrow.array([pickle.dumps(batch, pickle.HIGHEST_PROTOCOL) for batch in wave]),
    }
    try:
        frame = session.createDataFrame(pyarrow.table(rows))
        made = frame.mapInArrow(partial(_work, asked), "at long, results binary").toArrow()
    except Py4JJavaError as wrong:
        raise _Lost(str(wrong)) from wrong
    except (Py4JError, PySparkException, OSError, EOFError) as wrong:
        raise _Gone from wrong
    by_row = dict(zip(made["at"].to_pylist(), made["results"].to_pylist(), strict=True))
    return [result for at in range(len(wave)) for result in pickle.loads(by_row[at])]


def _waves(
    rows: Iterable[list[Item]], size: Callable[[Item], int], *, most: int
) -> Iterator[list[list[Item]]]:
    """The rows of one job after another: enough to keep the workers busy, and no more than fit in memory."""
    wave: list[list[Item]] = []
    weight = 0
    for row in rows:
        wave.append(row)
        weight += sum(map(size, row))
        if len(wave) >= most or weight >= _WAVE_SIZE:
            yield wave
            wave, weight = [], 0
    if wave:
        yield wave


# ── in the workers ───────────────────────────────────────────────────────────────────────────────────

_known: tuple[bytes, Callable[[Any], Any]] | None = None
"""What this process was asked to do last: it is asked again and again, and may have looked up much for it."""


def _work(asked: bytes, rows: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """Do the batches of one partition, each as it comes."""
    global _known
    import pyarrow

    if _known is None or _known[0] != asked:
        _known = asked, pickle.loads(asked)
    for some in rows:
        for at, batch in zip(some["at"].to_pylist(), some["batch"].to_pylist(), strict=True):
            results = pickle.dumps(run(_known[1], pickle.loads(batch)), pickle.HIGHEST_PROTOCOL)
            made = {
                "at": pyarrow.array([at], pyarrow.int64()),
                "results": pyarrow.array([results], pyarrow.binary()),
            }
            yield pyarrow.RecordBatch.from_pydict(made)
