"""A change wakes the streams of its table with one call into the event loop, and many streams a few at a time."""

import asyncio
import gc
import itertools
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest

from tests.support.streams import new_hub
from webapp.services.tables.live import waking
from webapp.services.tables.live.open_stream import EventStream

CODE = "ABC234"


def test_all_streams_of_a_table_are_woken_with_one_call_into_the_loop() -> None:
    async def wakings() -> tuple[int, list[bool]]:
        hub = new_hub(most=100)
        opened = [hub.join(CODE, "", ()) for _ in range(50)]
        waiting = [asyncio.create_task(stream.wait(30)) for stream in opened if stream]
        await asyncio.sleep(0)
        loop, calls = asyncio.get_running_loop(), []
        call, loop.call_soon_threadsafe = loop.call_soon_threadsafe, lambda *said, **_: calls.append(said)  # type: ignore[method-assign]
        hub.moved(CODE, 7, None)
        loop.call_soon_threadsafe = call  # type: ignore[method-assign]
        for function, *args in calls:
            function(*args)
        return len(calls), list(await asyncio.gather(*waiting))

    count, woken = asyncio.run(wakings())
    assert count == 1
    assert woken == [True] * 50


def test_what_was_loaded_wakes_the_streams_that_do_not_have_it() -> None:
    async def told() -> list[bool]:
        hub = new_hub(most=100)
        opened = [stream for stream in (hub.join(CODE, "", ()) for _ in range(4)) if stream]
        for stream, version in zip(opened, (7, 8, 9, 7), strict=True):
            assert await stream.wait(30)  # joining wakes the streams, because the number of watchers changes
            stream.note(version, 1)
        waiting = [asyncio.create_task(stream.wait(30)) for stream in opened]
        await asyncio.sleep(0)
        hub.loaded(CODE, 8, 5_000)
        for _ in range(5):
            await asyncio.sleep(0)
        assert [(stream.version, stream.deadline) for stream in opened] == [(8, 5_000), (8, 5_000), (9, 1), (8, 5_000)]
        woken = [task.done() for task in waiting]
        for task in waiting:
            task.cancel()
        return woken

    assert asyncio.run(told()) == [True, False, False, True]


def test_each_stream_that_ends_is_counted_once() -> None:
    """The count tells the process when it pays to release memory."""
    hub = new_hub(most=100)
    opened = [hub.join(CODE, "", (), page) for page in ("one", "two", "one")]
    assert (hub.streams, hub.ended) == (2, 1), "a page opens one anew"
    for stream in [*opened, *opened]:
        assert stream
        stream.close()
    assert (hub.streams, hub.ended) == (0, 3)


class Crowd:
    """Streams that, when woken, render until ``made`` is set, and wait again."""

    def __init__(self, watchers: int, seats: int = 0) -> None:
        self.hub = new_hub(most=1000)
        self.watchers, self.seats = watchers, seats
        self.woken: list[bool] = []
        """For each stream that was woken: whether it is a watcher's."""
        self.made = asyncio.Event()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        names = [*(f"watcher {number}" for number in range(self.watchers)), *[""] * self.seats]
        opened = [self.hub.join(CODE, name, ()) for name in names]
        tasks = [asyncio.create_task(self._read(stream)) for stream in opened if stream]
        self.made.set()
        await self.woken_in_turns(10)  # joining wakes the streams, because the number of watchers changes
        self.made.clear()
        self.woken.clear()
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, stream: EventStream) -> None:
        while await stream.wait(30):
            self.woken.append(bool(stream.watcher))
            await self.made.wait()

    async def woken_in_turns(self, turns: int) -> list[int]:
        """Return the number of woken streams after each iteration of the event loop."""
        woken = []
        for _ in range(turns):
            await asyncio.sleep(0)
            woken.append(len(self.woken))
        return woken


def test_a_crowd_waits_until_the_first_of_it_have_what_all_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "SERVED_SECONDS", 60)

    async def woken() -> list[int]:
        crowd = Crowd(watchers=3 * waking.AT_ONCE + 1)
        async with crowd.reading():
            crowd.hub.moved(CODE, 7, None)
            first = await crowd.woken_in_turns(50)
            crowd.made.set()
            return first + await crowd.woken_in_turns(50)

    counts = asyncio.run(woken())
    assert counts[49] == waking.AT_ONCE
    assert counts[-1] == 3 * waking.AT_ONCE + 1
    assert max(after - before for before, after in itertools.pairwise(counts)) <= waking.AT_ONCE, "others have a turn"


def test_each_stream_of_a_crowd_is_woken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended, serve = list[EventStream](), EventStream.serve

    def noted(stream: EventStream, *said: Callable[[], object]) -> bool:
        ended.append(stream)
        return serve(stream, *said)

    monkeypatch.setattr(EventStream, "serve", noted)

    async def watchers() -> int:
        crowd = Crowd(watchers=3 * waking.AT_ONCE)
        async with crowd.reading():
            ended.clear()
            crowd.made.set()
            crowd.hub.moved(CODE, 7, None)
            await crowd.woken_in_turns(50)
            return crowd.watchers

    assert asyncio.run(watchers()) == len(ended) == len(set(ended))


def test_who_plays_is_woken_before_those_who_look_on() -> None:
    async def woken() -> list[bool]:
        crowd = Crowd(watchers=2 * waking.AT_ONCE, seats=5)
        async with crowd.reading():
            crowd.made.set()
            crowd.hub.moved(CODE, 7, None)
            await crowd.woken_in_turns(50)
            return crowd.woken

    looks_on = asyncio.run(woken())
    assert looks_on == [False] * 5 + [True] * 2 * waking.AT_ONCE


def test_a_crowd_is_woken_though_the_first_of_it_take_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "SERVED_SECONDS", 0)

    async def woken() -> int:
        crowd = Crowd(watchers=3 * waking.AT_ONCE)
        async with crowd.reading():
            crowd.hub.moved(CODE, 7, None)
            return (await crowd.woken_in_turns(1000))[-1]

    assert asyncio.run(woken()) == 3 * waking.AT_ONCE


def test_a_crowd_that_is_sent_all_at_once_is_not_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "SERVED_SECONDS", 60)

    async def served() -> tuple[list[int], list[bool]]:
        crowd, sent = Crowd(watchers=3 * waking.AT_ONCE), list[EventStream]()

        def send_news(stream: EventStream) -> float:
            sent.append(stream)
            return 30.0

        async with crowd.reading():
            for stream in crowd.hub._streams[CODE]:
                stream.send_news = partial(send_news, stream)
            crowd.hub.moved(CODE, 7, None)
            counts = []
            for _ in range(20):
                await asyncio.sleep(0)
                counts.append(len(sent))
            assert len(sent) == len(set(sent)) == crowd.watchers
            return counts, crowd.woken

    counts, woken = asyncio.run(served())
    assert woken == []
    assert max(after - before for before, after in itertools.pairwise(counts)) == waking.AT_ONCE, "others have a turn"


def test_a_stream_that_waits_holds_none_of_those_it_was_woken_with() -> None:
    """Of a crowd that has left, nothing must stay for as long as somebody at the table waits."""

    async def read(stream: EventStream) -> None:
        while not stream.ended:
            await stream.wait(30)

    async def left() -> list[EventStream | None]:
        hub = new_hub(most=1000)
        stays = hub.join(CODE, "", ())
        assert stays
        go = [stream for n in range(2 * waking.AT_ONCE) if (stream := hub.join(CODE, f"watcher {n}", ()))]
        tasks = [asyncio.create_task(read(stream)) for stream in (stays, *go)]
        await asyncio.sleep(0)
        hub.moved(CODE, 7, None)
        for _ in range(10):
            await asyncio.sleep(0)
        stays.send_news = lambda: 30.0  # it is not resumed any more
        for stream in go:
            stream.close()
        await asyncio.gather(*tasks[1:])
        known = [weakref.ref(stream) for stream in go]
        del go, stream, tasks[1:]
        gc.collect()
        tasks[0].cancel()
        return [stream() for stream in known if stream() is not None]

    assert asyncio.run(left()) == []


def test_a_second_change_while_a_crowd_is_being_woken_reaches_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "SERVED_SECONDS", 60)

    async def versions() -> set[int]:
        crowd, seen = Crowd(watchers=0), dict[EventStream, int]()

        async def read(stream: EventStream) -> None:
            while await stream.wait(30):
                await asyncio.sleep(0)
                seen[stream] = stream.version

        opened = [crowd.hub.join(CODE, f"watcher {number}", ()) for number in range(4 * waking.AT_ONCE)]
        tasks = [asyncio.create_task(read(stream)) for stream in opened if stream]
        await asyncio.sleep(0)
        for version in (7, 8, 9):
            crowd.hub.moved(CODE, version, None)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        for _ in range(100):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(seen) == len(opened)
        return set(seen.values())

    assert asyncio.run(versions()) == {9}
