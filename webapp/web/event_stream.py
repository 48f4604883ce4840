"""The event stream of a shared table in the format of text/event-stream."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import structlog
from flask import Response

from webapp.services.core.randomness import jitter
from webapp.services.tables.live.open_stream import EventStream
from webapp.services.tables.live.pubsub import Hub
from webapp.services.tables.table_events import TableEvents
from webapp.web.pushed_views import Push
from webapp.web.rendering import Rendering

log = structlog.get_logger()

BACK_AFTER: Final = 500
BACK_WITHIN: Final = 2500
"""Milliseconds after which the page of an ended stream reconnects: a random time, so that not all do so at once."""
MOST_ATTEMPTS: Final = 3
"""Attempts to render a view before its page is told to request it: the answer to a command may contain no view, and a
rendering may have begun too early."""


def stream_head() -> Response:
    """Return the headers of the answer. Its lines are sent by the event loop."""
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


class StreamText:
    """The text of one stream. It must not keep a request, session or database connection.

    Args:
        hub: The hub of the process.
        stream: The stream that is published to.
        push: The view that is pushed; None for a page or program that only follows versions.
    """

    def __init__(self, hub: Hub, stream: EventStream, push: Push | None) -> None:
        self._stream, self._push = stream, push
        self._events = TableEvents(hub, stream)
        self._pieces = asyncio.Queue[bytes | None]()
        """What is to be sent, one piece at a time; None after the last one."""
        self._is_sending = False
        self._unsent = b""
        """Text that could not be sent yet, because the client has to read first."""
        self._attempts = 0
        """Failed attempts to render the view that is due."""

    async def pieces(self) -> AsyncIterator[bytes]:
        """Return the current state of the table, and its changes when they are published."""
        self._send(b"retry: 2000\n\n")
        self._stream.begin(self._send_news)
        while (piece := await self._pieces.get()) is not None:
            yield piece
            del piece  # the next one may come in an hour
            self._is_sending = False
            if self._unsent:
                self._stream.resume()

    def close(self) -> None:
        """Send nothing more."""
        self._stream.close()
        self._pieces.put_nowait(None)

    def _send_news(self) -> float | None:
        """Send what is new, and return the seconds after which there may be more.

        Return None if the stream has ended, or has to wait for a view or for its client.
        """
        try:
            return self._try_to_send_news()
        except Exception:  # it must not hold up other streams
            log.exception("event stream failed")
            self._finish(b"")  # the client reconnects
            return None

    def _try_to_send_news(self) -> float | None:
        if self._stream.ended:
            self._finish(b"retry: %d\n\n" % (BACK_AFTER + int(jitter(BACK_WITHIN))))
            return None
        version = self._stream.version
        push = self._push_of(version)
        latest = push.latest(version) if push else None
        if push and latest is None and self._attempts < MOST_ATTEMPTS:
            self._attempts += 1
            push.render(self._stream.resume)
            return None
        self._attempts = 0
        text, seconds = self._news(version, latest)
        return seconds if self._send(text) else None

    def _push_of(self, version: int) -> Push | None:
        """Return ``push`` if the page is to be sent the view of this version."""
        is_new = version != self._events.version and self._push is not None and version > self._push.version
        return self._push if is_new else None

    def _news(self, version: int, latest: Rendering | None) -> tuple[bytes, float]:
        """Return what is new up to a version, and the seconds after which there may be more.

        ``latest``: the view of this version or a later one; None if it is not to be pushed.
        """
        events, seconds = self._events.take(version)
        messages = [f"event: {event}\ndata: {content}\n\n".encode() for event, content in events]
        if latest is not None and self._push is not None and (changes := self._push.message(latest)) is not None:
            messages.insert(0, changes)
        return b"".join(messages), seconds

    def _send(self, text: bytes) -> bool:
        """Send text after all that is unsent, in one piece: each costs a system call. Return True if it was sent."""
        text, self._unsent = self._unsent + text, b""
        if self._is_sending:
            self._unsent = text
            return not text
        if text:
            self._is_sending = True
            self._pieces.put_nowait(text)
        return True

    def _finish(self, end: bytes) -> None:
        self._pieces.put_nowait(self._unsent + end)
        self._pieces.put_nowait(None)
        self._unsent = b""
