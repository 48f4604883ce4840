"""Connections whose clients read little, and the memory of connections that have ended."""

import asyncio
import gc
import itertools
import socket
from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import WeakSet

import pytest
import uvicorn
from uvicorn.server import ServerState

from tests.support.pieces import Open, Pieces
from webapp.event_loop import handover
from webapp.event_loop.asgi import EventLoopApp
from webapp.event_loop.connection_limiter import ConnectionLimiter
from webapp.event_loop.protocol import LimitedHttpProtocol
from webapp.event_loop.transport import MOST_UNSENT

PIECE = b"data: " + 1_000 * b"x" + b"\n\n"


def make_protocol(
    app: EventLoopApp, limiter: ConnectionLimiter, kind: type[LimitedHttpProtocol] = LimitedHttpProtocol
) -> Callable[[], LimitedHttpProtocol]:
    config = uvicorn.Config(app, http=partial(LimitedHttpProtocol, limiter), ws="none", log_config=None, lifespan="off")
    config.load()
    return lambda: kind(limiter, config=config, server_state=ServerState(), app_state={})


def app_with(stream: handover.Stream) -> EventLoopApp:
    """Return an app that answers with this stream."""

    def site(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        there = handover.offered(environ)
        assert there is not None
        there.leave(stream)
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return []

    return EventLoopApp(site, 1, counts=False, begin=lambda: None)


def test_little_is_kept_of_a_stream_that_nobody_reads_and_then_its_connection_ends() -> None:
    stream = Pieces(itertools.repeat(PIECE))

    async def unread() -> None:
        app, limiter = app_with(stream), ConnectionLimiter(10, counts=False)
        server = await asyncio.get_running_loop().create_server(make_protocol(app, limiter), "127.0.0.1", 0)
        with socket.create_connection(server.sockets[0].getsockname()) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: site\r\n\r\n")
            count = 0
            while not count or count < stream.sent:
                count = stream.sent
                await asyncio.sleep(0.1)
            kept = stream.sent * len(PIECE) - _waiting(client)
            assert kept < 12 * MOST_UNSENT
            limiter.drop_stalled()
            assert not stream.closed, "it has read something since the last check"
            limiter.drop_stalled()
            while not stream.closed:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        server.close()
        await server.wait_closed()
        app.threads.close()

    asyncio.run(asyncio.wait_for(unread(), 60))
    assert stream.closed == 1


def test_a_stream_waits_while_its_client_is_slow_and_none_of_it_is_lost_or_torn() -> None:
    pieces = [b"data: %d %b\n\n" % (number, 1_000 * b"x") for number in range(2_000)]
    stream = Pieces(pieces)

    async def read_slowly() -> bytes:
        app, limiter = app_with(stream), ConnectionLimiter(10, counts=False)
        server = await asyncio.get_running_loop().create_server(make_protocol(app, limiter), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname(), limit=4 * MOST_UNSENT)
        writer.write(b"GET / HTTP/1.1\r\nHost: site\r\n\r\n")
        assert b"transfer-encoding: chunked" in await reader.readuntil(b"\r\n\r\n")
        read = b""
        while size := int(await reader.readline(), 16):
            read += await reader.readexactly(size)
            assert await reader.readexactly(2) == b"\r\n"
            await asyncio.sleep(0.0001)
        writer.close()
        server.close()
        await server.wait_closed()
        app.threads.close()
        return read

    assert asyncio.run(asyncio.wait_for(read_slowly(), 60)) == b"".join(pieces) + b"end"
    assert stream.refused


@pytest.mark.parametrize("what", ["an answer", "a stream", "half a request", "nothing"])
def test_a_connection_that_has_ended_leaves_nothing_for_the_collector(what: str) -> None:
    def site(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        there = handover.offered(environ)
        if there and what == "a stream":
            there.leave(Open())
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"answer"]

    there = WeakSet[object]()

    class Noted(LimitedHttpProtocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            there.update((self, transport))
            super().connection_made(transport)

    async def come_and_go() -> None:
        app, limiter = EventLoopApp(site, 1, counts=False, begin=lambda: None), ConnectionLimiter(10, counts=False)
        connect = make_protocol(app, limiter, Noted)
        server = await asyncio.get_running_loop().create_server(connect, "127.0.0.1", 0)
        for _ in range(5):
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            if what != "nothing":
                writer.write(b"GET / HTTP/1.1\r\nHost: site\r\n\r\n"[: 20 if what == "half a request" else None])
            if what in ("an answer", "a stream"):
                await reader.readuntil(b"answer" if what == "an answer" else b"data: x")
            while not there:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            writer.close()
            await writer.wait_closed()
            while there:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        server.close()
        await server.wait_closed()
        app.threads.close()

    gc.disable()
    try:
        asyncio.run(asyncio.wait_for(come_and_go(), 10))
    finally:
        gc.enable()


def _waiting(client: socket.socket) -> int:
    """Return the number of bytes in the client's own buffer, which the server cannot limit."""
    return len(client.recv(100_000_000, socket.MSG_PEEK))
