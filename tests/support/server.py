"""Start and stop ``tefuda serve`` in a process of its own."""

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from tempfile import mkdtemp
from typing import Final
from urllib.parse import urlsplit

from tests.support.app import KEY, close, make_app, migrate
from tests.support.chance import RUNNING
from tests.support.process_guard import ProcessGuard
from tests.support.project_files import ROOT
from webapp.services.odds.store import FOLDER as ODDS

NAME = "tefuda.sqlite3"
"""Of the database in an instance folder."""
TEFUDA = (str(Path(sys.executable).with_name("tefuda")),)
SEEDED = (sys.executable, "-P", "-m", "tests.support.seeded_server")
"""The same, by the chance of the test that runs, and with shorter limits if need be."""


@dataclass
class Server:
    """A running ``tefuda serve``."""

    url: str
    instance: Path
    log: Path
    process: subprocess.Popen[bytes]
    guard: ProcessGuard

    def stop(self) -> int:
        """Send SIGTERM, as a service manager does; return the exit status."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        """Send SIGKILL to the server and its child processes; return the exit status."""
        return self._end(signal.SIGKILL)

    def _end(self, with_signal: signal.Signals) -> int:
        if self.process.poll() is None:
            if with_signal is signal.SIGKILL:
                os.killpg(self.process.pid, with_signal)
            else:
                self.process.send_signal(with_signal)
        status = self.process.wait(timeout=20)
        self.guard.release()
        return status


PORTS: Final = range(20_000, 32_000)
"""Ports on which servers of tests listen, below those that systems use for outgoing connections: another process could
take one of these between ``free_port`` and the start of the server."""
OF_A_WORKER: Final = 1_000
"""Ports of each pytest-xdist worker."""


@cache
def _ports() -> Iterator[int]:
    """Return an endless iterator over the ports of this pytest-xdist worker.

    After a test has killed a server, its proxy still sends requests to that port: a server of another test must not get
    them.
    """
    first = OF_A_WORKER * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % len(PORTS)
    mine = PORTS[first : first + OF_A_WORKER]
    at = os.getpid() % OF_A_WORKER  # another test run at the same time begins elsewhere
    return cycle([*mine[at:], *mine[:at]])


def free_port() -> int:
    """Return a port on which nothing listens. A port is returned again only after all others of the worker."""
    for port in islice(_ports(), OF_A_WORKER):
        with socket.socket() as ear, suppress(OSError):
            ear.bind(("", port))
            return port
    raise RuntimeError("no port is free")


def wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = 240) -> None:
    """Wait until GET /healthz returns 200. RuntimeError, with the end of the log, if the process ends or time is up."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        connection = HTTPConnection(urlsplit(url).netloc, timeout=2)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.05)
    said = log.read_text(encoding="utf-8", errors="replace")[-3000:]
    raise RuntimeError(f"no answer from {url}/healthz (exit {process.poll()}):\n{said}")


@cache
def _compressed_files() -> Path:
    """Create the cache of compressed static files once; it is a fifth of the work of a starting server."""
    from webapp.web.templating.static_files import pack, read

    folder = mkdtemp(prefix="tf-static-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    pack(read(ROOT / "static"), Path(folder))
    return Path(folder)


@cache
def _compiled_templates() -> Path:
    """Create a folder that all servers share; the first one fills it."""
    folder = mkdtemp(prefix="tf-templates-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def _blank_database() -> Path:
    """Create a migrated SQLite file once; migrating is a sixth of the work of a starting server."""
    folder = Path(mkdtemp(prefix="tf-blank-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    app = make_app(f"sqlite:///{folder / NAME}", folder)
    migrate(app)
    close(app)
    return folder / NAME


def share_tables(instance: Path) -> Path:
    """Make an instance keep its tables of odds where all of a run do, and return it: some take a minute to build.

    A worker that ends with its test before its tables are built leaves the next test to begin again.
    """
    tables = instance / ODDS
    tables.parent.mkdir(parents=True, exist_ok=True)
    tables.symlink_to(os.environ["TEST_TABLES"])
    return instance


def prepare(instance: Path, *, database: bool = True) -> None:
    """Add to an instance folder what a server would create at its first start, unless it exists."""
    compressed = instance / "cache" / "static"
    if not compressed.exists():
        compressed.parent.mkdir(parents=True, exist_ok=True)
        compressed.symlink_to(_compressed_files())
    compiled = instance / "cache" / "templates"
    if not compiled.exists():
        compiled.parent.mkdir(parents=True, exist_ok=True)
        compiled.symlink_to(_compiled_templates())
    if database and not (instance / NAME).exists():
        shutil.copy(_blank_database(), instance / NAME)


def start_serving(
    instance: Path,
    port: int | None = None,
    program: tuple[str, ...] = TEFUDA,
    limits: Mapping[str, float] | None = None,
    **environ: str,
) -> Server:
    """Start ``tefuda serve`` on this instance folder; ``environ`` adds settings: ``TEFUDA_DATABASE_URL=...``.

    ``limits``: constants of modules that are set to other values (see ``seeded_server``).
    """
    program = SEEDED if limits else program
    prepare(instance, database="TEFUDA_DATABASE_URL" not in environ)
    port = port or free_port()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TEFUDA_")}
    settings = {"TEFUDA_INSTANCE": str(instance), "TEFUDA_SECRET_KEY": KEY, "TEFUDA_RATE_LIMITS": "off"}
    seeded = {"TEST_RUNNING": str(RUNNING), "TEST_LIMITS": json.dumps(limits or {}), "PYTHONPATH": str(ROOT)}
    chance = seeded if program == SEEDED else {}
    command = [*program, "serve", "--host", "127.0.0.1", "--port", str(port)]
    log = instance / "serve.log"
    with log.open("ab") as out:
        process = subprocess.Popen(
            command,
            cwd=instance,
            env={**clean, **settings, **chance, **environ},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    guard = ProcessGuard("/bin/kill", "-KILL", "--", f"-{process.pid}")
    server = Server(f"http://127.0.0.1:{port}", instance, log, process, guard)
    try:
        wait_until_healthy(server.url, process, log)
    except BaseException:
        server.kill()
        raise
    return server
