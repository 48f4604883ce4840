"""The server of ``tefuda serve``: uvicorn with one port and one event loop, the site in threads, and a clean end."""

import gc
import logging
import os
import re
import resource
import signal
import socket
import sys
import traceback
from contextlib import suppress
from threading import Thread
from typing import Final

import structlog
import uvicorn
from flask import Flask
from structlog.typing import EventDict

from webapp.adapter import Adapter
from webapp.config import SERVER_THREADS, Config
from webapp.services.lab import supervisor
from webapp.web.templating.environment import load_templates

KEEP_ALIVE: Final = 30
"""Seconds for which an idle connection is kept open."""
GRACE: Final = 5
"""Seconds that running requests have to finish after SIGTERM."""
LOOK_SECONDS: Final = 0.2
"""Seconds after which a signal is seen that did not wake the main thread: another thread may have taken it."""
BACKLOG: Final = 2048
LONGEST_HEAD: Final = 32 * 1024
"""Bytes of a request's address and headers. Browsers send up to 4,096 a cookie, those of other sites of a host too."""
OTHER_FILES: Final = 256
"""Files that are open besides the connections: database, templates, static files."""
FEWEST_CONNECTIONS: Final = 64

LOGGERS: Final = ("uvicorn", "asyncio", "concurrent.futures")
"""Loggers of the server. uvicorn's access log is off: the site itself logs each request."""
_LEFT_OUT: Final = (
    "Invalid HTTP request",
    "Unsupported upgrade request",
    "No supported WebSocket library",
    "Exceeded concurrency limit",
    "ASGI callable returned without completing response",
)
"""Beginnings of messages that are left out: any client can cause them, and could fill the log."""
_ADDRESS: Final = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F:.]*")
_PATH: Final = re.compile(r"/[^\s'\"]+")


def asgi_app(app: Flask) -> Adapter:
    """Return the ASGI app of a site. Before its first request it loads all templates, and starts what runs beside."""
    config: Config = app.extensions["config"]

    def begin() -> None:
        load_templates(app, config.instance / "cache" / "templates")
        app.extensions["timer"].start()
        supervisor.start(config, app.app_context)
        if config.lab_workers:
            app.extensions["workers"].prepare()
        gc.freeze()  # what is loaded stays: to go through it again would stop all requests for 70 ms, now and then

    return Adapter(app, SERVER_THREADS, begin)


def serve(app: Flask, listening: socket.socket) -> None:
    """Serve a site until the process is asked to stop by SIGTERM or SIGINT.

    uvicorn runs in a thread, so that signals come here: before it waits for open connections, the event streams must be
    ended, each with the time after which its page is to come back.
    """
    site, hub, connections = asgi_app(app), app.extensions["tables"], most_connections()
    hub.most = min(hub.most, 3 * connections // 4)  # each is an open file, and others need some
    server = uvicorn.Server(config_of(site, connections))
    configure_log()

    def stop(*_: object) -> None:
        hub.close()
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    serving = Thread(target=server.run, args=([listening],), name="server")
    serving.start()
    while serving.is_alive():
        serving.join(LOOK_SECONDS)
    app.extensions["workers"].stop()
    if not server.started:
        sys.exit(1)
    if site.unanswered:  # they had their time; Python itself would wait for their threads without end
        os._exit(0)


def config_of(site: Adapter, connections: int) -> uvicorn.Config:
    """Return the settings of uvicorn. With h11 it reads nothing while an answer is due, so memory stays bounded.

    ``connections``: how many may be open; further ones are told that the service is unavailable.
    """
    return uvicorn.Config(
        site,
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # the site reads them, from trusted proxies
        server_header=False,
        backlog=BACKLOG,
        limit_concurrency=connections,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
    )


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


def most_connections() -> int:
    """Return the number of connections that this process may have.

    The limit on open files, often 1,024, is first raised as far as the system allows.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS reports a higher limit than it allows
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else max(FEWEST_CONNECTIONS, soft - OTHER_FILES)


# ----------------------------------------------------------------------------------------------------------------- log


def configure_log() -> None:
    """Write warnings and errors of the server into the log of the site, as lines of JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(log_format())
    handler.addFilter(lambda record: not str(record.msg).startswith(_LEFT_OUT))
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)


def log_format() -> structlog.stdlib.ProcessorFormatter:
    """Return the format of the server's messages."""
    return structlog.stdlib.ProcessorFormatter(
        processors=[
            _without_secrets,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(),
        ]
    )


def _without_secrets(_logger: object, level: str, line: EventDict) -> EventDict:
    """Return what is logged of a message: no path or address, for a path may hold the code of a private table.

    Of an exception that is its class and traceback, without its words.
    """
    message = _PATH.sub("/...", _ADDRESS.sub("...", str(line["event"])))[:500]
    kept: EventDict = {"event": "server", "message": message, "level": level}
    _, error, _ = line.get("exc_info") or (None, None, None)
    if error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        kept["error"] = type(error).__name__
        kept["places"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
    return kept
