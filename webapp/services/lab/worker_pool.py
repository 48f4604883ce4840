"""A pool of processes that plays chunks. A process that dies is replaced, and its chunks are played again."""

import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from types import TracebackType
from typing import Final, Self, TypeVar

from webapp.engine.simulation.experiment import Experiment, make_scenario
from webapp.engine.simulation.statistics import ChunkStatistics

T = TypeVar("T")

LOWEST_PRIORITY: Final = 19
MOST_FAILURES: Final = 5
"""Times in a row that the pool may break without a finished chunk before it is given up."""


def _never() -> bool:
    return False


def _do_nothing() -> None:
    pass


class ChunkPool:
    """A pool of processes that play chunks, or an executor such as Dask's.

    Args:
        workers: Number of processes, or of chunks that the executor takes at a time.
        nice: Niceness of the processes.
        executor: Used instead of processes of this machine.
    """

    def __init__(self, workers: int, nice: int = 0, executor: Executor | None = None) -> None:
        self.workers = workers
        self._nice = nice
        self._is_own = executor is None
        self._executor = executor or self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.shut_down()

    def warm_up(self) -> None:
        """Have all workers load what they need, which takes some seconds if the kernel has to be compiled."""
        from webapp.engine.simulation.chunks import play_chunk

        experiment = Experiment(make_scenario("vegas", "mimic"), 10, 1)
        for future in [self._executor.submit(play_chunk, experiment, 0) for _ in range(self.workers)]:
            future.result()

    def shut_down(self) -> None:
        """End the processes of the pool after their current chunks."""
        if self._is_own:
            self._executor.shutdown(wait=False, cancel_futures=True)

    def play(
        self,
        experiment: Experiment,
        first: int,
        end: int,
        should_stop: Callable[[], bool] = _never,
        on_idle: Callable[[], None] = _do_nothing,
        idle_seconds: float | None = None,
    ) -> Iterator[ChunkStatistics]:
        """Play the chunks from ``first`` to before ``end`` and yield their statistics in order.

        Two chunks a worker are on their way at a time, so that memory does not grow with the experiment.

        Args:
            experiment: the experiment to play.
            first: number of the first chunk.
            end: number after the last chunk.
            should_stop: once it returns True no further chunk is begun, but at least one is.
            on_idle: called whenever no chunk has come for ``idle_seconds``, since a chunk may take long.
            idle_seconds: None waits without end.
        """
        from webapp.engine.simulation.chunks import play_chunk

        def submit(executor: Executor, number: int) -> Future[ChunkStatistics]:
            return executor.submit(play_chunk, experiment, number)

        return self.in_order(submit, first, end, should_stop, on_idle, idle_seconds)

    def in_order(
        self,
        submit: Callable[[Executor, int], Future[T]],
        first: int,
        end: int,
        should_stop: Callable[[], bool] = _never,
        on_idle: Callable[[], None] = _do_nothing,
        idle_seconds: float | None = None,
    ) -> Iterator[T]:
        """Yield the results of tasks in order, as ``play`` does: ``submit`` gives the executor the task of a number."""
        pending: deque[tuple[int, Future[T]]] = deque()
        number, failures = first, 0
        while number < end or pending:
            try:
                while number < end and len(pending) < 2 * self.workers and (number == first or not should_stop()):
                    pending.append((number, submit(self._executor, number)))
                    number += 1
                if not pending:
                    return
                result = pending[0][1].result(timeout=idle_seconds)
            except TimeoutError:
                on_idle()
                continue
            except BrokenProcessPool:
                failures += 1
                if failures > MOST_FAILURES or not self._is_own:
                    raise
                number = pending[0][0] if pending else number
                pending.clear()
                self.shut_down()
                self._executor = self._start()
                continue
            failures = 0
            pending.popleft()
            yield result

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=init_worker,
            initargs=(os.getpid(), self._nice),
        )


def init_worker(parent: int, nice: int) -> None:
    """Initialise a worker: lower its priority, ignore SIGINT, exit when the parent dies."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(nice)
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()


def _exit_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)
