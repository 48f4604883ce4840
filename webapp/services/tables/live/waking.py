"""Waking of the event streams of a table, from any thread: players first, and a crowd in portions."""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from webapp.services.tables.live.open_stream import EventStream

AT_ONCE: Final = 100
"""Streams that are woken in one iteration of an event loop. Between two of them the loop handles other events."""
SERVED_SECONDS: Final = 0.1
"""Seconds after which the next portion is woken even if none of the last one has been served: its clients are slow."""


def wake_all(streams: Iterable[EventStream]) -> None:
    """Wake streams, with one call to each event loop."""
    by_loop: dict[AbstractEventLoop, list[EventStream]] = {}
    for stream in streams:
        if stream.loop is not None:
            by_loop.setdefault(stream.loop, []).append(stream)
    for loop, woken in by_loop.items():
        woken.sort(key=_is_watcher)
        with suppress(RuntimeError):  # the loop is closed: the process is shutting down
            loop.call_soon_threadsafe(_Waking(loop, woken).go_on, 0)


def _is_watcher(stream: EventStream) -> bool:
    return bool(stream.watcher)


class _Waking:
    """Streams of one event loop that are woken portion by portion.

    If a view has to be rendered, the next portion is woken when the first stream of the last one has been served: by
    then the view of the crowd has been rendered. Woken earlier, all would wait for it, and the thread that renders it
    would compete with them for the interpreter. bench: tables.
    """

    def __init__(self, loop: AbstractEventLoop, streams: Sequence[EventStream]) -> None:
        self._loop, self._streams = loop, streams
        self._begun = -1
        self._timer: TimerHandle | None = None

    def go_on(self, begin: int) -> None:
        """Wake the portion that begins at this index, unless that was done."""
        if begin <= self._begun:
            return
        self._begun, rest = begin, begin + AT_ONCE
        if self._timer is not None:
            self._timer.cancel()
        few = self._streams[begin:rest]
        if rest >= len(self._streams):
            for stream in few:
                stream.serve()
            return
        go_on = partial(self._loop.call_soon, self.go_on, rest)
        if sum(stream.serve(go_on) for stream in few):
            self._timer = self._loop.call_later(SERVED_SECONDS, self.go_on, rest)
        else:
            go_on()
