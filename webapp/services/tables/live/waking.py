"""Waking the event streams of a table, from any thread: those who play first, and a crowd a few at a time."""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from webapp.services.tables.live.open_stream import EventStream

AT_ONCE: Final = 100
"""Streams that are woken in one turn of an event loop. Between two turns it does what others wait for."""
SERVED_SECONDS: Final = 0.1
"""Seconds after which the next ones are woken, though none of those before waits again: their clients take nothing."""


def wake_all(streams: Iterable[EventStream]) -> None:
    """Wake streams: each event loop is called once for all of them."""
    by_loop: dict[AbstractEventLoop, list[EventStream]] = {}
    for stream in streams:
        loop = stream.mark_fresh()
        if loop is not None:
            by_loop.setdefault(loop, []).append(stream)
    for loop, woken in by_loop.items():
        woken.sort(key=_looks_on)
        with suppress(RuntimeError):  # the loop has ended, and the process is about to
            loop.call_soon_threadsafe(_Waking(loop, woken).go_on, 0)


def _looks_on(stream: EventStream) -> bool:
    return bool(stream.watcher)


class _Waking:
    """Streams of one event loop that are being woken.

    More are woken when the first of those before them waits again: then the view that a crowd is sent has been made.
    Woken sooner they would wait for it, and be woken twice; and the thread that makes it would have the interpreter
    only between two of them. bench: tables.
    """

    def __init__(self, loop: AbstractEventLoop, streams: Sequence[EventStream]) -> None:
        self._loop, self._streams = loop, streams
        self._begun = -1
        self._timer: TimerHandle | None = None

    def go_on(self, begin: int) -> None:
        """Wake the streams from this one on, unless they have been."""
        if begin <= self._begun:
            return
        self._begun, rest = begin, begin + AT_ONCE
        if self._timer is not None:
            self._timer.cancel()
        few = self._streams[begin:rest]
        if rest >= len(self._streams):
            for stream in few:
                stream.finish_wait()
            return
        go_on = partial(self._loop.call_soon, self.go_on, rest)
        if sum(stream.finish_wait(go_on) for stream in few):
            self._timer = self._loop.call_later(SERVED_SECONDS, self.go_on, rest)
        else:
            go_on()
