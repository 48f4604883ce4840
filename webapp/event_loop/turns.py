"""Turns: tasks for the threads of an executor, one after another."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

PATIENCE: Final = 0.02
"""Seconds after which a task shares the interpreter with the next one: it waits for a lock, or computes for long."""


@dataclass(eq=False, slots=True)
class _Turn:
    """The right of one thread to work off tasks, until it is passed on to another thread."""

    began: float
    """When its task did."""


@dataclass(slots=True)
class _Task:
    work: Callable[[], Any]
    done: Future[Any] = field(default_factory=Future)

    def run(self) -> None:
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except BaseException as error:  # noqa: BLE001  # whoever waits for it is told
            self.done.set_exception(error)
        else:
            self.done.set_result(result)


class Turns:
    """Gives an executor's threads tasks one after another, in the order in which they came.

    Threads share one interpreter. If several have something to do, each loses it with every query and has to wait to
    get it back, thirty times a request. That costs a tenth of the processor time (bench: server), and where a site is
    near its limit, the slowest actions take half as long again (bench: tables). Where an answer of the database takes a
    millisecond, on the other hand, others may use that time.

    A task that takes longer than ``PATIENCE`` passes its turn on, and goes on beside the others.

    Args:
        executor: Has the threads.
        at_once: Tasks that begin without waiting for another.
    """

    def __init__(self, executor: Executor, at_once: int) -> None:
        self._executor, self._at_once = executor, at_once
        self._lock = Lock()
        self._waiting: deque[_Task] = deque()
        self._turns: set[_Turn] = set()
        self._timer: asyncio.TimerHandle | None = None

    def submit(self, work: Callable[[], Any]) -> Future[Any]:
        """Return a future of the result of a task. Called by the event loop."""
        task = _Task(work)
        with self._lock:
            self._waiting.append(task)
            turn = self._new_turn() if len(self._turns) < self._at_once else None
        if turn is not None:
            self._executor.submit(self._work, turn)
        elif self._timer is None:
            self._look_later()
        return task.done

    def cancel(self) -> None:
        """Cancel what has not begun."""
        with self._lock:
            waiting, self._waiting = self._waiting, deque()
        for task in waiting:
            task.done.cancel()

    def _new_turn(self) -> _Turn:
        turn = _Turn(time.monotonic())
        self._turns.add(turn)
        return turn

    def _work(self, turn: _Turn) -> None:
        """Work off tasks in a thread of the executor, as long as it has the turn."""
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

    def _look_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._look)

    def _look(self) -> None:
        """Pass on the turns of tasks that have taken long, if others wait."""
        self._timer = None
        with self._lock:
            if not self._waiting:
                return
            late = [turn for turn in self._turns if time.monotonic() - turn.began >= PATIENCE]
            self._turns.difference_update(late)
            passed_on = [self._new_turn() for _ in late]
        for turn in passed_on:
            self._executor.submit(self._work, turn)
        self._look_later()
