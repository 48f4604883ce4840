"""The site as an ASGI app: ordinary requests are answered in threads, event streams by the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Final

from webapp.event_loop import handover as handover_module
from webapp.event_loop.handover import Handover, Lines
from webapp.event_loop.lanes import Lane
from webapp.event_loop.requests import (
    CUT,
    HOLD_LITTLE,
    Incomplete,
    Receive,
    Scope,
    Send,
    TooLong,
    environ_of,
    names_one_host,
    read_body,
)
from webapp.event_loop.threads import WholeAnswer, WsgiApp, WsgiThreads

LINGER: Final = 2.0
"""Seconds for which the rest of a request that was refused is taken and thrown away: a connection that is closed with
something unread is reset, and the client never reads the answer."""
BODILESS: Final = (204, 304)
_TEXT: Final = (b"content-type", b"text/plain; charset=utf-8")
_LATE: Final = WholeAnswer(400, [_TEXT], b"The request has not come whole.\n")
_HOSTS: Final = WholeAnswer(400, [_TEXT], b"The request has to name one host.\n")


class EventLoopApp:
    """An ASGI app around a WSGI app whose views may leave an event stream behind (see ``handover``).

    Args:
        app: The WSGI app.
        threads: Threads that answer.
        counts: Whether an address may only have so many requests at a time.
        begin: Called once, in a thread, before the first request.
        lanes: Lanes of requests that wait for each other.
        at_once: Requests in no lane that do not wait for each other; all, if it is None.
    """

    def __init__(
        self,
        app: WsgiApp,
        threads: int,
        counts: bool,
        begin: Callable[[], None],
        lanes: Sequence[Lane] = (),
        at_once: int | None = None,
    ) -> None:
        self.threads = WsgiThreads(app, threads, counts, lanes, at_once)
        self._begin = begin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await asyncio.to_thread(self._begin)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.threads.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        whole = True
        if not names_one_host(scope):
            await _send(scope, receive, send, _HOSTS, whole=False)
            return
        try:
            environ = environ_of(scope, await read_body(scope, receive))
        except TooLong as error:
            environ, whole = environ_of(scope, b"", error.length), False
        except Incomplete:
            await _send(scope, receive, send, _LATE, whole=False)
            return
        handover = handover_module.offer(environ)
        try:
            answer = await self.threads.ask(environ)
            if handover.lines is None or answer.status != 200:
                await _send(scope, receive, send, answer, whole)
                return
            await _begin_stream(scope, send, answer)
            del environ, answer  # a stream lives for hours
            await _stream(receive, send, handover, handover.lines)
        finally:
            handover.end()


async def _send(scope: Scope, receive: Receive, send: Send, answer: WholeAnswer, whole: bool) -> None:
    headers = answer.headers
    if scope["method"] != "HEAD" and answer.status not in BODILESS:
        headers = [header for header in headers if header[0] != b"content-length"]
        headers.append((b"content-length", str(len(answer.body)).encode()))
    if not whole:
        headers = [*headers, (b"connection", b"close")]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if not whole:
        await send({"type": "http.response.body", "body": answer.body, "more_body": True})
        await _throw_away_rest(scope, receive)
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.body", "body": answer.body})


async def _throw_away_rest(scope: Scope, receive: Receive) -> None:
    try:
        async with asyncio.timeout(LINGER):
            while not scope.get(CUT) and (await receive()).get("more_body", False):
                pass
    except TimeoutError:
        pass


async def _begin_stream(scope: Scope, send: Send, answer: WholeAnswer) -> None:
    """Send the head of a stream, and forget that of its request."""
    headers = [header for header in answer.headers if header[0] != b"content-length"]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    scope["headers"].clear()
    scope.get(HOLD_LITTLE, _nothing)()


async def _stream(receive: Receive, send: Send, handover: Handover, lines: Lines) -> None:
    """Send the lines of a stream until it ends or its client has gone."""
    leaving = asyncio.create_task(_end_when_left(receive, handover))
    try:
        async with aclosing(lines):
            async for line in lines:
                await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        leaving.cancel()


def _nothing() -> None:
    """Do nothing: the server is not ours."""


async def _end_when_left(receive: Receive, handover: Handover) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    handover.end()
