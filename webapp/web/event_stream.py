"""The event stream of a shared table in the format of text/event-stream."""

from functools import lru_cache
from typing import Final

import structlog
from flask import Response, request

from webapp.event_loop.handover import Client
from webapp.event_loop.stream_encoding import Encoding, GzipStream, Message, PlainStream, short_message
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
STEP: Final = 20
"""Granularity of that time in milliseconds: each value is a message of its own, which is compressed once."""
MOST_ATTEMPTS: Final = 3
"""Attempts to render a view before its page is told to request it: the answer to a command may contain no view, and a
rendering may have begun too early."""


def stream_encoding() -> Encoding:
    """Return the encoding for this request: gzip if the client accepts it, otherwise plain lines."""
    return GzipStream() if request.accept_encodings.best_match(["gzip", "identity"]) == "gzip" else PlainStream()


def stream_head(encoding: Encoding) -> Response:
    """Return the headers of the answer. Its lines are sent by the event loop."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    answer = Response(mimetype="text/event-stream", headers=headers)
    answer.vary.add("Accept-Encoding")
    if encoding.coding:
        answer.content_encoding = encoding.coding
    return answer


@lru_cache(maxsize=64)
def _message(event: str, content: str) -> Message:
    """Return the message of an event that many streams are sent at about the same time, such as a version or a beat."""
    return Message(f"event: {event}\ndata: {content}\n\n".encode())


class StreamText:
    """The text of one stream. It must not keep a request, session or database connection.

    Args:
        hub: The hub of the process.
        stream: The stream that is published to.
        push: The view that is pushed; None for a page or program that only follows versions.
        encoding: The encoding of the answer.
    """

    def __init__(self, hub: Hub, stream: EventStream, push: Push | None, encoding: Encoding) -> None:
        self._stream, self._push, self._encoding = stream, push, encoding
        self._events = TableEvents(hub, stream)
        self._client: Client | None = None
        self._unsent = b""
        """Text that could not be sent yet, because the client has to read first."""
        self._attempts = 0
        """Failed attempts to render the view that is due."""

    def begin(self, client: Client) -> None:
        """Send the current state of the table, and its changes when they are published."""
        self._client = client
        self._send(self._encoding.begin() + self._encoding.add(short_message(b"retry: 2000\n\n")))
        self._stream.begin(self._send_news)

    def resume(self) -> None:
        """Go on sending: the client has read."""
        if self._unsent:
            self._stream.resume()

    def close(self) -> None:
        """Send nothing more."""
        self._client = None
        self._stream.close()

    def _send_news(self) -> float | None:
        """Send what is new, and return the seconds after which there may be more.

        Return None if the stream has ended, or has to wait for a view or for its client.
        """
        try:
            return self._try_to_send_news()
        except Exception:  # it must not hold up other streams
            log.exception("event stream failed")
            self._finish(b"")  # with gzip, an error for the client; otherwise it reconnects, too
            return None

    def _try_to_send_news(self) -> float | None:
        if self._stream.ended:
            back_after = BACK_AFTER + STEP * int(jitter(BACK_WITHIN / STEP))
            self._finish(self._encoding.add(short_message(b"retry: %d\n\n" % back_after)) + self._encoding.end())
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
        messages = [_message(event, content) for event, content in events]
        if latest is not None and self._push is not None and (changes := self._push.message(latest)) is not None:
            messages.insert(0, changes)
        return self._encoding.add(*messages), seconds

    def _send(self, text: bytes) -> bool:
        """Send text after all that is unsent, in one piece: each costs a system call. Return True if it was sent."""
        text, self._unsent = self._unsent + text, b""
        if not text or self._client is None or self._client.send(text):
            return True
        self._unsent = text
        return False

    def _finish(self, end: bytes) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.finish(self._unsent + end)
