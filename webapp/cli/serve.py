"""``tefuda serve``: gunicorn with one process and many threads."""

import ctypes
import gc
import os
import resource
import socket
import sys
from contextlib import suppress
from multiprocessing import get_context
from threading import Thread
from typing import Any, Final

import click
import segno
from flask import Flask
from gunicorn.app.base import BaseApplication

from webapp.cli.app import create_command_app
from webapp.cli.gunicorn_worker import UNFINISHED, TimeoutThreadWorker
from webapp.config import SERVER_THREADS, Config
from webapp.services.lab import supervisor
from webapp.services.operations import schema
from webapp.web.templating.static_files import serve_compressed

ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  # only when asked for
TURN: Final = 0.02
"""Seconds a thread may compute before another gets its turn. An answer takes a few milliseconds, so most are finished
in one go; at Python's own 5 ms a crowd of threads spends a sixth of the processor on changing places, and all wait."""


OTHER_FILES: Final = 256
"""That are open besides the connections: database, templates, static files."""


class Server(BaseApplication):  # type: ignore[misc]
    """Gunicorn with our settings in place of its command line."""

    def __init__(self, app: Flask, options: dict[str, Any]) -> None:
        self._app = app
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return self._app


@click.command()
@click.option("--host", help="Address to listen at; 0.0.0.0 for the phones on the same network.  [TEFUDA_HOST]")
@click.option("--port", type=int, help="Port to listen at.  [TEFUDA_PORT]")
def serve(host: str | None, port: int | None) -> None:
    """Serve the site, after bringing an SQLite database up to date."""
    given = {"TEFUDA_HOST": host, "TEFUDA_PORT": None if port is None else str(port)}
    app = create_command_app({name: value for name, value in given.items() if value is not None})
    config: Config = app.extensions["config"]
    if config.sqlite:
        _bring_up_to_date(app)
    serve_compressed(app, config.instance / "cache" / "static")
    _announce(config)
    _share_memory()
    _look_for_cycles_less_often()
    sys.setswitchinterval(TURN)
    threads = SERVER_THREADS + config.streams
    options = {
        "bind": f"{config.host}:{config.port}",
        "worker_class": TimeoutThreadWorker,
        "workers": 1,
        "threads": threads,
        "worker_connections": min(2 * threads + 1000 + UNFINISHED, max(_files() - OTHER_FILES, threads)),
        "keepalive": 30,
        "graceful_timeout": 5,
        "control_socket_disable": True,
        "loglevel": "warning",
        "post_worker_init": lambda _worker: _watch_lab(app, config),
    }
    Server(app, options).run()


def _watch_lab(app: Flask, config: Config) -> None:
    """Start the thread that sees to it that jobs of the lab go on, also those of before a restart."""
    Thread(target=supervisor.watch, args=(config, app.app_context), name="lab-watch", daemon=True).start()


def _bring_up_to_date(app: Flask) -> None:
    """In a process of its own: what does it would stay in the memory of the house for good."""
    child = get_context("fork").Process(target=_upgrade, args=(app,))
    child.start()
    child.join()
    if child.exitcode:
        sys.exit(child.exitcode)


def _upgrade(app: Flask) -> None:
    with app.app_context():
        schema.upgrade()


def _files() -> int:
    """Raise the limit of open files as far as the system allows, and return how many it is then. Each connection is
    one; by itself a process may often have 1,024, which a class and a few slow clients fill."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS allows less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def _share_memory() -> None:
    """Have the threads share two heaps. By itself glibc gives each thread one, and the process grows by 20 MB for it
    (see ``mallopt(3)``, M_ARENA_MAX); where there is no glibc there is nothing to do."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(-8, 2)


def _look_for_cycles_less_often() -> None:
    """What the house is made of stays until it closes, so the collector need not look at it; and an answer makes
    thousands of objects that go by themselves: at Python's own threshold it would look for cycles a dozen times."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def _announce(config: Config) -> None:
    if config.public_url:
        click.echo(f"Tefuda is open at {config.public_url}")
        return
    here = "127.0.0.1" if config.host in ANYWHERE else config.host
    click.echo(f"Tefuda is open at http://{here}:{config.port}")
    if config.host in ANYWHERE:
        there = f"http://{_address_in_the_network()}:{config.port}"
        click.echo(f"On the phone beside you: {there}")
        if os.isatty(1):
            segno.make(there, error="l").terminal(compact=True)


def _address_in_the_network() -> str:
    """The address this machine would send from. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
