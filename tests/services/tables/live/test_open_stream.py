"""An open stream waits until something is published to it or until a time, with one timer for all its waits."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from webapp.services.tables.live.open_stream import EventStream

SHORT = 0.05
LONG = 30.0


def run(evening: Callable[[EventStream], Awaitable[None]]) -> None:
    stream = EventStream("ABC234", "somebody", (), "a page", lambda _: None)
    asyncio.run(asyncio.wait_for(evening(stream), LONG / 2))  # type: ignore[arg-type]


async def woken(stream: EventStream, seconds: float) -> bool:
    """Wait, and publish something at once. Return True if the stream was woken."""
    waiting = asyncio.create_task(stream.wait(seconds))
    await asyncio.sleep(0)
    stream.publish(stream.version + 1, 0)
    return await waiting


def timers_of(loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list to which the time of each timer that is set from now on is added."""
    timers, call_at = list[float](), loop.call_at

    def counted(when: float, *said: Any, **how: Any) -> asyncio.TimerHandle:
        timers.append(when)
        return call_at(when, *said, **how)

    monkeypatch.setattr(loop, "call_at", counted)
    return timers


def test_a_wait_ends_by_itself_when_its_time_has_come() -> None:
    async def evening(stream: EventStream) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(3):
            began = loop.time()
            assert not await stream.wait(SHORT)
            assert loop.time() - began >= SHORT - 0.001

    run(evening)


def test_a_wait_after_one_that_was_ended_early_lasts_as_long_as_it_is_told() -> None:
    async def evening(stream: EventStream) -> None:
        loop = asyncio.get_running_loop()
        assert await woken(stream, SHORT)
        began = loop.time()
        assert not await stream.wait(4 * SHORT)  # the first timeout expires meanwhile
        assert loop.time() - began >= 4 * SHORT - 0.001

    run(evening)


def test_a_short_wait_after_a_long_one_is_short() -> None:
    async def evening(stream: EventStream) -> None:
        assert await woken(stream, LONG)
        assert not await stream.wait(SHORT)  # else the test takes too long, and fails

    run(evening)


def test_a_stream_whose_time_comes_while_nobody_waits_is_woken_the_next_time() -> None:
    async def evening(stream: EventStream) -> None:
        assert await woken(stream, SHORT)
        await asyncio.sleep(2 * SHORT)
        assert await woken(stream, LONG)
        assert not await stream.wait(SHORT)

    run(evening)


def test_a_thousand_waits_set_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(stream: EventStream) -> None:
        timers = timers_of(asyncio.get_running_loop(), monkeypatch)
        for _ in range(1000):
            assert await woken(stream, LONG)
        assert len(timers) == 1

    run(evening)


def test_streams_whose_time_comes_at_about_the_same_moment_wake_together(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(_: EventStream) -> None:
        timers = timers_of(asyncio.get_running_loop(), monkeypatch)
        streams = [EventStream("ABC234", "somebody", (), "a page", lambda _: None) for _ in range(50)]
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.gather(*(stream.wait(SHORT + number / 10_000) for number, stream in enumerate(streams)))
        assert len(timers) == 50
        assert len(set(timers)) <= 2
        assert loop.time() - began >= SHORT

    run(evening)


def test_a_stream_that_has_ended_is_held_by_no_timer() -> None:
    async def evening(stream: EventStream) -> None:
        waiting = asyncio.create_task(stream.wait(LONG))
        await asyncio.sleep(0)
        stream.end()
        assert await waiting

    async def several() -> list[weakref.ref[EventStream]]:
        streams = [EventStream("ABC234", "somebody", (), "a page", lambda _: None) for _ in range(3)]
        for stream in streams:
            await evening(stream)
        left = [weakref.ref(stream) for stream in streams]
        del streams, stream
        await asyncio.sleep(0)
        # the loop keeps a cancelled timer until its time, or until half of all timers are cancelled; its
        # callback is released at once
        gc.collect()
        assert [each() for each in left] == [None] * 3
        return left

    asyncio.run(several())


def test_what_can_be_sent_at_once_does_not_end_the_wait() -> None:
    async def evening(stream: EventStream) -> None:
        sent: list[int] = []

        def send_news() -> float:
            sent.append(stream.version)
            return LONG

        waiting = asyncio.create_task(stream.wait(LONG))
        await asyncio.sleep(0)
        stream.send_news = send_news
        for version in (7, 8):
            stream.publish(version, 0)
            await asyncio.sleep(SHORT)
        assert sent == [7, 8]
        assert not waiting.done()
        stream.send_news = None
        stream.publish(9, 0)
        assert await waiting

    run(evening)


def test_what_cannot_be_sent_at_once_ends_the_wait_as_something_new() -> None:
    async def evening(stream: EventStream) -> None:
        stream.send_news = lambda: None
        assert await woken(stream, LONG)

    run(evening)


def test_a_stream_is_served_again_after_the_time_that_it_asked_for() -> None:
    async def evening(stream: EventStream) -> None:
        loop, served = asyncio.get_running_loop(), list[float]()
        seconds = iter((SHORT, 3 * SHORT, LONG))

        def send_news() -> float:
            served.append(loop.time())
            return next(seconds)

        waiting = asyncio.create_task(stream.wait(LONG))
        await asyncio.sleep(0)
        stream.send_news = send_news
        stream.publish(7, 0)
        await asyncio.sleep(8 * SHORT)
        assert len(served) == 3
        assert served[1] - served[0] >= SHORT - 0.001
        assert served[2] - served[1] >= 3 * SHORT - 0.001
        assert not waiting.done()
        waiting.cancel()

    run(evening)


def test_what_is_published_while_a_stream_is_served_is_not_lost() -> None:
    async def evening(stream: EventStream) -> None:
        def send_news() -> float:
            stream.send_news = None
            stream.publish(8, 0)
            return LONG

        waiting = asyncio.create_task(stream.wait(LONG))
        await asyncio.sleep(0)
        stream.send_news = send_news
        stream.publish(7, 0)
        assert await waiting
        assert stream.version == 8

    run(evening)
