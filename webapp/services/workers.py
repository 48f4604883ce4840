"""Processes that compute, so that the site does not: a pool of them, whose tasks are taken in turns.

The site has two pools (``Workers``). *Soon* is what somebody waits for: odds and pictures. *Later* is all else: tables
of the odds, reviews, and chunks of the lab. A pool is an executor of ``concurrent.futures``, so the same code runs on
that of a Dask cluster.

This module imports only what a worker needs to begin with, above all no Flask and no NumPy.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeVar

from webapp.services.core.worker_process import END, TaskFailed, begin, prepare_to_fork, ready, within

T = TypeVar("T")
Asker = tuple[str, str]
"""Address and visitor from whom a task comes."""

THE_SITE: Final = ("site", "the site")
"""Asks in place of an address and a visitor."""

LOSSES: Final = 2
"""Processes that may die over one task before it is given up: one of them may have been killed from outside."""
LOOK_SECONDS: Final = 1.0
"""Time between two looks whether the pool is idle, or this process at its end."""
END_SECONDS: Final = 2.0
"""Time that processes have to give up their tasks: one that computes outside of Python does not hear of it."""
LOWEST_PRIORITY: Final = 19
MOST_TURNS: Final = 1000
"""Addresses and visitors whose last turn is remembered."""

_CONTEXT: Final = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["webapp.services.odds.answers"])  # a worker that is forked from it starts in 10 ms
_one_starts: Final = threading.Lock()


class Full(Exception):
    """Too many tasks wait, of all or of whoever asks."""


FAILURES: Final = (TaskFailed, BrokenExecutor, CancelledError)
"""What a task may end with in place of a result."""


@dataclass(frozen=True, slots=True)
class Places:
    """How many tasks may wait or run: of all, of one address, and of one visitor."""

    all: int = 64
    address: int = 24
    visitor: int = 12

    def limits(self, asker: Asker) -> tuple[tuple[str, int], ...]:
        """Return how many tasks there may be of all, whose name is empty, of an address and of a visitor."""
        return ("", self.all), (asker[0], self.address), (asker[1], self.visitor)


@dataclass(eq=False, slots=True)
class _Task:
    call: Callable[[], Any]
    seconds: float
    is_long: bool
    asker: Asker
    lost: int = 0
    future: Future[Any] = field(default_factory=Future)


class Pool(Executor):
    """Processes of this machine, begun when there is a task and ended when there was none for a while.

    Tasks that wait are taken in turns: that of the address, then of the visitor, whose last turn is longest ago. Long
    tasks are taken one at a time, so that short ones go ahead. Processes that die are replaced, and what they had is
    computed again.

    Args:
        workers: Number of processes.
        nice: How much lower their priority is.
        games: Packages of games that are not the site's own.
        places: Limits of ``ask``.
        idle: Seconds without a task after which the processes end.
        who: Returns who asks.
    """

    def __init__(
        self,
        workers: int,
        nice: int = 0,
        games: Sequence[str] = (),
        places: Places = Places(),
        idle: float = 60.0,
        who: Callable[[], Asker] = lambda: THE_SITE,
    ) -> None:
        self.workers = workers
        self._begin = (nice, tuple(games))
        self._places, self._idle, self._who = places, idle, who
        self._changed = threading.Condition()
        self._waiting: list[_Task] = []
        self._running: list[_Task] = []
        self._last_turns: OrderedDict[str, int] = OrderedDict()
        self._turns, self._used = 0, 0.0
        self._thread: threading.Thread | None = None
        self._is_stopping = False
        self._executor: ProcessPoolExecutor | None = None
        self._processes: list[BaseProcess] = []

    def ask(self, call: Callable[[], T], seconds: float, *, is_long: bool = False) -> Future[T]:
        """Have a task done, which may take so many seconds of processor time.

        Raises:
            Full: There is no place for it.
        """
        asker = self._who()
        with self._changed:
            self._waiting = [task for task in self._waiting if not task.future.cancelled()]
            taken = Counter(name for task in (*self._waiting, *self._running) for name in ("", *task.asker))
            if any(taken[name] >= most for name, most in self._places.limits(asker)):
                raise Full
            return self._put(_Task(call, seconds, is_long, asker))

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Have a task of the site itself done, however many wait and however long it takes."""
        with self._changed:
            return self._put(_Task(partial(fn, *args, **kwargs), 0.0, False, THE_SITE))

    def stop(self) -> None:
        """End the processes, which give up what they do, and cancel all tasks. A later task begins new ones."""
        with self._changed:
            thread, self._is_stopping = self._thread, True
            self._changed.notify_all()
        if thread:
            thread.join()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, as ``stop``."""
        self.stop()

    def _put(self, task: _Task) -> Future[Any]:
        self._waiting.append(task)
        if self._thread is None:
            self._is_stopping, self._used = False, time.monotonic()
            self._thread = threading.Thread(target=self._dispatch, name="pool", daemon=True)
            self._thread.start()
        self._changed.notify_all()
        return task.future

    def _dispatch(self) -> None:
        """Hand tasks to the processes, one by one, until there is nothing to do. This has a thread of its own."""
        while task := self._next():
            self._hand_over(task)

    def _next(self) -> _Task | None:
        with self._changed:
            while not self._is_stopping and threading.main_thread().is_alive():
                if task := self._first_in_turn():
                    return task
                self._changed.wait(LOOK_SECONDS)
                is_idle = not self._running and time.monotonic() - self._used > self._idle
                if is_idle and not self._waiting:
                    break
            waiting, self._waiting, self._is_stopping = self._waiting, [], True
            executor, self._executor = self._executor, None
        for left in waiting:
            left.future.cancel()
        if executor is not None:
            _end(executor, self._processes)
        with self._changed:
            self._thread, self._is_stopping = None, False
            if self._waiting:  # somebody came meanwhile
                again, self._waiting = self._waiting, []
                for task in again:
                    self._put(task)
        return None

    def _first_in_turn(self) -> _Task | None:
        """Take the task whose turn it is, if a process is free for it."""
        if len(self._running) >= self.workers:
            return None
        has_long = any(task.is_long for task in self._running)
        last = self._last_turns
        free = (task for task in self._waiting if not (task.is_long and has_long))
        task = min(free, key=lambda task: tuple(last.get(name, 0) for name in task.asker), default=None)
        if task is None:
            return None
        self._waiting.remove(task)
        self._turns += 1
        for name in task.asker:
            last[name] = self._turns
            last.move_to_end(name)
        while len(last) > MOST_TURNS:
            last.popitem(last=False)
        if not task.lost and not task.future.set_running_or_notify_cancel():
            return self._first_in_turn()
        self._running.append(task)
        return task

    def _hand_over(self, task: _Task) -> None:
        executor = self._executor or self._start()
        try:
            done = executor.submit(within, task.seconds, task.call)
        except RuntimeError as error:  # the processes have just broken, or this one is at its end
            done = Future()
            done.set_exception(error)
        done.add_done_callback(partial(self._finish, task, executor))

    def _finish(self, task: _Task, executor: ProcessPoolExecutor, done: Future[Any]) -> None:
        """Pass the result on, or have the task done again. The lock is never held while the executor's own is taken."""
        error = CancelledError() if done.cancelled() else done.exception()
        with self._changed:
            self._running.remove(task)
            self._used = time.monotonic()
            if isinstance(error, BrokenProcessPool):
                if self._executor is executor:
                    self._executor = None
                if not self._is_stopping and (lost := task.lost + 1) < LOSSES:
                    task.lost = lost
                    self._waiting.insert(0, task)
                    self._changed.notify_all()
                    return
            if self._is_stopping and error is not None:
                error = CancelledError()
            self._changed.notify_all()
        if error is None:
            task.future.set_result(done.result())
        else:
            task.future.set_exception(error)

    def _start(self) -> ProcessPoolExecutor:
        with _one_starts:
            prepare_to_fork()
            before = multiprocessing.active_children()
            executor = ProcessPoolExecutor(self.workers, _CONTEXT, begin, self._begin)
            for _ in range(self.workers):
                executor.submit(ready)
            self._processes = [process for process in multiprocessing.active_children() if process not in before]
        with self._changed:
            self._executor = executor
        return executor


def _end(executor: ProcessPoolExecutor, processes: Sequence[BaseProcess]) -> None:
    """End an executor and its processes, which give up their tasks.

    A process that is killed while it hands on a result leaves half of it in the executor's pipe, and the executor waits
    without end for the rest. So only those are killed that have not ended after a while: they are amid a task.
    """

    def send(number: signal.Signals) -> None:
        for process in processes:
            if process.pid and process.is_alive():
                with suppress(ProcessLookupError):
                    os.kill(process.pid, number)

    late = threading.Timer(END_SECONDS, send, [signal.SIGKILL])
    late.daemon = True
    late.start()
    send(END)
    executor.shutdown(cancel_futures=True)
    late.cancel()
    late.join()


class Workers:
    """The pools of a site: ``soon`` for what somebody waits for, ``later`` for the rest.

    Args:
        lab_workers: Processes for simulations.
        games: Packages of games that are not the site's own.
        who: Returns who asks.
    """

    def __init__(self, lab_workers: int, games: Sequence[str], who: Callable[[], Asker] = lambda: THE_SITE) -> None:
        self.soon = Pool(1, 10, games, Places(all=24, address=12, visitor=8), idle=600.0, who=who)
        self.later = Pool(max(2, lab_workers), LOWEST_PRIORITY, games, Places(all=96, address=32, visitor=16), who=who)

    def prepare(self) -> None:
        """Start the process from which workers are forked, so that the first of them need not load what it needs."""
        with _one_starts:
            prepare_to_fork()

    def stop(self) -> None:
        """End all processes."""
        self.soon.stop()
        self.later.stop()
