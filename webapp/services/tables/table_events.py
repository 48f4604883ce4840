"""The events of a stream of a shared table: new versions, the number of watchers, reactions, and a regular beat."""

import asyncio
import time
from collections.abc import AsyncIterator
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


async def table_events(hub: Hub, stream: EventStream) -> AsyncIterator[tuple[str, str]]:
    """Yield the events of a stream of a hub, each with its data, until the stream ends.

    When a deadline has passed, one stream of the table loads it in a thread, which does what is due.
    """
    version, watching, reacted, beat = -1, -1, 0, time.monotonic()
    patience = AFTER_TIMER + jitter(APART)
    while not stream.ended:
        if stream.version != version:
            version = stream.version
            yield "moved", str(version)
        count = hub.watching(stream.code)
        if count != watching:
            watching = count
            yield "watching", str(watching)
        for reaction in hub.reactions.recent(stream.code, after=reacted):
            reacted = reaction.number
            yield "reaction", f"{reaction.seat} {reaction.kind} {reaction.word}"
        now = time.monotonic()
        if now - beat >= BEAT_SECONDS:
            beat = now
            yield "beat", ""
            await _ask_table(hub, stream, rarely=True)
            continue
        await stream.wait(min(BEAT_SECONDS - (now - beat), _until_due(hub, stream, patience)))
        if stream.deadline and stream.deadline <= hub.now_ms():
            await _ask_table(hub, stream)


def _until_due(hub: Hub, stream: EventStream, patience: float) -> float:
    """Return the seconds until the deadline plus ``patience``, which leaves time to the timer of the process."""
    if not stream.deadline:
        return BEAT_SECONDS
    return max(0.05, (stream.deadline - hub.now_ms()) / 1000 + patience)


async def _ask_table(hub: Hub, stream: EventStream, rarely: bool = False) -> None:
    if hub.may_tick(stream.code, BEAT_SECONDS / 2 if rarely else 0.2):
        await asyncio.to_thread(_load_table, hub, stream)


def _load_table(hub: Hub, stream: EventStream) -> None:
    """Load the table as any visitor would; if anything was due, the change is published to all streams."""
    with hub.open_context():
        try:
            table = loading.load(stream.code, None)
        except Refusal:
            stream.deadline = 0
            return
        except SQLAlchemyError as error:  # the database is busy; ending the stream would only make it reconnect
            log.warning("table not loaded", table=stream.code, error=type(error).__name__)
            return
        stream.publish(table.version, table.deadline or 0)
