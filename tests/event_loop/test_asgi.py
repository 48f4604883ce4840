"""The ASGI app around a WSGI app, asked without a server."""

import asyncio
import weakref
from collections.abc import AsyncGenerator, Callable
from typing import Any

from tests.event_loop.test_requests import scope
from webapp.event_loop import handover
from webapp.event_loop.asgi import EventLoopApp


def test_a_stream_that_has_begun_holds_nothing_of_its_request() -> None:
    """It lives for hours, and browsers send two kilobytes."""
    bodies: list[weakref.ref[Any]] = []
    held: list[int] = []
    sent: list[dict[str, Any]] = []

    async def lines() -> AsyncGenerator[bytes, None]:
        for _ in range(500):  # the thread lets go of it a moment later
            if bodies[0]() is None:
                break
            await asyncio.sleep(0.01)
        held.append(bodies[0]() is not None)
        yield b"data: x\n\n"

    def site(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        bodies.append(weakref.ref(environ["wsgi.input"]))
        left = handover.offered(environ)
        assert left
        left.take(lines(), lambda: None)
        start("200 OK", [("Content-Type", "text/event-stream"), ("Content-Length", "0")])
        return []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asked = scope(("Host", "cards.example"), ("Cookie", "a=1"), method="GET")
    app = EventLoopApp(site, threads=1, counts=False, begin=lambda: None)
    asyncio.run(app(asked, receive, send))
    app.threads.close()
    assert held == [False]
    assert asked["headers"] == []
    assert [message.get("body") for message in sent] == [None, b"data: x\n\n", b""]
    assert sent[0]["headers"] == [(b"content-type", b"text/event-stream")]
