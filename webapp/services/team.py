"""Many tasks of a kind, done in order by the processes of this machine or of a cluster."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from webapp.services.workers import Pool

T = TypeVar("T")

IDLE_SECONDS: Final = 5.0
"""Longest time between two heartbeats of whoever waits for a result."""


@dataclass(frozen=True, slots=True)
class Team:
    """An executor that does many tasks of a kind: a pool of this machine, or one of a cluster.

    Attributes:
        executor: Does the tasks.
        at_once: How many it is given at a time, so that memory does not grow with their number.
        check: Raises BrokenExecutor if the executor is gone. It is called while nothing comes.
        lost: Errors of its own by which the executor says that it is gone.
    """

    executor: Executor
    at_once: int
    check: Callable[[], None] = lambda: None
    lost: tuple[type[Exception], ...] = ()

    def in_order(
        self,
        task: Callable[..., T],
        arguments: Iterable[tuple[Any, ...]],
        should_stop: Callable[[], bool] = lambda: False,
        on_idle: Callable[[], None] = lambda: None,
    ) -> Iterator[T]:
        """Do a task with each of these arguments, and yield the results in order.

        Args:
            task: A function of a module, so that other processes find it.
            arguments: Those of each call.
            should_stop: Once it returns True no further call is begun, but at least one is.
            on_idle: Called whenever no result has come for IDLE_SECONDS, since a call may take long.

        Raises:
            BrokenExecutor: Nobody is left to do it.
        """
        left, pending, is_begun = iter(arguments), deque[Future[T]](), False
        while True:
            while len(pending) < self.at_once and not (is_begun and should_stop()):
                if (call := next(left, None)) is None:
                    break
                pending.append(self.executor.submit(task, *call))
                is_begun = True
            if not pending:
                return
            try:
                result = pending[0].result(IDLE_SECONDS)
            except TimeoutError:
                self.check()
                on_idle()
                continue
            except self.lost as error:
                raise BrokenExecutor(str(error) or type(error).__name__) from error
            pending.popleft()
            yield result


@contextmanager
def team_here(workers: int, nice: int = 0) -> Iterator[Team]:
    """Yield a team of processes of this machine, which end with it."""
    with Pool(workers, nice) as pool:
        yield Team(pool, 2 * workers)
