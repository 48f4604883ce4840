"""The ASGI app around a WSGI app, asked without a server."""

import asyncio
import threading
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.event_loop.test_requests import scope
from tests.support.pieces import Open, Pieces
from webapp.event_loop import handover, serial_executor
from webapp.event_loop.asgi import EventLoopApp

SECONDS = 30


async def stay() -> dict[str, Any]:
    """Receive nothing, for as long as a client listens."""
    await asyncio.sleep(60)
    return {"type": "http.disconnect"}


def app_with(stream: handover.Stream, seen: Callable[[dict[str, Any]], object] = lambda _: None) -> EventLoopApp:
    """Return an app that answers with this stream. ``seen`` is called with the environment of each request."""

    def site(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        seen(environ)
        there = handover.offered(environ)
        assert there
        there.leave(stream)
        start("200 OK", [("Content-Type", "text/event-stream"), ("Content-Length", "0")])
        return []

    return EventLoopApp(site, threads=1, counts=False, begin=lambda: None)


def test_another_server_is_sent_a_stream_piece_by_piece() -> None:
    stream, sent = Pieces([b"data: 1\n\n", b"data: 2\n\n"]), list[dict[str, Any]]()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    app = app_with(stream)
    asyncio.run(app(scope(("Host", "cards.example"), method="GET"), stay, send))
    app.threads.close()
    assert [message.get("body") for message in sent] == [None, b"data: 1\n\n", b"data: 2\n\n", b"end", b""]
    assert [message.get("more_body") for message in sent] == [None, True, True, True, None]
    assert sent[0]["headers"] == [(b"content-type", b"text/event-stream"), (b"connection", b"close")]
    assert stream.refused == 1, "the second piece, until the first one was sent"
    assert stream.closed == 1


def test_under_another_server_a_stream_is_closed_when_its_client_disconnects() -> None:
    stream, left = Open(), asyncio.Event()

    async def receive() -> dict[str, Any]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message.get("body"):
            left.set()

    app = app_with(stream)
    asyncio.run(asyncio.wait_for(app(scope(("Host", "cards.example"), method="GET"), receive, send), SECONDS))
    app.threads.close()
    assert stream.closed == 1


def test_a_stream_that_waits_holds_nothing_of_its_request_and_of_what_it_has_sent() -> None:
    """Thousands of streams may wait for an hour, each with a view of its own, and browsers send two kilobytes."""
    freed = list[str]()
    bodies: list[weakref.ref[Any]] = []

    class Piece(bytes):
        def __del__(self) -> None:
            freed.append("piece")

    class OpenOnce(Open):
        def begin(self, client: handover.Client) -> None:
            assert client.send(Piece(b"data: x\n\n"))

    async def send(_message: dict[str, Any]) -> None:
        pass

    async def run(app: EventLoopApp) -> None:
        asking = asyncio.create_task(app(asked, stay, send))
        while not freed or bodies[0]() is not None:  # noqa: ASYNC110  # the thread lets go of it a moment later
            await asyncio.sleep(0.01)
        assert not asking.done()
        asking.cancel()
        await asyncio.wait([asking])

    asked = scope(("Host", "cards.example"), ("Cookie", "a=1"), method="GET")
    app = app_with(OpenOnce(), lambda environ: bodies.append(weakref.ref(environ["wsgi.input"])))
    asyncio.run(asyncio.wait_for(run(app), SECONDS))
    app.threads.close()
    assert asked["headers"] == []


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
