"""The event streams of one process, and the publishing of changes to them.

What is published is only the version of a table and its next deadline, never its cards: the reader of each stream
renders the view of its own viewer (``web.pushed_views``). Changes made by other processes arrive through a ``Listener``
as words: the process that sends, the kind of message, the code of the table, a number, and more.
"""

import os
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from typing import Final

from webapp.services.core.randomness import new_key
from webapp.services.core.transaction import writing
from webapp.services.tables.live.listener import Listener, send_with_commit
from webapp.services.tables.live.open_stream import OVERDUE, EventStream
from webapp.services.tables.live.reactions import Reaction, Reactions
from webapp.services.tables.live.waking import wake_all
from webapp.services.tables.live.watchers import FEW, Watchers

BEAT_SECONDS: Final = 10.0
"""Seconds between two heartbeats of a stream."""
CURRENT_SECONDS: Final = 2.0
"""Seconds for which the last published version counts as the current one: any later change is published, too."""
NO_TABLE: Final = "-"
"""Stands for the code of a table in a message about several tables."""
TOGETHER: Final = 300
"""Tables whose counts of watchers fit into one message: PostgreSQL allows 8,000 bytes."""


class Hub:
    """All event streams of one process.

    Args:
        open_context: Opens a context of the app, for streams that load their table outside of any request.
        database_url: URL of the database. With PostgreSQL, changes are exchanged with other processes.
        most: Maximum number of open streams.
        now_ms: Clock of the app in unix milliseconds: streams run outside of its contexts.
    """

    def __init__(
        self,
        open_context: Callable[[], AbstractContextManager[object]],
        database_url: str,
        most: int,
        now_ms: Callable[[], int],
    ) -> None:
        self.open_context, self.most, self.now_ms = open_context, most, now_ms
        self._word = new_key(8)
        self._lock = Lock()
        self._streams: defaultdict[str, set[EventStream]] = defaultdict(set)
        self._pages: dict[tuple[str, str], EventStream] = {}
        """By table and page: the stream of that page."""
        self._visitors: defaultdict[str, int] = defaultdict(int)
        self._ticks: dict[str, float] = {}
        self._published: dict[str, tuple[int, float]] = {}
        self._closed = False
        self.streams = 0
        """Number of open streams."""
        self.ended = 0
        """Number of streams that have ended."""
        self._watchers = Watchers()
        self.reactions = Reactions()
        self._listener: Listener | None = None
        if database_url.startswith("postgresql"):
            self._listener = Listener(database_url, self._wake_all, self._receive, self._announcements)

    @property
    def name(self) -> str:
        """Name of this process among those that share the database. A forked process has another one."""
        return f"{self._word}-{os.getpid()}"

    # Streams.

    def join(
        self, code: str, watcher: str, visitors: tuple[tuple[str, int], ...], page: str = ""
    ) -> EventStream | None:
        """Open a stream of a table; return None if there are too many.

        When the process is shutting down, the stream has ended, so that its page reconnects: to another process, or to
        the next one at this address.

        Args:
            code: Code of the table.
            watcher: Player or address by which a viewer without a seat is counted; empty for one with a seat.
            visitors: Names by which the stream is counted, each with its maximum number of streams.
            page: Viewer and random word of the page; empty if unknown. An earlier stream of the same page is ended.
        """
        earlier = self._pages.get((code, page)) if page else None
        if earlier is not None:
            earlier.end()
            self.leave(earlier)
        stream = EventStream(code, watcher, tuple(name for name, _ in visitors), page, self.leave)
        with self._lock:
            if self._closed:
                stream.ended = True
                return stream
            if self.streams >= self.most or any(self._visitors.get(name, 0) >= most for name, most in visitors):
                return None
            for name in stream.names:
                self._visitors[name] += 1
            self._streams[code].add(stream)
            self.streams += 1
            if page:
                self._pages[code, page] = stream
        if watcher:
            self._watchers.add_stream(code, watcher)
        if self._listener:
            self._listener.start()
        self._show_watchers(code)
        return stream

    def leave(self, stream: EventStream) -> None:
        """Remove a stream; do nothing if it has been removed already."""
        with self._lock:
            streams = self._streams.get(stream.code, set())
            if stream not in streams:
                return
            streams.discard(stream)
            self.streams -= 1
            self.ended += 1
            if self._pages.get((stream.code, stream.page)) is stream:
                del self._pages[stream.code, stream.page]
            if not streams:
                self._streams.pop(stream.code, None)
                self._ticks.pop(stream.code, None)
                self._published.pop(stream.code, None)
            for name in stream.names:
                self._visitors[name] -= 1
                if self._visitors[name] <= 0:
                    del self._visitors[name]
        if stream.watcher:
            self._watchers.remove_stream(stream.code, stream.watcher)
        self._show_watchers(stream.code)

    def close(self) -> None:
        """End all streams, and new ones at once: the process is shutting down. Pages will reconnect."""
        with self._lock:
            self._closed = True
            streams = [stream for streams in self._streams.values() for stream in streams]
        for stream in streams:
            stream.ended = True
        wake_all(streams)

    def may_tick(self, code: str, every: float) -> bool:
        """Return True if a stream may load its table now: one of each table does so, once in ``every`` seconds."""
        now = time.monotonic()
        with self._lock:
            if now - self._ticks.get(code, 0.0) < every:
                return False
            self._ticks[code] = now
            return True

    def _streams_of(self, code: str) -> tuple[EventStream, ...]:
        with self._lock:
            return tuple(self._streams.get(code, ()))

    # Changes of tables.

    def prepare(self, code: str, version: int, deadline: int | None) -> None:
        """Publish a version to the other processes when the current transaction is committed."""
        if self._listener:
            send_with_commit(f"{self.name} moved {code} {version} {deadline or 0}")

    def moved(self, code: str, version: int, deadline: int | None) -> None:
        """Publish a version to the streams of this process. To be called after the commit."""
        with self._lock:
            streams = tuple(self._streams.get(code, ()))
            if streams and version >= self._published.get(code, (0, 0.0))[0]:
                self._published[code] = (version, time.monotonic())
        wake_all(stream for stream in streams if stream.note(version, deadline or 0))

    def loaded(self, code: str, version: int | None, deadline: int | None) -> None:
        """Store what has been loaded of a table in its streams, and wake those with an earlier version.

        ``version``: None if there is no such table any more; then nothing will be due.
        """
        streams = self._streams_of(code)
        earlier = [stream for stream in streams if version is not None and stream.version < version]
        for stream in streams:
            stream.note(stream.version if version is None else version, deadline or 0)
        wake_all(earlier)

    def just_moved(self, code: str) -> int | None:
        """Return the version that was published within ``CURRENT_SECONDS``, None if none was."""
        with self._lock:
            version, at = self._published.get(code, (0, 0.0))
        return version if version and time.monotonic() - at < CURRENT_SECONDS else None

    # Watchers.

    def add_poll(self, code: str, watcher: str) -> None:
        """Count a watcher whose page has no stream and polls."""
        self._watchers.add_poll(code, watcher)
        if self._listener:
            self._listener.start()

    def watching(self, code: str) -> int:
        """Return the number of watchers in all processes. For a crowd, it may be a second old."""
        return self._watchers.count(code)

    def _show_watchers(self, code: str) -> None:
        """Have the streams of a table send the number of watchers now; in a crowd they send it with the next beat."""
        if len(self._streams.get(code, ())) <= FEW:
            wake_all(self._streams_of(code))

    # Reactions.

    def show_reaction(self, code: str, reaction: Reaction) -> None:
        """Have the streams of a table send a reaction, in all processes."""
        wake_all(self._streams_of(code))
        if self._listener:
            self._listener.start()
            seat, kind, word, player = reaction.seat, reaction.kind, reaction.word, reaction.player
            with writing():
                send_with_commit(f"{self.name} reaction {code} {seat} {kind} {word} {player}")

    # Other processes.

    def _wake_all(self) -> None:
        """Have all streams load their tables: changes may have been missed while the listener was disconnected."""
        with self._lock:
            streams = [stream for streams in self._streams.values() for stream in streams]
        for stream in streams:
            stream.deadline = OVERDUE
        wake_all(streams)

    def _receive(self, message: str) -> None:
        process, kind, code, number, *rest = message.split(" ")
        if process == self.name:
            return
        if kind == "moved":
            self.moved(code, int(number), int(rest[0]))
        elif kind == "reaction":
            self.reactions.receive(code, int(number), *rest)
            wake_all(self._streams_of(code))
        elif kind == "watching":
            self._receive_count(process, code, int(number))  # from a process of an earlier version
        elif kind == "counts":
            for counted in rest:
                code, _, number = counted.partition("=")
                self._receive_count(process, code, int(number))

    def _receive_count(self, process: str, code: str, count: int) -> None:
        self._watchers.receive(process, code, count)
        self._show_watchers(code)

    def _announcements(self) -> list[str]:
        """Return messages with the counts of watchers that have changed, in few pieces: each costs a transaction."""
        counts = [f"{code}={count}" for code, count in self._watchers.announcements()]
        return [
            f"{self.name} counts {NO_TABLE} 0 {' '.join(counts[begin : begin + TOGETHER])}"
            for begin in range(0, len(counts), TOGETHER)
        ]
