"""A change wakes the streams of its table with one call into the event loop, and many streams a few at a time."""

import asyncio
import gc
import itertools
import weakref
from functools import partial

import pytest

from tests.support.streams import new_hub
from webapp.services.tables.live import waking
from webapp.services.tables.live.open_stream import EventStream

CODE = "ABC234"
LONG = 30.0


async def turns(number: int = 10) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def test_all_streams_of_a_table_are_woken_with_one_call_into_the_loop() -> None:
    async def wakings() -> tuple[int, int]:
        crowd = Crowd(watchers=50)
        crowd.made = True
        await crowd.begin()
        loop, calls = asyncio.get_running_loop(), []
        call, loop.call_soon_threadsafe = loop.call_soon_threadsafe, lambda *said, **_: calls.append(said)  # type: ignore[method-assign]
        crowd.hub.moved(CODE, 7, None)
        loop.call_soon_threadsafe = call  # type: ignore[method-assign]
        for function, *args in calls:
            function(*args)
        return len(calls), len(crowd.woken)

    assert asyncio.run(wakings()) == (1, 50)


def test_what_was_loaded_wakes_the_streams_that_do_not_have_it() -> None:
    async def told() -> None:
        crowd = Crowd(watchers=4)
        crowd.made = True
        await crowd.begin()
        for stream, version in zip(crowd.streams, (7, 8, 9, 7), strict=True):
            stream.note(version, 1)
        crowd.hub.loaded(CODE, 8, 5_000)
        await turns()
        seen = [(stream.version, stream.deadline) for stream in crowd.streams]
        assert seen == [(8, 5_000), (8, 5_000), (9, 1), (8, 5_000)]
        assert {crowd.streams.index(stream) for stream in crowd.woken} == {0, 3}

    asyncio.run(told())


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
    """Streams that, when woken, wait for a view until it is ``made``."""

    def __init__(self, watchers: int, seats: int = 0) -> None:
        self.hub = new_hub(most=1000)
        names = [*(f"watcher {number}" for number in range(watchers)), *[""] * seats]
        self.streams = [stream for name in names if (stream := self.hub.join(CODE, name, ()))]
        self.woken: list[EventStream] = []
        self.made = self._has_begun = False
        self._waiting: list[EventStream] = []

    async def begin(self) -> None:
        """Begin all streams, which need no view yet."""
        for stream in self.streams:
            stream.begin(partial(self._send_news, stream))
        await turns()
        self._has_begun = True

    def _send_news(self, stream: EventStream) -> float | None:
        if not self._has_begun:
            return LONG
        if stream not in self._waiting:
            self.woken.append(stream)
        if self.made:
            return LONG
        self._waiting.append(stream)
        return None

    def make(self) -> None:
        """Make the view, with which all that wait for it go on."""
        self.made = True
        for stream in list(self._waiting):
            stream.resume()
        self._waiting.clear()

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
        await crowd.begin()
        crowd.hub.moved(CODE, 7, None)
        first = await crowd.woken_in_turns(50)
        crowd.make()
        return first + await crowd.woken_in_turns(50)

    counts = asyncio.run(woken())
    assert counts[49] == waking.AT_ONCE
    assert counts[-1] == 3 * waking.AT_ONCE + 1
    assert max(after - before for before, after in itertools.pairwise(counts)) <= waking.AT_ONCE, "others have a turn"


@pytest.mark.parametrize("is_made", [True, False])
def test_each_stream_of_a_crowd_is_woken_once(is_made: bool) -> None:
    async def woken() -> tuple[list[EventStream], list[EventStream]]:
        crowd = Crowd(watchers=3 * waking.AT_ONCE)
        await crowd.begin()
        crowd.made = is_made
        crowd.hub.moved(CODE, 7, None)
        await turns()
        crowd.make()
        await turns(50)
        return crowd.streams, crowd.woken

    opened, woken_of_them = asyncio.run(woken())
    assert len(woken_of_them) == len(opened)
    assert set(woken_of_them) == set(opened)


def test_who_plays_is_woken_before_those_who_look_on() -> None:
    async def woken() -> list[bool]:
        crowd = Crowd(watchers=2 * waking.AT_ONCE, seats=5)
        await crowd.begin()
        crowd.made = True
        crowd.hub.moved(CODE, 7, None)
        await turns(50)
        return [bool(stream.watcher) for stream in crowd.woken]

    assert asyncio.run(woken()) == [False] * 5 + [True] * 2 * waking.AT_ONCE


def test_a_crowd_is_woken_though_the_first_of_it_take_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "SERVED_SECONDS", 0)

    async def woken() -> int:
        crowd = Crowd(watchers=3 * waking.AT_ONCE)
        await crowd.begin()
        crowd.hub.moved(CODE, 7, None)
        return (await crowd.woken_in_turns(1000))[-1]

    assert asyncio.run(woken()) == 3 * waking.AT_ONCE


def test_a_stream_that_waits_holds_none_of_those_it_was_woken_with() -> None:
    """Of a crowd that has left, nothing must stay for as long as somebody at the table waits."""

    async def left() -> list[EventStream | None]:
        crowd = Crowd(watchers=2 * waking.AT_ONCE, seats=1)
        await crowd.begin()
        crowd.hub.moved(CODE, 7, None)
        await turns()
        crowd.make()
        await turns()
        *go, _ = crowd.streams
        known = [weakref.ref(stream) for stream in go]
        for stream in go:
            stream.close()
        await turns()  # the others have been told how many look on
        del crowd.streams[:-1], crowd.woken[:], go, stream
        gc.collect()
        return [stream() for stream in known if stream() is not None]

    assert asyncio.run(left()) == []


def test_a_second_change_while_a_crowd_is_being_woken_reaches_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "SERVED_SECONDS", 60)

    async def versions() -> set[int]:
        hub, seen, loop = new_hub(most=1000), dict[EventStream, int](), asyncio.get_running_loop()

        def join(number: int) -> EventStream:
            stream = hub.join(CODE, f"watcher {number}", ())
            assert stream
            rendered = [0]

            def send_news() -> float | None:
                if rendered[0] < stream.version:
                    rendered[0] = stream.version
                    loop.call_soon(stream.resume)
                    return None
                seen[stream] = rendered[0]
                return LONG

            stream.begin(send_news)
            return stream

        opened = [join(number) for number in range(4 * waking.AT_ONCE)]
        await turns()
        for version in (7, 8, 9):
            hub.moved(CODE, version, None)
            await turns(2)
        await turns(100)
        assert len(seen) == len(opened)
        return set(seen.values())

    assert asyncio.run(versions()) == {9}
