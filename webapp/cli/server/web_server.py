"""The uvicorn server of ``tefuda serve``: one process, one port, one event loop, with the site in threads."""

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
from webapp.event_loop.connection_limiter import ConnectionLimiter
from webapp.event_loop.protocol import LimitedHttpProtocol

KEEP_ALIVE: Final = 30
"""Seconds for which an idle connection is kept open."""
GRACE: Final = 5
"""Seconds that running requests have to finish after SIGTERM."""
BACKLOG: Final = 2048


class WebServer(Server):
    """A uvicorn server that ends its event streams before it waits for open connections.

    Args:
        app: The site.
        end_streams: Function that ends all event streams, and those opened afterwards at once.
        connections: Maximum number of connections.
        counts: Whether incomplete requests are limited by address.
    """

    def __init__(self, app: EventLoopApp, end_streams: Callable[[], None], connections: int, counts: bool) -> None:
        self._app, self._end_streams = app, end_streams
        self._limiter = ConnectionLimiter(connections, counts)
        super().__init__(
            UvicornConfig(
                app,
                http=partial(LimitedHttpProtocol, self._limiter),  # type: ignore[arg-type]
                ws="none",
                loop="asyncio",
                lifespan="on",
                interface="asgi3",
                workers=1,
                log_config=None,
                access_log=False,
                proxy_headers=False,  # the site reads them, from trusted proxies
                forwarded_allow_ips="",
                server_header=False,
                backlog=BACKLOG,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=GRACE,
            )
        )

    def serve_at(self, listening: socket.socket) -> None:
        """Serve until the process is asked to stop."""
        server_log.configure()
        self.run(sockets=[listening])
        if self._app.threads.busy:  # they had their time; Python itself would wait for their threads without end
            os._exit(0)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, and enforcing timeouts of connections."""
        await super().startup(sockets)
        self._timeouts = asyncio.create_task(self._limiter.enforce_timeouts())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams, each with a reconnection time, and wait for running requests."""
        self._end_streams()
        await super().shutdown(sockets)
        self._timeouts.cancel()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down on SIGINT and SIGTERM without raising the signal again: the exit status is 0."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; ``::`` includes IPv4.

    The protocol is given: otherwise asyncio leaves Nagle's algorithm on, and every other answer is 40 ms late.

    Raises:
        OSError: The address is in use, or not one of this machine.
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
