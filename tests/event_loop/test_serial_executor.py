"""Tasks run one after another, unless one of them is slow."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from webapp.event_loop import serial_executor
from webapp.event_loop.serial_executor import SerialExecutor

SECONDS = 30
THREADS = 8


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(THREADS) as threads:
        yield threads


def run(evening: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(evening(), SECONDS))  # type: ignore[arg-type]


class Crowd:
    """Makes tasks, counts how many of them run at a time, and records their order."""

    def __init__(self) -> None:
        self.working = self.most = 0
        self.order: list[int] = []
        self._lock = threading.Lock()

    def task(self, number: int) -> Callable[[], int]:
        def work() -> int:
            with self._lock:
                self.working += 1
                self.most = max(self.most, self.working)
                self.order.append(number)
            time.sleep(0.0005)
            with self._lock:
                self.working -= 1
            return number

        return work


@pytest.mark.parametrize("at_once", [1, 2, THREADS])
def test_no_more_tasks_run_at_once_than_may(
    executor: ThreadPoolExecutor, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_executor, "SLOW_SECONDS", SECONDS)  # of a slow machine as well
    crowd = Crowd()

    async def evening() -> None:
        serial = SerialExecutor(executor, at_once)
        done = await asyncio.gather(*(asyncio.wrap_future(serial.submit(crowd.task(n))) for n in range(200)))
        assert done == list(range(200))

    run(evening)
    assert crowd.most == at_once
    if at_once == 1:
        assert crowd.order == list(range(200))


def test_tasks_that_come_one_by_one_are_worked_off_as_well(executor: ThreadPoolExecutor) -> None:
    """No thread is running when the next task is submitted: it must not be missed by one that is just ending."""
    crowd = Crowd()

    async def evening() -> None:
        serial = SerialExecutor(executor, 1)
        for number in range(300):
            assert await asyncio.wrap_future(serial.submit(crowd.task(number))) == number

    run(evening)
    assert crowd.order == list(range(300))


def test_a_task_that_takes_long_keeps_nobody_else_waiting_and_comes_to_its_end(
    executor: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd, goes_on = Crowd(), threading.Event()

    async def evening() -> None:
        serial = SerialExecutor(executor, 1)
        stuck = [asyncio.wrap_future(serial.submit(lambda: goes_on.wait(SECONDS))) for _ in range(THREADS - 1)]
        others = [asyncio.wrap_future(serial.submit(crowd.task(n))) for n in range(50)]
        assert await asyncio.gather(*others) == list(range(50))
        assert not any(each.done() for each in stuck)
        goes_on.set()
        assert await asyncio.gather(*stuck) == [True] * len(stuck)
        # the slow tasks' threads run no further tasks: again one runs at a time
        monkeypatch.setattr(serial_executor, "SLOW_SECONDS", SECONDS)
        again = Crowd()
        await asyncio.gather(*(asyncio.wrap_future(serial.submit(again.task(n))) for n in range(50)))
        assert again.order == list(range(50))

    try:
        run(evening)
    finally:
        goes_on.set()


def test_when_all_threads_are_taken_tasks_wait_and_none_is_lost(executor: ThreadPoolExecutor) -> None:
    crowd, goes_on = Crowd(), threading.Event()

    async def evening() -> None:
        serial = SerialExecutor(executor, 1)
        stuck = [asyncio.wrap_future(serial.submit(lambda: goes_on.wait(SECONDS))) for _ in range(2 * THREADS)]
        others = [asyncio.wrap_future(serial.submit(crowd.task(n))) for n in range(50)]
        await asyncio.sleep(2 * THREADS * serial_executor.SLOW_SECONDS)
        assert not crowd.order
        goes_on.set()
        assert await asyncio.gather(*stuck, *others) == [True] * len(stuck) + list(range(50))

    try:
        run(evening)
    finally:
        goes_on.set()


def test_an_error_goes_to_who_waits_for_it_and_the_next_task_runs(executor: ThreadPoolExecutor) -> None:
    def fail() -> None:
        raise ValueError("this one")

    async def evening() -> None:
        serial = SerialExecutor(executor, 1)
        failed, next_one = serial.submit(fail), serial.submit(lambda: 7)
        with pytest.raises(ValueError, match="this one"):
            await asyncio.wrap_future(failed)
        assert await asyncio.wrap_future(next_one) == 7

    run(evening)


def test_nobody_begins_what_was_cancelled(executor: ThreadPoolExecutor) -> None:
    crowd, goes_on = Crowd(), threading.Event()

    async def evening() -> None:
        serial = SerialExecutor(executor, 1)
        first = serial.submit(lambda: goes_on.wait(SECONDS))
        given_up, wanted = serial.submit(crowd.task(1)), serial.submit(crowd.task(2))
        assert given_up.cancel()
        goes_on.set()
        assert await asyncio.wrap_future(wanted) == 2
        assert first.result() is True

    run(evening)
    assert crowd.order == [2]


def test_at_the_end_what_has_not_begun_is_cancelled(
    executor: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_executor, "SLOW_SECONDS", SECONDS)
    crowd, begun, goes_on = Crowd(), threading.Event(), threading.Event()

    def first() -> bool:
        begun.set()
        return goes_on.wait(SECONDS)

    async def evening() -> None:
        serial = SerialExecutor(executor, 1)
        running = serial.submit(first)
        waiting = [serial.submit(crowd.task(n)) for n in range(3)]
        await asyncio.to_thread(begun.wait, SECONDS)
        serial.cancel()
        for each in waiting:
            with pytest.raises(CancelledError):
                each.result(timeout=SECONDS)
        goes_on.set()
        assert await asyncio.wrap_future(running) is True

    run(evening)
    assert crowd.order == []
