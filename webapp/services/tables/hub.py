"""The pages that follow shared tables by event streams of this process, and what is published to them.

What is published is only that a table has another version, never its cards: each stream sends what its own viewer may
see (``web.push``). Changes made by other processes arrive through a ``Listener`` as words: the process that sends, the
kind of message, the code of the table, a number, and more.
"""

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from typing import Final

import structlog
from cachetools import LRUCache
from sqlalchemy import bindparam, select
from sqlalchemy.exc import SQLAlchemyError

from webapp.extensions import db
from webapp.models import SharedTable
from webapp.services.core.clock import MINUTE, now_ms
from webapp.services.core.database import writing
from webapp.services.core.randomness import new_key
from webapp.services.tables.follower import Ending, Follower, wake_all
from webapp.services.tables.listener import Listener, send_with_commit
from webapp.services.tables.reactions import Reaction, Reactions
from webapp.services.tables.watchers import FEW, Watchers

log = structlog.get_logger()

CURRENT_SECONDS: Final = 2.0
"""Seconds for which the last published version counts as the current one: any later change is published, too."""
OF_A_PLAYER: Final = 2
"""Streams of one player at one table. A browser opens six connections to a site over HTTP/1.1: with a stream for each
of seven tabs, none would be left for actions."""
LOOKS: Final = 6
"""Different views of one table that watchers of one address may have pushed: each is rendered for every change."""
PAGES: Final = 4096
"""Players at tables of whom it is known which page is the newest."""
NO_TABLE: Final = "-"
"""Stands for the code of a table in a message about several tables."""
TOGETHER: Final = 300
"""Tables whose counts of watchers fit into one message: PostgreSQL allows 8,000 bytes."""

_VERSIONS: Final = select(SharedTable.code, SharedTable.version).where(
    SharedTable.code.in_(bindparam("codes", expanding=True))
)


class Hub:
    """All pages that follow tables by a stream of this process.

    Args:
        open_context: Opens a context of the app, for looking at the database outside of any request.
        database_url: URL of the database. With PostgreSQL, changes are exchanged with other processes.
        most: Maximum number of open streams.
    """

    def __init__(
        self, open_context: Callable[[], AbstractContextManager[object]], database_url: str, most: int
    ) -> None:
        self._open_context, self.most = open_context, most
        self._word = new_key(8)
        self._lock = Lock()
        self._followers: defaultdict[str, dict[Follower, None]] = defaultdict(dict)
        """By table: its followers, those with a seat and those who look on, oldest first."""
        self._counts = Counter[str]()
        self._published: dict[str, tuple[int, float]] = {}
        self._closed = False
        self.streams = 0
        """Number of open streams."""
        self.ended = 0
        """Number of streams that have ended."""
        self._watchers = Watchers()
        self.reactions = Reactions()
        self._newest: LRUCache[tuple[str, str], int] = LRUCache(PAGES)
        self._listener: Listener | None = None
        if database_url.startswith("postgresql"):
            self._listener = Listener(database_url, self._catch_up, self._receive, self._announcements)

    @property
    def name(self) -> str:
        """Name of this process among those that share the database. A forked process has another one."""
        return f"{self._word}-{os.getpid()}"

    # Streams.

    def join(self, follower: Follower) -> bool:
        """Add a follower; return False if there are too many.

        When the process is shutting down, its stream has ended, so that the page reconnects: to another process, or to
        the next one at this address. Further streams of the same player at the table replace the oldest.
        """
        with self._lock:
            if self._closed:
                follower.ending = "again"
                return True
            others = self._followers.get(follower.code, {})
            same = [each for each in others if follower.page and each.page == follower.page]
            own = [each for each in others if follower.player and each.player == follower.player and each not in same]
            too_many = own[: len(own) + 1 - OF_A_PLAYER] if len(own) >= OF_A_PLAYER else []
            for each in (*same, *too_many):
                self._remove(each, "full" if each in too_many else "again")
            has_room = self.streams < self.most and self._is_within_limits(follower)
            if has_room:
                self._followers[follower.code][follower] = None
                self._counts.update(name for name, _ in follower.limits)
                self.streams += 1
        wake_all((*same, *too_many))
        for each in (*same, *too_many):
            self._uncount(each)
        if has_room:
            if follower.watcher:
                self._watchers.add_stream(follower.code, follower.watcher)
            if self._listener:
                self._listener.start()
            self._show_watchers(follower.code)
        return has_room

    def _is_within_limits(self, follower: Follower) -> bool:
        if any(self._counts[name] >= most for name, most in follower.limits):
            return False
        if follower.look is None or not follower.limits:
            return True
        others = self._followers.get(follower.code, ())
        looks = {each.look for each in others if each.address == follower.address and each.look is not None}
        return follower.look in looks or len(looks) < LOOKS

    def leave(self, follower: Follower) -> None:
        """Remove a follower; do nothing if it has been removed already."""
        with self._lock:
            if not self._remove(follower, "gone"):
                return
        self._uncount(follower)

    def _remove(self, follower: Follower, ending: Ending) -> bool:
        """Remove a follower, while the lock is held; return False if it has been removed already."""
        followers = self._followers.get(follower.code, {})
        if follower not in followers:
            return False
        follower.ending = follower.ending or ending
        del followers[follower]
        self.streams -= 1
        self.ended += 1
        for name, _ in follower.limits:
            self._counts[name] -= 1
            if not self._counts[name]:
                del self._counts[name]
        if not followers:
            self._followers.pop(follower.code, None)
            self._published.pop(follower.code, None)
        return True

    def _uncount(self, follower: Follower) -> None:
        if follower.watcher:
            self._watchers.remove_stream(follower.code, follower.watcher)
        self._show_watchers(follower.code)

    def close(self) -> None:
        """End all streams, and new ones at once: the process is shutting down. Pages will reconnect."""
        with self._lock:
            self._closed = True
            everybody = [each for followers in self._followers.values() for each in followers]
        for each in everybody:
            each.ending = each.ending or "again"
        wake_all(everybody)

    def _followers_of(self, code: str) -> list[Follower]:
        with self._lock:
            return list(self._followers.get(code, ()))

    # Versions of tables.

    def prepare(self, code: str, version: int) -> None:
        """Publish a version to the other processes when the current transaction is committed."""
        if self._listener:
            send_with_commit(f"{self.name} moved {code} {version}")

    def moved(self, code: str, version: int) -> None:
        """Publish a version to the streams of this process. To be called after the commit."""
        with self._lock:
            if code in self._followers and version >= self._published.get(code, (0, 0.0))[0]:
                self._published[code] = (version, time.monotonic())
        self.loaded(code, version)

    def loaded(self, code: str, version: int) -> None:
        """Publish a version that was found in the database to the streams that have an earlier one."""
        with self._lock:
            earlier = [each for each in self._followers.get(code, ()) if each.version < version]
            for each in earlier:
                each.version = version
        wake_all(earlier, in_turn=True)

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
        if len(self._followers.get(code, ())) <= FEW:
            wake_all(self._followers_of(code))

    # Reactions.

    def show_reaction(self, code: str, reaction: Reaction) -> None:
        """Have the streams of a table send a reaction, in all processes."""
        wake_all(self._followers_of(code))
        if self._listener:
            self._listener.start()
            seat, kind, word, player = reaction.seat, reaction.kind, reaction.word, reaction.player
            with writing():
                send_with_commit(f"{self.name} reaction {code} {seat} {kind} {word} {player}")

    # Pages of one player.

    def newest_page(self, code: str, player: str) -> int:
        """Return when the newest page was made in which a player has sat at a table, in ms; 0 if none is known.

        One from the future is forgotten: the time of day was set back, and every page since would be an older one.
        """
        newest = int(self._newest.get((code, player), 0))
        return newest if newest < now_ms() + MINUTE else 0

    def open_page(self, follower: Follower) -> None:
        """Have the older pages of a player with a seat say that a newer one plays, in all processes."""
        code, player, opened = follower.code, follower.player, follower.opened
        if self._open_page(code, player, opened) and self._listener:
            with writing():
                send_with_commit(f"{self.name} page {code} {opened} {player}")

    def _open_page(self, code: str, player: str, opened: int) -> bool:
        with self._lock:
            if opened <= self.newest_page(code, player):
                return False  # an older one that comes back does not become the newest by it
            self._newest[code, player] = opened
        wake_all(each for each in self._followers_of(code) if each.player == player)
        return True

    # Other processes.

    def _catch_up(self) -> None:
        """Look for the changes that may have been missed while the listener was disconnected."""
        with self._lock:
            codes = list(self._followers)
        try:
            with self._open_context():
                found = db.session.execute(_VERSIONS, {"codes": codes}).all()
        except SQLAlchemyError as error:
            log.warning("changes not looked for", error=type(error).__name__)
            return
        for code, version in found:
            self.loaded(code, version)

    def _receive(self, message: str) -> None:
        process, kind, code, number, *rest = message.split(" ")
        if process == self.name:
            return
        if kind == "moved":
            self.moved(code, int(number))
        elif kind == "reaction":
            self.reactions.receive(code, int(number), *rest)
            wake_all(self._followers_of(code))
        elif kind == "page":
            self._open_page(code, rest[0], int(number))
        elif kind == "counts":
            for counted in rest:
                code, _, number = counted.partition("=")
                self._watchers.receive(process, code, int(number))
                self._show_watchers(code)

    def _announcements(self) -> list[str]:
        """Return messages with the counts of watchers that have changed, in few pieces: each costs a transaction."""
        counts = [f"{code}={count}" for code, count in self._watchers.announcements()]
        return [
            f"{self.name} counts {NO_TABLE} 0 {' '.join(counts[begin : begin + TOGETHER])}"
            for begin in range(0, len(counts), TOGETHER)
        ]
