"""The event stream of a shared table in the format of text/event-stream."""

from collections.abc import AsyncGenerator
from typing import Final

from flask import Response, request

from webapp.event_loop.stream_encoding import Encoding, GzipStream, PlainStream, short_message
from webapp.services.core.randomness import jitter
from webapp.services.tables.live.open_stream import EventStream
from webapp.services.tables.live.pubsub import Hub
from webapp.services.tables.table_events import table_events
from webapp.web.pushed_views import Push

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


async def stream_lines(
    hub: Hub, stream: EventStream, push: Push | None, encoding: Encoding
) -> AsyncGenerator[bytes, None]:
    """Yield the encoded lines of a stream. The generator must not keep a request, session or connection."""
    yield encoding.begin() + encoding.add(short_message(b"retry: 2000\n\n"))
    async for event, content in table_events(hub, stream):
        news = short_message(b"event: %b\ndata: %b\n\n" % (event.encode(), content.encode()))
        changes = await push.next_message(int(content)) if push and event == "moved" else None
        # in one piece: each costs a system call
        yield encoding.add(changes, news) if changes else encoding.add(news)
    back_after = BACK_AFTER + STEP * int(jitter(BACK_WITHIN / STEP))
    yield encoding.add(short_message(b"retry: %d\n\n" % back_after)) + encoding.end()
