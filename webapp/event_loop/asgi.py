"""An ASGI app around the WSGI site: ordinary requests run in threads, event streams in the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from webapp.event_loop import handover as handover_module
from webapp.event_loop.handover import Stream
from webapp.event_loop.lanes import Lane
from webapp.event_loop.requests import (
    CUT_OFF,
    TAKE_OVER,
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

LINGER_SECONDS: Final = 2.0
"""Seconds for which the rest of a refused request is read and discarded: a connection closed with unread data is reset,
and its client would not receive the answer."""
WITHOUT_BODY: Final = (204, 304)
_TEXT: Final = (b"content-type", b"text/plain; charset=utf-8")
_INCOMPLETE: Final = WholeAnswer(400, [_TEXT], b"The request is incomplete.\n")
_NOT_ONE_HOST: Final = WholeAnswer(400, [_TEXT], b"The request has to name one host.\n")


class EventLoopApp:
    """An ASGI app around a WSGI app whose views may leave an event stream behind (see ``handover``).

    Args:
        app: The WSGI app.
        threads: Maximum number of threads.
        counts: Whether the requests of each address are limited.
        begin: Called once, in a thread, before the first request.
        lanes: Lanes of expensive requests (see ``lanes``).
        at_once: Number of requests in no lane that run at a time; None for no limit but the threads.
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
            await self._lifespan(receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await asyncio.to_thread(self._begin)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.threads.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_read = True
        if not names_one_host(scope):
            await _send(scope, receive, send, _NOT_ONE_HOST, is_read=False)
            return
        try:
            environ = environ_of(scope, await read_body(scope, receive))
        except TooLong as error:
            environ, is_read = environ_of(scope, b"", error.length), False
        except Incomplete:
            await _send(scope, receive, send, _INCOMPLETE, is_read=False)
            return
        handover = handover_module.offer(environ)
        try:
            answer = await self.threads.ask(environ)
            if handover.stream is None or answer.status != 200:
                await _send(scope, receive, send, answer, is_read)
                return
            await _begin_stream(scope, send, answer)
            stream = handover.take()
            assert stream is not None
            if TAKE_OVER in scope:
                scope[TAKE_OVER](stream)
                return
            del environ, answer  # the stream may last for hours
            await _stream(receive, send, stream)
        finally:
            handover.end()


async def _send(scope: Scope, receive: Receive, send: Send, answer: WholeAnswer, is_read: bool) -> None:
    """Send an answer; close the connection afterwards if the request has not been read to its end (``is_read``)."""
    headers = answer.headers
    if scope["method"] != "HEAD" and answer.status not in WITHOUT_BODY:
        headers = [header for header in headers if header[0] != b"content-length"]
        headers.append((b"content-length", str(len(answer.body)).encode()))
    if not is_read:
        headers = [*headers, (b"connection", b"close")]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if not is_read:
        await send({"type": "http.response.body", "body": answer.body, "more_body": True})
        await _discard_rest(scope, receive)
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.body", "body": answer.body})


async def _discard_rest(scope: Scope, receive: Receive) -> None:
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while not scope.get(CUT_OFF) and (await receive()).get("more_body", False):
                pass
    except TimeoutError:
        pass


async def _begin_stream(scope: Scope, send: Send, answer: WholeAnswer) -> None:
    """Send the headers of a stream, whose end closes the connection, and free those of its request."""
    headers = [header for header in answer.headers if header[0] != b"content-length"]
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    scope["headers"].clear()


class _AsgiClient:
    """The client of a stream under a server other than ``tefuda serve``.

    ``send`` of ASGI is a coroutine, so pieces are put into a queue, one at a time.
    """

    def __init__(self) -> None:
        self.pieces = asyncio.Queue[bytes | None]()
        """What is to be sent; None after the last piece."""
        self._is_sending = False

    def send(self, piece: bytes) -> bool:
        if self._is_sending:
            return False
        self._is_sending = True
        self.pieces.put_nowait(piece)
        return True

    def sent(self) -> None:
        self._is_sending = False

    def finish(self, piece: bytes) -> None:
        self.pieces.put_nowait(piece)
        self.pieces.put_nowait(None)

    async def finish_on_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.pieces.put_nowait(None)


async def _stream(receive: Receive, send: Send, stream: Stream) -> None:
    """Send a stream until it ends or its client disconnects."""
    client = _AsgiClient()
    watching = asyncio.create_task(client.finish_on_disconnect(receive))
    try:
        stream.begin(client)
        while (piece := await client.pieces.get()) is not None:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            del piece  # the next one may come in an hour
            client.sent()
            stream.resume()
        await send({"type": "http.response.body", "body": b""})
    finally:
        watching.cancel()
        stream.close()
