"""The ASGI app around a WSGI app, asked without a server."""

import asyncio
import threading
import weakref
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import Any

import pytest

from tests.event_loop.test_requests import scope
from webapp.event_loop import handover, serial_executor
from webapp.event_loop.asgi import EventLoopApp

SECONDS = 30


def test_a_stream_that_has_begun_holds_nothing_of_its_request() -> None:
    """It lives for hours, and browsers send two kilobytes."""
    bodies: list[weakref.ref[Any]] = []
    held: list[int] = []
    sent: list[dict[str, Any]] = []

    async def lines(_: object) -> AsyncGenerator[bytes, None]:
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
        left.take(lines, lambda: None)
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
    assert sent[0]["headers"] == [(b"content-type", b"text/event-stream"), (b"connection", b"close")]


def test_a_stream_that_waits_holds_nothing_of_what_it_has_sent() -> None:
    """Thousands of streams may wait for an hour, each with a view of its own."""

    freed, when_next = list[str](), list[str]()

    class Piece(bytes):
        def __del__(self) -> None:
            freed.append("first")

    async def lines(_: object) -> AsyncGenerator[bytes, None]:
        yield Piece(b"data: x\n\n")
        when_next.extend(freed)

    def site(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        left = handover.offered(environ)
        assert left
        left.take(lines, lambda: None)
        start("200 OK", [("Content-Type", "text/event-stream")])
        return []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(_message: dict[str, Any]) -> None:
        pass

    app = EventLoopApp(site, threads=1, counts=False, begin=lambda: None)
    asyncio.run(app(scope(("Host", "cards.example"), method="GET"), receive, send))
    app.threads.close()
    assert when_next == ["first"]


def test_other_tasks_run_between_the_requests_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_executor, "SLOW_SECONDS", SECONDS)  # of a slow machine as well
    order: list[str] = []

    def site(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        order.append(environ["PATH_INFO"])
        start("200 OK", [])
        return []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(_message: dict[str, Any]) -> None:
        pass

    async def run() -> None:
        may_go_on = threading.Event()
        first = app.threads.submit(partial(may_go_on.wait, SECONDS))
        asked = [asyncio.ensure_future(app(scope(("Host", "x"), path=b"/1", method="GET"), receive, send))]
        await asyncio.sleep(0)
        last = app.threads.submit(partial(order.append, "task"))
        asked.append(asyncio.ensure_future(app(scope(("Host", "x"), path=b"/2", method="GET"), receive, send)))
        await asyncio.sleep(0)
        assert not order
        may_go_on.set()
        assert await asyncio.wrap_future(first)
        await asyncio.gather(*asked, asyncio.wrap_future(last))

    app = EventLoopApp(site, threads=4, counts=False, begin=lambda: None, at_once=1)
    asyncio.run(run())
    app.threads.close()
    assert order == ["/1", "task", "/2"]
