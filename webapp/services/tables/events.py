"""What a stream says: that the table has moved, how many look on, and every few seconds that it is still there."""

import time
from collections.abc import Iterator

import structlog
from sqlalchemy.exc import SQLAlchemyError

from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import jitter
from webapp.services.tables import commands
from webapp.services.tables.pubsub import BEAT, EventStream

log = structlog.get_logger()


def table_events(stream: EventStream) -> Iterator[tuple[str, str]]:
    """Events, as long as somebody takes them. An overdue deadline is seen to by one of a table's streams."""
    told, counted, beat = -1, -1, time.monotonic()
    while not stream.ended:
        if stream.version != told:
            told = stream.version
            yield "moved", str(told)
        watching = stream.hub.watching(stream.code)
        if watching != counted:
            counted = watching
            yield "watching", str(counted)
        now = time.monotonic()
        if now - beat >= BEAT:
            beat = now
            yield "beat", ""
            _tick(stream, rarely=True)
            continue
        stream.wait(min(BEAT - (now - beat), _until_due(stream)))
        if stream.deadline and stream.deadline <= now_ms():
            _tick(stream)


def _until_due(stream: EventStream) -> float:
    """Seconds; not all streams of all tables in the same moment."""
    if not stream.deadline:
        return BEAT
    return max(0.05, (stream.deadline - now_ms()) / 1000) + jitter(0.15)


def _tick(stream: EventStream, rarely: bool = False) -> None:
    """Ask the table, as anybody might; it tells all its streams if anything was due."""
    if not stream.hub.may_tick(stream.code, BEAT / 2 if rarely else 0.2):
        return
    with stream.hub.app.app_context():
        try:
            table = commands.load(stream.code, None)
        except Refusal:
            stream.deadline = 0
            return
        except SQLAlchemyError as error:  # busy: a line that broke off would only come back and ask again
            log.warning("table not asked", table=stream.code, error=type(error).__name__)
            return
        stream.tell(table.version, table.deadline or 0)
