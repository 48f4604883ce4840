"""An open stream is served when something is published to it and at a time, with one timer for all its times."""

import asyncio
import gc
import itertools
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from webapp.services.tables.live.open_stream import EventStream

SHORT = 0.05
LONG = 30.0


class Writer:
    """Sends the news of a stream: each time it asks for the next number of ``seconds``, the last one again and again.

    ``served``: time and version of each time.
    """

    def __init__(self, *seconds: float | None) -> None:
        self.stream = EventStream("ABC234", "somebody", (), "a page", lambda _: None)
        self.served: list[tuple[float, int]] = []
        self.seconds = list(seconds)

    def send_news(self) -> float | None:
        self.served.append((asyncio.get_running_loop().time(), self.stream.version))
        return self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]

    @property
    def apart(self) -> list[float]:
        """Seconds between one time and the next."""
        times = [time for time, _ in self.served]
        return [after - before for before, after in itertools.pairwise(times)]

    async def publish(self) -> None:
        self.stream.publish(self.stream.version + 1, 0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def run(evening: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(evening(), LONG / 2))  # type: ignore[arg-type]


def timers_of(loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list to which the time of each timer that is set from now on is added."""
    timers, call_at = list[float](), loop.call_at

    def counted(when: float, *said: Any, **how: Any) -> asyncio.TimerHandle:
        if getattr(said[0], "__name__", "") == "_on_timer":
            timers.append(when)
        return call_at(when, *said, **how)

    monkeypatch.setattr(loop, "call_at", counted)
    return timers


def test_a_stream_is_served_by_itself_after_the_time_that_it_asked_for() -> None:
    async def evening() -> None:
        writer = Writer(SHORT, 3 * SHORT, LONG)
        writer.stream.begin(writer.send_news)
        await asyncio.sleep(8 * SHORT)
        assert len(writer.served) == 3
        assert [seconds >= least - 0.001 for seconds, least in zip(writer.apart, (SHORT, 3 * SHORT), strict=True)]

    run(evening)


def test_a_stream_that_was_served_early_has_as_long_as_it_asked_for() -> None:
    async def evening() -> None:
        writer = Writer(SHORT, 4 * SHORT, LONG)
        writer.stream.begin(writer.send_news)
        await writer.publish()
        assert len(writer.served) == 2
        await asyncio.sleep(7 * SHORT)  # the first timer expires meanwhile
        assert len(writer.served) == 3
        assert writer.apart[1] >= 4 * SHORT - 0.001

    run(evening)


def test_a_short_time_after_a_long_one_is_short() -> None:
    async def evening() -> None:
        writer = Writer(LONG, SHORT, LONG)
        writer.stream.begin(writer.send_news)
        await writer.publish()
        await asyncio.sleep(4 * SHORT)
        assert len(writer.served) == 3

    run(evening)


def test_a_thousand_times_set_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening() -> None:
        timers, writer = timers_of(asyncio.get_running_loop(), monkeypatch), Writer(LONG)
        writer.stream.begin(writer.send_news)
        for _ in range(1000):
            await writer.publish()
        assert len(writer.served) == 1001
        assert len(timers) == 1

    run(evening)


def test_streams_whose_time_comes_at_about_the_same_moment_are_served_together(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening() -> None:
        loop = asyncio.get_running_loop()
        timers = timers_of(loop, monkeypatch)
        writers = [Writer(SHORT + number / 10_000, LONG) for number in range(50)]
        for writer in writers:
            writer.stream.begin(writer.send_news)
        assert len(timers) == 50
        assert len(set(timers)) <= 2
        await asyncio.sleep(4 * SHORT)
        assert [len(writer.served) for writer in writers] == [2] * 50
        assert min(writer.apart[0] for writer in writers) >= SHORT - 0.001

    run(evening)


def test_a_busy_stream_is_served_when_it_can_go_on_and_has_missed_nothing() -> None:
    async def evening() -> None:
        writer, told = Writer(LONG, None, None, LONG), list[str]()
        stream = writer.stream
        stream.begin(writer.send_news)
        stream.note(7, 0)
        assert stream.serve(lambda: told.append("served"))
        assert not stream.serve(lambda: told.append("busy")), "it will be served anyway"
        await writer.publish()
        assert [version for _, version in writer.served] == [0, 7]
        stream.resume()
        assert not told, "it has to wait once more"
        stream.resume()
        assert told == ["served"]
        assert [version for _, version in writer.served] == [0, 7, 8, 8]
        assert not stream.serve(lambda: told.append("at once"))
        assert told == ["served"]

    run(evening)


def test_a_busy_stream_is_not_served_by_its_timer() -> None:
    async def evening() -> None:
        writer = Writer(SHORT, None, SHORT, LONG)
        writer.stream.begin(writer.send_news)
        await writer.publish()
        await asyncio.sleep(3 * SHORT)
        assert len(writer.served) == 2
        writer.stream.resume()
        await asyncio.sleep(3 * SHORT)
        assert len(writer.served) == 4

    run(evening)


def test_what_is_published_before_a_stream_begins_or_while_it_is_served_is_sent() -> None:
    async def evening() -> None:
        stream, sent = EventStream("ABC234", "somebody", (), "a page", lambda _: None), list[int]()

        def send_news() -> float:
            sent.append(stream.version)
            if stream.version == 7:
                stream.publish(8, 0)
            return LONG

        stream.publish(7, 0)
        stream.begin(send_news)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert sent == [7, 8]

    run(evening)


def test_a_stream_that_was_closed_is_not_served_and_held_by_no_timer() -> None:
    async def evening() -> None:
        writers = [Writer(SHORT), Writer(None), Writer(SHORT)]
        for writer in writers:
            writer.stream.begin(writer.send_news)
            writer.stream.publish(7, 0)
            writer.stream.close()
            writer.stream.resume()
        await asyncio.sleep(3 * SHORT)
        assert [len(writer.served) for writer in writers] == [1] * 3
        left = [weakref.ref(writer.stream) for writer in writers]
        del writers, writer
        # the loop keeps a cancelled timer until its time, or until half of all timers are cancelled; its
        # callback is released at once
        gc.collect()
        assert [each() for each in left] == [None] * 3

    run(evening)
