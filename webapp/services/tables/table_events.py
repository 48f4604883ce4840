"""The events of a stream of a shared table: new versions, the number of watchers, reactions, and a regular beat."""

import asyncio
import time
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import jitter
from webapp.services.tables import loading
from webapp.services.tables.live.open_stream import EventStream
from webapp.services.tables.live.pubsub import BEAT_SECONDS, Hub

log = structlog.get_logger()

AFTER_TIMER: Final = 0.3
APART: Final = 0.15
"""Seconds that a stream leaves to the timer, and a random addition, so that streams do not wake all at once."""


class TableEvents:
    """The events of one stream. Used in an event loop, without waiting for anything.

    When a deadline has passed, and regularly, one stream of the table loads it in a thread, which does what is due.

    Args:
        hub: The hub of the process.
        stream: The stream.
    """

    def __init__(self, hub: Hub, stream: EventStream) -> None:
        self._hub, self._stream = hub, stream
        self.version = -1
        """The last version that was told."""
        self._watching, self._reacted, self._beat = -1, 0, time.monotonic()
        self._patience = AFTER_TIMER + jitter(APART)

    def take(self, version: int) -> tuple[list[tuple[str, str]], float]:
        """Return the events since the last call, each with its data, and the seconds after which to call again.

        ``version``: the latest version of the table that the stream can tell.
        """
        hub, code, events = self._hub, self._stream.code, list[tuple[str, str]]()
        if version != self.version:
            self.version = version
            events.append(("moved", str(version)))
        count = hub.watching(code)
        if count != self._watching:
            self._watching = count
            events.append(("watching", str(count)))
        for reaction in hub.reactions.recent(code, after=self._reacted):
            self._reacted = reaction.number
            events.append(("reaction", f"{reaction.seat} {reaction.kind} {reaction.word}"))
        now = time.monotonic()
        if now - self._beat >= BEAT_SECONDS:
            self._beat = now
            events.append(("beat", ""))
            self._load_table(BEAT_SECONDS / 2)
        return events, min(BEAT_SECONDS - (now - self._beat), self._until_due())

    def _until_due(self) -> float:
        """Return the seconds until the deadline plus some patience, which leaves time to the timer of the process."""
        deadline = self._stream.deadline
        if not deadline:
            return BEAT_SECONDS
        left = deadline - self._hub.now_ms()
        if left <= 0:
            self._load_table(AFTER_TIMER)
        return max(0, left) / 1000 + self._patience

    def _load_table(self, every: float) -> None:
        """Load the table in a thread, unless a stream has done so within ``every`` seconds."""
        if self._hub.may_tick(self._stream.code, every):
            asyncio.get_running_loop().run_in_executor(None, _load_table, self._hub, self._stream.code)


def _load_table(hub: Hub, code: str) -> None:
    """Load a table as any visitor would; if anything was due, the change is published to all streams."""
    with hub.open_context():
        try:
            table = loading.load(code, None)
        except Refusal:
            hub.loaded(code, None, None)
            return
        except SQLAlchemyError as error:  # the database is busy; ending the stream would only make it reconnect
            log.warning("table not loaded", table=code, error=type(error).__name__)
            return
        hub.loaded(code, table.version, table.deadline)
