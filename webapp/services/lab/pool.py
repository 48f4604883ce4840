"""A crew of processes that plays chunks. One that dies is replaced, and what it had in hand is played again."""

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
from typing import Final, Self

from webapp.engine.simulation.experiment import Experiment, make_scenario
from webapp.engine.simulation.statistics import ChunkStatistics

NICEST: Final = 19
PATIENCE: Final = 5
"""How often in a row the crew may break without finishing anything, before it is given up."""


class ChunkPool:
    """``workers`` processes of this machine, or whatever ``executor`` makes of it: one of Dask, for instance."""

    def __init__(self, workers: int, nice: int = 0, executor: Executor | None = None) -> None:
        self.workers = workers
        self._nice = nice
        self._own = executor is None
        self._executor = executor or self._new()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.leave()

    def warm(self) -> None:
        """Have every worker load what it needs; the first time after a change that takes some seconds."""
        from webapp.engine.simulation.chunks import play_chunk

        plan = Experiment(make_scenario("vegas", "mimic"), 10, 1)
        for future in [self._executor.submit(play_chunk, plan, 0) for _ in range(self.workers)]:
            future.result()

    def leave(self) -> None:
        if self._own:
            self._executor.shutdown(wait=False, cancel_futures=True)

    def play(
        self,
        plan: Experiment,
        first: int,
        last: int,
        enough: Callable[[], bool] = lambda: False,
        meanwhile: Callable[[], None] = lambda: None,
        every: float | None = None,
    ) -> Iterator[ChunkStatistics]:
        """Chunks ``first`` to ``last``, less one, in order. Once it is ``enough`` no more are begun, but always one.

        Two for each worker are on their way at a time, so that memory does not grow with the plan. A chunk may take
        long: ``meanwhile`` is called whenever nothing has come for ``every`` seconds.
        """
        from webapp.engine.simulation.chunks import play_chunk

        waiting: deque[tuple[int, Future[ChunkStatistics]]] = deque()
        at, broken = first, 0
        while at < last or waiting:
            try:
                while at < last and len(waiting) < 2 * self.workers and (at == first or not enough()):
                    waiting.append((at, self._executor.submit(play_chunk, plan, at)))
                    at += 1
                if not waiting:
                    return
                chunk = waiting[0][1].result(timeout=every)
            except TimeoutError:
                meanwhile()
                continue
            except BrokenProcessPool:
                broken += 1
                if broken > PATIENCE or not self._own:
                    raise
                at = waiting[0][0] if waiting else at
                waiting.clear()
                self.leave()
                self._executor = self._new()
                continue
            broken = 0
            waiting.popleft()
            yield chunk

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=init_worker,
            initargs=(os.getpid(), self._nice),
        )


def init_worker(parent: int, nice: int) -> None:
    """Be nice, leave Ctrl-C to whoever gives the orders, and go home when nobody is there any more to give them."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(nice)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)
