"""A stream takes the connection of its request over, and ends with it."""

import asyncio
import gc
import logging
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from weakref import WeakSet

import pytest

from tests.event_loop.test_protocol import make_protocol
from tests.support.pieces import Open, Pieces
from webapp.event_loop import handover
from webapp.event_loop.asgi import EventLoopApp
from webapp.event_loop.connection_limiter import ConnectionLimiter
from webapp.event_loop.protocol import LimitedHttpProtocol

REQUEST = b"GET /%b HTTP/1.1\r\nHost: site\r\n\r\n"
SECONDS = 30


class Site:
    """An app that answers with a stream. ``asked``: the paths of its requests."""

    def __init__(self, stream: handover.Stream, ready: threading.Event | None = None) -> None:
        self._stream, self._ready = stream, ready
        self.asked: list[str] = []
        self.protocols = WeakSet[LimitedHttpProtocol]()
        self.app = EventLoopApp(self._answer, 1, counts=False, begin=lambda: None)
        self.limiter = ConnectionLimiter(10, counts=False)

    def _answer(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.asked.append(environ["PATH_INFO"])
        if self._ready:
            assert self._ready.wait(SECONDS)
        there = handover.offered(environ)
        assert there is not None
        there.leave(self._stream)
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return []

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        class Noted(LimitedHttpProtocol):
            def connection_made(protocol, transport: asyncio.BaseTransport) -> None:  # noqa: N805
                self.protocols.add(protocol)
                super().connection_made(transport)

        connect = make_protocol(self.app, self.limiter, Noted)
        server = await asyncio.get_running_loop().create_server(connect, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            yield reader, writer
        finally:
            writer.close()
            server.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self.app.threads.close()


def run(visit: Callable[[], Awaitable[None]]) -> None:
    async def timed() -> None:
        async with asyncio.timeout(SECONDS):
            await visit()

    asyncio.run(timed())


async def until(holds: Callable[[], object]) -> None:
    while not holds():  # noqa: ASYNC110
        await asyncio.sleep(0.001)


def test_a_stream_keeps_nothing_of_the_protocol_that_received_its_request() -> None:
    site = Site(Open())

    async def visit() -> None:
        async with site.connection() as (reader, writer):
            writer.write(REQUEST % b"1")
            await reader.readuntil(b"data: x\n\n")
            await until(lambda: not site.protocols)

    gc.disable()
    try:
        run(visit)
    finally:
        gc.enable()


@pytest.mark.parametrize("leave", [asyncio.StreamWriter.close, asyncio.StreamWriter.write_eof])
def test_a_stream_is_closed_when_its_client_disconnects(leave: Callable[[asyncio.StreamWriter], None]) -> None:
    stream = Open()
    site = Site(stream)

    async def visit() -> None:
        async with site.connection() as (reader, writer):
            writer.write(REQUEST % b"1")
            await reader.readuntil(b"data: x\n\n")
            assert not stream.closed
            leave(writer)
            await until(lambda: stream.closed)

    run(visit)
    assert stream.closed == 1


def test_a_stream_is_closed_if_its_client_has_left_before_it_begins(caplog: pytest.LogCaptureFixture) -> None:
    stream, ready = Open(), threading.Event()
    site = Site(stream, ready)

    async def visit() -> None:
        async with site.connection() as (_, writer):
            writer.write(REQUEST % b"1")
            await until(lambda: site.asked)
            writer.transport.abort()
            await asyncio.sleep(0.05)
            ready.set()
            await until(lambda: stream.closed)
            await until(lambda: len(asyncio.all_tasks()) == 1)

    with caplog.at_level(logging.INFO):
        run(visit)
    assert stream.closed == 1
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(("end", "chunk"), [(b"end", b"3\r\nend\r\n"), (b"", b"")])
def test_a_stream_ends_with_its_connection_and_later_requests_are_not_answered(end: bytes, chunk: bytes) -> None:
    stream, received = Pieces([b"data: x\n\n"], end), list[bytes]()
    site = Site(stream)

    async def visit() -> None:
        async with site.connection() as (reader, writer):
            writer.write(REQUEST % b"1" + REQUEST % b"2")
            received.append(await reader.read())

    run(visit)
    head, body = received[0].split(b"\r\n\r\n", 1)
    assert b"connection: close" in head.split(b"\r\n")
    assert body == b"9\r\ndata: x\n\n\r\n" + chunk + b"0\r\n\r\n"
    assert site.asked == ["/1"]
    assert stream.closed == 1


def test_a_client_that_goes_on_sending_is_dropped() -> None:
    """Reading what nobody waits for would take the time of others."""
    stream = Open()
    site = Site(stream)

    async def visit() -> None:
        async with site.connection() as (reader, writer):
            writer.write(REQUEST % b"1")
            await reader.readuntil(b"data: x\n\n")
            with pytest.raises(ConnectionError):
                while True:
                    writer.write(REQUEST % b"2" * 100)
                    await writer.drain()
                    await asyncio.sleep(0)
            await until(lambda: stream.closed)

    run(visit)
    assert site.asked == ["/1"]
    assert stream.closed == 1
