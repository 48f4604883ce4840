"""uvicorn as ``tefuda serve`` runs it: one process, one port, one event loop, and the site in threads beside it."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from uvicorn import Config as UvicornConfig
from uvicorn import Server

from webapp.cli.server import server_log
from webapp.event_loop.asgi import EventLoopApp
from webapp.event_loop.doorkeeper import Doorkeeper
from webapp.event_loop.protocol import PatientProtocol

KEEP_ALIVE: Final = 30
"""Seconds for which a connection is kept that says nothing."""
GRACE: Final = 5
"""Seconds that running requests have, once the process was asked to end."""
BACKLOG: Final = 2048


class WebServer(Server):
    """uvicorn, which ends event streams before it waits for them.

    Args:
        app: The site.
        end_streams: Ends all event streams and opens no more.
        connections: Connections at most.
        counts: Whether requests on their way are counted by address.
    """

    def __init__(self, app: EventLoopApp, end_streams: Callable[[], None], connections: int, counts: bool) -> None:
        self._app, self._end_streams = app, end_streams
        self._doorkeeper = Doorkeeper(connections, counts)
        super().__init__(
            UvicornConfig(
                app,
                http=partial(PatientProtocol, self._doorkeeper),  # type: ignore[arg-type]
                ws="none",
                loop="asyncio",
                lifespan="on",
                interface="asgi3",
                workers=1,
                log_config=None,
                access_log=False,
                proxy_headers=False,  # the site itself knows which proxies are believed
                forwarded_allow_ips="",
                server_header=False,
                backlog=BACKLOG,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=GRACE,
            )
        )

    def serve_at(self, listening: socket.socket) -> None:
        """Serve until the process is asked to end."""
        server_log.configure()
        self.run(sockets=[listening])
        if self._app.threads.busy:  # they were waited for; at its end Python would wait for ever
            os._exit(0)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, and look after the connections from then on."""
        await super().startup(sockets)
        self._looking_after = asyncio.create_task(self._doorkeeper.look_after())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, each with a word when to come back, and wait for what is being answered."""
        self._end_streams()
        await super().shutdown(sockets)
        self._looking_after.cancel()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in good order when asked to, with the status of a process that has done what it should."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address; at ``::`` to IPv4 as well.

    Its protocol is named: without it asyncio leaves Nagle's algorithm on, and every second answer waits for 40 ms.

    Raises:
        OSError: The address is not ours, or in use.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(host != "::"))
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound
