"""The event stream of a shared table as it is sent to a page: the lines of text/event-stream."""

from collections.abc import AsyncGenerator
from typing import Final

from flask import Response

from webapp.services.core.randomness import jitter
from webapp.services.tables.live.open_stream import EventStream
from webapp.services.tables.live.pubsub import Hub
from webapp.services.tables.table_events import table_events
from webapp.web.pushed_views import Push

BACK_AFTER: Final = 500
BACK_WITHIN: Final = 2500
"""Milliseconds after which the page of a stream that has ended opens it again, each at another moment of these."""


def stream_head() -> Response:
    """Return the answer without its lines, which follow while the page is open."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(mimetype="text/event-stream", headers=headers)


async def stream_lines(hub: Hub, stream: EventStream, push: Push | None) -> AsyncGenerator[bytes, None]:
    """Return the lines of a stream. It must hold no request, no session and no connection."""
    yield b"retry: 2000\n\n"
    async for event, content in table_events(hub, stream):
        changes = await push.changes(int(content)) if push and event == "moved" else None
        parts = b"id: %d\nevent: parts\ndata: %b\n\n" % (push.version, changes) if push and changes else b""
        # together: each time costs a call of the system
        yield b"%bevent: %b\ndata: %b\n\n" % (parts, event.encode(), content.encode())
    back_after = BACK_AFTER + int(jitter(BACK_WITHIN))  # the process ends: not all come back in one moment
    yield b"retry: %d\n\n" % back_after
