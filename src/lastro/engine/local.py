"""The engine of one computer: a pool of processes, or just this one where there is little to do."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Self, TypeVar

from lastro.engine.batches import BATCH_SIZE, DIED, Raised, cores, in_batches, run, told

Item = TypeVar("Item")
Result = TypeVar("Result")

_WORTH_A_POOL = 64
_BATCHES_PER_WORKER = 3


class LocalEngine:
    """Processes of this computer, as many as its cores unless said otherwise; one means none beside this."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or cores()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing outlives a `map`: there is nothing to end."""

    def map(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        failed: Callable[[Item, str], Result],
        size: Callable[[Item], int] = lambda item: 1,
    ) -> Iterator[Result]:
        """See `Engine.map`. Few items are done in this process: starting others would cost more."""
        stream = iter(items)
        head: list[Item] = []
        weight = 0
        while self.workers > 1 and len(head) < _WORTH_A_POOL and weight < BATCH_SIZE:
            try:
                head.append(next(stream))
            except StopIteration:
                break
            weight += size(head[-1])
        if len(head) < _WORTH_A_POOL and weight < BATCH_SIZE:
            yield from _here(function, itertools.chain(head, stream), failed)
            return
        batches = in_batches(itertools.chain(head, stream), size)
        yield from _Pooled(self.workers, function, failed).run(batches)


def _here(
    function: Callable[[Item], Result], items: Iterable[Item], failed: Callable[[Item, str], Result]
) -> Iterator[Result]:
    for item in items:
        yield from told([item], run(function, [item]), failed)


_task: Callable[[Any], Any] | None = None
"""What this process was started to do: sent once, since it may carry a whole registry."""


def _run_task(batch: list[Any]) -> list[Any]:
    assert _task is not None, "a worker begins before it runs"
    return run(_task, batch)


def _worker(task: Callable[[Any], Any]) -> None:
    """Workers leave Ctrl-C to the process that started them, and never outlive it, even when it is killed."""
    global _task
    _task = task
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent,), daemon=True).start()


def _die_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _may_fork() -> bool:
    """Whether this process may be copied as it stands: only Linux says that no other thread runs in it.

    A copy begins at once with all that was loaded and learned; a new process takes a while to get there.
    """
    try:
        alone = len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False
    if alone:
        gc.freeze()  # what stands here is not looked through again, so that copies go on sharing it
    return alone


class _Pooled:
    """One run over a pool of processes."""

    def __init__(
        self, workers: int, function: Callable[[Any], Any], failed: Callable[[Any, str], Any]
    ) -> None:
        self._workers = workers
        self._function = function
        self._failed = failed
        self._pool = self._new_pool(workers)

    def _new_pool(self, workers: int) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("fork" if _may_fork() else "spawn")
        task = (self._function,)
        return ProcessPoolExecutor(workers, mp_context=context, initializer=_worker, initargs=task)

    def run(self, batches: Iterator[list[Any]]) -> Iterator[Any]:
        """The results in order; at most a few batches for each worker are under way."""
        waiting: deque[tuple[list[Any], Future[list[Any]]]] = deque()
        try:
            while True:
                for batch in itertools.islice(batches, self._workers * _BATCHES_PER_WORKER - len(waiting)):
                    waiting.append((batch, self._submit(batch)))
                if not waiting:
                    break
                batch, future = waiting.popleft()
                try:
                    results = future.result()
                except BrokenProcessPool:
                    lost = [batch, *(later for later, _ in waiting)]
                    waiting.clear()
                    yield from self._one_by_one(lost)
                    continue
                yield from told(batch, results, self._failed)
        finally:
            self._stop(self._pool)

    def _submit(self, batch: list[Any]) -> Future[list[Any]]:
        try:
            return self._pool.submit(_run_task, batch)
        except BrokenProcessPool as broken:
            future: Future[list[Any]] = Future()
            future.set_exception(broken)
            return future

    def _one_by_one(self, lost: list[list[Any]]) -> Iterator[Any]:
        """A worker died: find on which item by giving each a process that may die, then start a new pool."""
        self._stop(self._pool)
        solo = self._new_pool(1)
        try:
            for item in itertools.chain.from_iterable(lost):
                try:
                    results = solo.submit(_run_task, [item]).result()
                except BrokenProcessPool:
                    self._stop(solo)
                    solo = self._new_pool(1)
                    results = [Raised(DIED)]
                yield from told([item], results, self._failed)
        finally:
            self._stop(solo)
        self._pool = self._new_pool(self._workers)

    @staticmethod
    def _stop(pool: ProcessPoolExecutor) -> None:
        """End a pool now: what is under way is worth nothing to anybody any more."""
        gc.unfreeze()
        processes = list((getattr(pool, "_processes", None) or {}).values())
        manager = getattr(pool, "_executor_manager_thread", None)
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        if manager is not None:
            # It waits for the same processes; two that wait at once may both be told that there is no child.
            manager.join(timeout=5)
        for process in processes:
            process.join(timeout=5)
