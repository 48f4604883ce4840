"""The event stream of a shared table in the format of text/event-stream."""

from collections.abc import AsyncGenerator
from functools import lru_cache
from typing import Final

from flask import Response, request

from webapp.event_loop.handover import SendAtOnce
from webapp.event_loop.stream_encoding import Encoding, GzipStream, Message, PlainStream, short_message
from webapp.services.core.randomness import jitter
from webapp.services.tables.live.open_stream import EventStream
from webapp.services.tables.live.pubsub import Hub
from webapp.services.tables.table_events import TableEvents
from webapp.web.pushed_views import Push
from webapp.web.rendering import Rendering

BACK_AFTER: Final = 500
BACK_WITHIN: Final = 2500
"""Milliseconds after which the page of an ended stream reconnects: a random time, so that not all do so at once."""
STEP: Final = 20
"""Granularity of that time in milliseconds: each value is a message of its own, which is compressed once."""


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
        stream: The stream, from which it reads.
        push: The view that is pushed; None for a page or program that only follows versions.
        encoding: The encoding of the answer.
    """

    def __init__(self, hub: Hub, stream: EventStream, push: Push | None, encoding: Encoding) -> None:
        self._stream, self._push, self._encoding = stream, push, encoding
        self._events = TableEvents(hub, stream)
        self._send_at_once: SendAtOnce | None = None
        self._unsent = b""

    async def lines(self, send_at_once: SendAtOnce | None) -> AsyncGenerator[bytes, None]:
        """Yield the encoded lines until the stream ends.

        ``send_at_once`` sends a piece without waiting (see ``handover``), if the server can.
        """
        stream, encoding, self._send_at_once = self._stream, self._encoding, send_at_once
        yield encoding.begin() + encoding.add(short_message(b"retry: 2000\n\n"))
        if send_at_once is not None:
            stream.send_news = self._send_news
        try:
            while not stream.ended:
                version = stream.version
                push = self._push_of(version)
                text, seconds = self._news(version, await push.prepare(version) if push else None)
                if text:
                    yield text
                del text  # otherwise it would be kept during the wait
                await stream.wait(seconds)
        finally:
            stream.send_news = None  # else the two would refer to each other
        back_after = BACK_AFTER + STEP * int(jitter(BACK_WITHIN / STEP))
        end = encoding.add(short_message(b"retry: %d\n\n" % back_after)) + encoding.end()
        yield self._unsent + end

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
        text = self._unsent + self._encoding.add(*messages)  # in one piece: each costs a system call
        self._unsent = b""
        return text, seconds

    def _send_news(self) -> float | None:
        """Send what is new while ``lines`` waits, and return the seconds after which there may be more.

        Return None if ``lines`` has to continue: to render a view, to wait until the client reads, or to end.
        """
        version = self._stream.version
        push = self._push_of(version)
        latest = push.latest(version) if push else None
        if self._send_at_once is None or self._stream.ended or (push and not latest):
            return None
        text, seconds = self._news(version, latest)
        if not text or self._send_at_once(text):
            return seconds
        self._unsent = text
        return None
