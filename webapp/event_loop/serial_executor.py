"""An executor that runs tasks in threads one after another, unless one of them is slow."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

SLOW_SECONDS: Final = 0.02
"""Seconds after which a task no longer holds up the next one: it waits for a lock, or computes for long."""


@dataclass(eq=False, slots=True)
class _Turn:
    """Permission for one thread to run tasks. A slow task loses it to another thread."""

    began: float
    """Monotonic time at which its current task began."""


@dataclass(slots=True)
class _Task:
    work: Callable[[], Any]
    done: Future[Any] = field(default_factory=Future)

    def run(self) -> None:
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except BaseException as error:  # noqa: BLE001  # raised where the result is awaited
            self.done.set_exception(error)
        else:
            self.done.set_result(result)


class SerialExecutor:
    """Runs tasks in the threads of an executor one after another, in the order in which they were submitted.

    Threads share one interpreter. If several are busy, each releases it with every query and has to wait to get it
    back, thirty times a request. That costs a tenth of the processor time (bench: server), and on a site near its limit
    the slowest actions take half as long again (bench: tables). If the database takes a millisecond to answer, on the
    other hand, other tasks can use that time; ``at_once`` allows that.

    A task that takes longer than ``SLOW_SECONDS`` keeps running, and the next one starts beside it.

    Args:
        executor: Provides the threads.
        at_once: Number of tasks that run at a time, slow ones not counted.
    """

    def __init__(self, executor: Executor, at_once: int) -> None:
        self._executor, self._at_once = executor, at_once
        self._lock = Lock()
        self._waiting: deque[_Task] = deque()
        self._turns: set[_Turn] = set()
        self._timer: asyncio.TimerHandle | None = None

    def submit(self, work: Callable[[], Any]) -> Future[Any]:
        """Return a future of the result of a task. Called from the event loop."""
        task = _Task(work)
        with self._lock:
            self._waiting.append(task)
            turn = self._new_turn() if len(self._turns) < self._at_once else None
        if turn is not None:
            self._executor.submit(self._run_tasks, turn)
        elif self._timer is None:
            self._start_timer()
        return task.done

    def cancel(self) -> None:
        """Cancel all tasks that have not started."""
        with self._lock:
            waiting, self._waiting = self._waiting, deque()
        for task in waiting:
            task.done.cancel()

    def _new_turn(self) -> _Turn:
        turn = _Turn(time.monotonic())
        self._turns.add(turn)
        return turn

    def _run_tasks(self, turn: _Turn) -> None:
        """Run tasks in a thread of the executor until none is left or the turn is lost."""
        while (task := self._next(turn)) is not None:
            task.run()

    def _next(self, turn: _Turn) -> _Task | None:
        with self._lock:
            if turn not in self._turns:
                return None
            if not self._waiting:
                self._turns.remove(turn)
                return None
            turn.began = time.monotonic()
            return self._waiting.popleft()

    def _start_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(SLOW_SECONDS, self._replace_slow_turns)

    def _replace_slow_turns(self) -> None:
        """If tasks are waiting, give the turns of slow tasks to other threads."""
        self._timer = None
        with self._lock:
            if not self._waiting:
                return
            slow = [turn for turn in self._turns if time.monotonic() - turn.began >= SLOW_SECONDS]
            self._turns.difference_update(slow)
            replaced = [self._new_turn() for _ in slow]
        for turn in replaced:
            self._executor.submit(self._run_tasks, turn)
        self._start_timer()
