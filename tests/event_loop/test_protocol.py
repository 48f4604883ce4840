"""Connections of which little is read."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from webapp.event_loop import handover
from webapp.event_loop.asgi import EventLoopApp
from webapp.event_loop.doorkeeper import Doorkeeper
from webapp.event_loop.protocol import HELD, PatientProtocol

PIECE = "data: " + 1_000 * "x" + "\n\n"


def test_little_is_kept_of_a_stream_that_nobody_reads_and_then_its_connection_ends() -> None:
    sent: list[int] = []
    closed: list[bool] = []

    async def lines() -> AsyncGenerator[str, None]:
        while not closed:
            sent.append(len(PIECE))
            yield PIECE
            await asyncio.sleep(0)

    def site(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        there = handover.offered(environ)
        assert there is not None
        there.take(lines(), lambda: closed.append(True))
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return []

    async def unread() -> None:
        app, doorkeeper = EventLoopApp(site, 1, counts=False, begin=lambda: None), Doorkeeper(10, counts=False)
        config = uvicorn.Config(
            app, http=partial(PatientProtocol, doorkeeper), ws="none", log_config=None, lifespan="off"
        )
        config.load()
        made: list[PatientProtocol] = []

        def connect() -> PatientProtocol:
            made.append(PatientProtocol(doorkeeper, config=config, server_state=ServerState(), app_state={}))
            return made[-1]

        server = await asyncio.get_running_loop().create_server(connect, "127.0.0.1", 0)
        with socket.create_connection(server.sockets[0].getsockname()) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: site\r\n\r\n")
            while not any(each.flow is not None and each.flow.write_paused for each in made):  # type: ignore[redundant-expr]  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            kept = sum(sent) - _waiting(client)
            assert kept < 12 * HELD
            doorkeeper._look_for_who_takes_nothing()
            assert not closed, "it has taken something since the last look"
            doorkeeper._look_for_who_takes_nothing()
            while not closed:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        server.close()
        await server.wait_closed()
        app.threads.close()

    asyncio.run(asyncio.wait_for(unread(), 60))


def _waiting(client: socket.socket) -> int:
    """Bytes that have come to the client's own machine, which is not ours to hold."""
    return len(client.recv(100_000_000, socket.MSG_PEEK))
