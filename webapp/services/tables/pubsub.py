"""Telling those who watch a table that it has moved: only its version and the next deadline, never what is on it.

In memory within a process; between processes by PostgreSQL's LISTEN and NOTIFY. Each page then fetches its own view.
"""

import os
import time
from collections import defaultdict
from threading import Condition, Lock, Thread
from typing import Final

import structlog
from flask import Flask
from sqlalchemy import text

from webapp.extensions import db
from webapp.services.core.randomness import new_key

log = structlog.get_logger()

CHANNEL: Final = "tefuda_tables"
BEAT: Final = 10.0
"""Seconds between signs of life of a stream."""
NEWS: Final = 2.0
"""Seconds for which it is taken for granted that a table is where it was said to have moved; if it has moved again,
that is being said, too."""
FEW: Final = 20
"""Streams of a table, up to which each is told at once that somebody has come to watch."""
FORGET: Final = 30.0
"""Seconds after which what another process said of its watchers no longer counts."""
KNOWN: Final = 2_000
"""Tables of which it is kept who polls and how many watch. Beyond that the stale ones go."""


class EventStream:
    """One who listens to a table. ``wait`` sleeps until there is news, or it is time to look for some."""

    def __init__(self, hub: "Hub", code: str, watches: bool, names: tuple[str, ...], page: str) -> None:
        self.hub, self.code, self.watches, self.names, self.page = hub, code, watches, names, page
        self.ended = False
        self.version, self.deadline = 0, 0
        self._news = Condition()
        self._fresh = False

    def tell(self, version: int, deadline: int) -> None:
        with self._news:
            if version >= self.version:
                self.version, self.deadline, self._fresh = version, deadline, True
                self._news.notify()

    def tell_watching(self) -> None:
        with self._news:
            self._fresh = True
            self._news.notify()

    def wait(self, seconds: float) -> bool:
        """Whether there is news."""
        with self._news:
            if not self._fresh:
                self._news.wait(seconds)
            fresh, self._fresh = self._fresh, False
            return fresh

    def end(self) -> None:
        """The page has another one now."""
        self.ended = True
        self.tell_watching()

    def close(self) -> None:
        self.hub.leave(self)


class Hub:
    """All streams of one process."""

    def __init__(self, app: Flask, database_url: str, most: int) -> None:
        self.app, self.most = app, most
        self._word = new_key(8)
        self._pg = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._shared = database_url.startswith("postgresql")
        self._lock = Lock()
        self._streams: defaultdict[str, set[EventStream]] = defaultdict(set)
        self._visitors: defaultdict[str, int] = defaultdict(int)
        self._polls: dict[str, dict[str, float]] = {}
        self._elsewhere: dict[tuple[str, str], tuple[int, float]] = {}
        self._said: dict[str, int] = {}
        self._ticks: dict[str, float] = {}
        self._moved: dict[str, tuple[int, float]] = {}
        self._counted: dict[str, tuple[int, float]] = {}
        self._ear: Thread | None = None

    @property
    def name(self) -> str:
        """Of this process among those that share the tables; it may have been forked after the app was made."""
        return f"{self._word}-{os.getpid()}"

    # Listening.

    def join(
        self, code: str, watches: bool, visitors: tuple[tuple[str, int], ...], page: str = ""
    ) -> EventStream | None:
        """A new stream; None if there are too many. ``visitors``: names it counts under, and how many each may have.

        ``page``: a word of the page's own; what it listened to before ends, whether or not that is noticed otherwise.
        """
        for old in [old for old in tuple(self._streams.get(code, ())) if page and old.page == page]:
            old.end()
            self.leave(old)
        with self._lock:
            if sum(map(len, self._streams.values())) >= self.most:
                return None
            if any(self._visitors.get(name, 0) >= most for name, most in visitors):
                return None
            for name, _ in visitors:
                self._visitors[name] += 1
            stream = EventStream(self, code, watches, tuple(name for name, _ in visitors), page)
            self._streams[code].add(stream)
        self._listen()
        self._count(code)
        return stream

    def leave(self, stream: EventStream) -> None:
        with self._lock:
            streams = self._streams.get(stream.code, set())
            if stream not in streams:
                return
            streams.discard(stream)
            if not streams:
                self._streams.pop(stream.code, None)
                self._ticks.pop(stream.code, None)
                self._moved.pop(stream.code, None)
                self._counted.pop(stream.code, None)
            for name in stream.names:
                self._visitors[name] -= 1
                if self._visitors[name] <= 0:
                    del self._visitors[name]
        self._count(stream.code)

    @property
    def streams(self) -> int:
        with self._lock:
            return sum(map(len, self._streams.values()))

    def may_tick(self, code: str, every: float) -> bool:
        """Whether this is the one among a table's streams that asks it now; once in so many seconds."""
        now = time.monotonic()
        with self._lock:
            if now - self._ticks.get(code, 0.0) < every:
                return False
            self._ticks[code] = now
            return True

    # Telling.

    def prepare(self, code: str, version: int, deadline: int | None) -> None:
        """Within a transaction: the other processes hear of it when it is committed."""
        if self._shared:
            payload = f"{self.name} moved {code} {version} {deadline or 0}"
            db.session.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})

    def moved(self, code: str, version: int, deadline: int | None) -> None:
        """To those of this process, after the commit."""
        with self._lock:
            streams = tuple(self._streams.get(code, ()))
            if streams and version >= self._moved.get(code, (0, 0.0))[0]:
                self._moved[code] = (version, time.monotonic())
        for stream in streams:
            stream.tell(version, deadline or 0)

    def just_moved(self, code: str) -> int | None:
        """The version that was told a moment ago: what a thousand pages ask for now, and none of them need look up."""
        with self._lock:
            version, at = self._moved.get(code, (0, 0.0))
        return version if version and time.monotonic() - at < NEWS else None

    # Watchers.

    def saw(self, code: str, visitor: str) -> None:
        """Somebody without a stream has looked."""
        now = time.monotonic()
        with self._lock:
            self._polls.setdefault(code, {})[visitor] = now
            if len(self._polls) > KNOWN:
                for each in tuple(self._polls):
                    self._here(each, now)

    def watching(self, code: str) -> int:
        """How many look on, in all processes, as far as is known; in a crowd, a moment ago."""
        now = time.monotonic()
        with self._lock:
            count, at = self._counted.get(code, (0, 0.0))
            if now - at < (1.0 if count > FEW else 0.0):
                return count
            here = self._here(code, now)
            if len(self._counted) > KNOWN:
                self._counted.clear()
            there = [count for (_, each), (count, at) in self._elsewhere.items() if each == code and now - at < FORGET]
            self._counted[code] = (here + sum(there), now)
            return here + sum(there)

    def _here(self, code: str, now: float) -> int:
        polls = {who: at for who, at in self._polls.get(code, {}).items() if now - at < 2 * BEAT}
        if polls:
            self._polls[code] = polls
        else:
            self._polls.pop(code, None)
        return len(polls) + sum(stream.watches for stream in self._streams.get(code, ()))

    def _count(self, code: str) -> None:
        """In small company everybody hears at once who has come; in a crowd with the next beat."""
        with self._lock:
            streams = tuple(self._streams.get(code, ()))
        if len(streams) > FEW:
            return
        for stream in streams:
            stream.tell_watching()

    # Other processes.

    def _listen(self) -> None:
        if not self._shared:
            return
        with self._lock:
            if self._ear is None or not self._ear.is_alive():
                self._ear = Thread(target=self._hear, name="tables-ear", daemon=True)
                self._ear.start()

    def _hear(self) -> None:
        """For ever: a connection of its own, outside of the pool, opened again when it is lost."""
        import psycopg

        while True:
            try:
                with psycopg.connect(self._pg, autocommit=True, application_name=f"tefuda-ear-{os.getpid()}") as line:
                    line.execute(f"LISTEN {CHANNEL}")
                    self._wake_all()
                    while True:
                        for note in line.notifies(timeout=1.0, stop_after=64):
                            self._heard(note.payload)
                        for payload in self._news_of_watchers():
                            line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
            except psycopg.Error as error:
                log.warning("ear lost", error=type(error).__name__)
                time.sleep(1.0)

    def _wake_all(self) -> None:
        """Whatever was said while nobody listened: everybody looks for themselves."""
        with self._lock:
            streams = [stream for each in self._streams.values() for stream in each]
        for stream in streams:
            stream.deadline = 1
            stream.tell_watching()

    def _heard(self, payload: str) -> None:
        who, kind, code, number, *rest = payload.split(" ")
        if who == self.name:
            return
        if kind == "moved":
            self.moved(code, int(number), int(rest[0]))
        else:
            with self._lock:
                self._elsewhere[who, code] = (int(number), time.monotonic())
            self._count(code)

    def _news_of_watchers(self) -> list[str]:
        """What the others do not know yet; and every now and then what they do, so that it keeps counting."""
        now = time.monotonic()
        with self._lock:
            gone = [key for key, (_, at) in self._elsewhere.items() if now - at > FORGET]
            for key in gone:
                del self._elsewhere[key]
            counts = {code: self._here(code, now) for code in {*self._streams, *self._polls, *self._said}}
            again = int(now) % 10 == 0
            news = [
                (code, count) for code, count in counts.items() if self._said.get(code) != count or (again and count)
            ]
            self._said = {code: count for code, count in counts.items() if count}
        return [f"{self.name} watching {code} {count}" for code, count in news]
