"""The events of a table's stream: that it has changed, the number of watchers, reactions, and a regular beat."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import jitter
from webapp.services.tables import loading
from webapp.services.tables.live.open_stream import EventStream
from webapp.services.tables.live.pubsub import BEAT_SECONDS, Hub

log = structlog.get_logger()

AFTER_TIMER: Final = 0.3
APART: Final = 0.15
"""Seconds that a stream leaves to the timer, and more by which streams differ, or all would wake at once."""


async def table_events(hub: Hub, stream: EventStream) -> AsyncIterator[tuple[str, str]]:
    """Yield the events of a stream of a hub, each with its data, until the stream ends.

    When a deadline has passed, one of a table's streams asks the table, in a thread, so that what is due happens.
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
        await stream.wait(min(BEAT_SECONDS - (now - beat), _until_due(stream, patience)))
        if stream.deadline and stream.deadline <= now_ms():
            await _ask_table(hub, stream)


def _until_due(stream: EventStream, patience: float) -> float:
    """Return the seconds until the deadline and ``patience``: the timer of the process comes first, if there is one."""
    if not stream.deadline:
        return BEAT_SECONDS
    return max(0.05, (stream.deadline - now_ms()) / 1000 + patience)


async def _ask_table(hub: Hub, stream: EventStream, rarely: bool = False) -> None:
    if hub.may_tick(stream.code, BEAT_SECONDS / 2 if rarely else 0.2):
        await asyncio.to_thread(_load_table, hub, stream)


def _load_table(hub: Hub, stream: EventStream) -> None:
    """Load the table as any visitor might; if anything was due, that publishes it to all streams."""
    with hub.open_context():
        try:
            table = loading.load(stream.code, None)
        except Refusal:
            stream.deadline = 0
            return
        except SQLAlchemyError as error:  # busy: a stream that broke off would only come back and ask again
            log.warning("table not asked", table=stream.code, error=type(error).__name__)
            return
        stream.tell(table.version, table.deadline or 0)
