"""What every test may ask for: an empty database, an app on it, people at the table, and the real server.

A test with ``app`` (and so with ``client``, ``alice``, ``bob``, ``charlie``) runs twice, on SQLite and on PostgreSQL;
one that needs to run only once says ``@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)``. Every test
starts with a migrated database without rows. The database and the app on it are put together once in a session, since
that takes longer than most tests do: what a test changes in the app itself it has to change back.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import Phase, settings
from jinja2 import BytecodeCache, FileSystemBytecodeCache

from tests import postgres
from tests.leash import Leash
from tests.web.player import Player

settings.register_profile("default", deadline=None, max_examples=40)
# Before Python 3.12 explaining a failure traces every line: it would take longer than a test may.
EXPLAINED_ELSEWHERE = [phase for phase in Phase if phase is not Phase.explain]
settings.register_profile(
    "ci",
    parent=settings.get_profile("default"),
    max_examples=30,
    derandomize=True,
    print_blob=True,
    phases=EXPLAINED_ELSEWHERE,
)
settings.register_profile("soak", parent=settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))

KEY = "a key for tests, and for nothing else"

# The settings of whoever runs the tests are not the tests'.
for name in [name for name in os.environ if name.startswith("TEFUDA_") and name != "TEFUDA_REQUIRE_PG"]:
    del os.environ[name]


@pytest.fixture(autouse=True)
def _no_thread_stays_behind() -> Iterator[None]:
    """One that a test forgot and that never sleeps made all tests after it ten times as slow, and none of them fail."""
    before = set(threading.enumerate())
    yield
    # the browser's driver keeps its own for the session
    left = [each for each in threading.enumerate() if each not in before and not each.name.startswith("asyncio")]
    for each in left:
        each.join(timeout=30)
    assert not [each.name for each in left if each.is_alive()]


# ------------------------------------------------------------------------------------------------ databases


@pytest.fixture(scope="session")
def pg_url() -> Iterator[str]:
    """A PostgreSQL server of our own: the URL of its maintenance database."""
    if not postgres.available():
        (pytest.fail if postgres.required() else pytest.skip)(postgres.MISSING)
    with postgres.running() as url:
        yield url


def _pg_says(pg_url: str, *statements: str) -> None:
    with psycopg.connect(pg_url.replace(f"{postgres.DRIVER}://", "postgresql://"), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@contextmanager
def _pg_database(pg_url: str) -> Iterator[str]:
    """The URL of a database that is there for a while."""
    name = f"tf_{uuid4().hex}"
    _pg_says(pg_url, f"CREATE DATABASE {name}")
    yield urlsplit(pg_url)._replace(path=f"/{name}").geturl()
    _pg_says(pg_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def pg_database(pg_url: str) -> Iterator[str]:
    """The URL of an empty PostgreSQL database, not migrated."""
    with _pg_database(pg_url) as url:
        yield url


def make_app(database_url: str, instance: Path, **environ: str) -> Flask:
    """An app as the server would make it from these settings, with TESTING on."""
    from webapp.app import create_app

    app = create_app(
        {
            "TEFUDA_INSTANCE": str(instance),
            "TEFUDA_DATABASE_URL": database_url,
            "TEFUDA_SECRET_KEY": KEY,
            "TEFUDA_RATE_LIMITS": "off",
            **environ,
        }
    )
    app.testing = True
    return app


def migrate(app: Flask) -> None:
    from webapp.services.operations import schema

    with app.app_context():
        schema.upgrade()


def close(app: Flask) -> None:
    """Let go of the database, so that it can be dropped and nothing is left open."""
    from webapp.extensions import db

    with app.app_context():
        db.session.remove()
        for engine in db.engines.values():
            engine.dispose()


@pytest.fixture(scope="session")
def blank_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file without rows."""
    folder = tmp_path_factory.mktemp("blank")
    app = make_app(f"sqlite:///{folder / 'blank.sqlite3'}", folder)
    migrate(app)
    close(app)
    return folder / "blank.sqlite3"


@pytest.fixture(scope="session")
def room_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a copy of it lies, for one test after the other."""
    return tmp_path_factory.mktemp("room") / "room.sqlite3"


@pytest.fixture(scope="session")
def room_postgres(pg_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a migrated PostgreSQL database, for one test after the other."""
    with _pg_database(pg_url) as url:
        app = make_app(url, tmp_path_factory.mktemp("blank"))
        migrate(app)
        close(app)
        yield url


def empty_postgres(url: str) -> None:
    """Take all rows away, whoever a test may have left connected."""
    from webapp.extensions import Base

    tables = ", ".join(table.name for table in Base.metadata.sorted_tables)
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    end_others = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"  # noqa: S608
    _pg_says(url, end_others, f"TRUNCATE {tables} RESTART IDENTITY")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.pg)])
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated database without rows."""
    if request.param == "postgresql":
        url: str = request.getfixturevalue("room_postgres")
        empty_postgres(url)
        return url
    room: Path = request.getfixturevalue("room_sqlite")
    for name in ("room.sqlite3-wal", "room.sqlite3-shm"):
        room.with_name(name).unlink(missing_ok=True)
    shutil.copy(request.getfixturevalue("blank_sqlite"), room)
    return f"sqlite:///{room}"


# ------------------------------------------------------------------------------------------------ the app


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> BytecodeCache:
    """Templates, once for all: every app would compile them anew."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("compiled")))


@pytest.fixture(scope="session")
def houses(tmp_path_factory: pytest.TempPathFactory, compiled: BytecodeCache) -> Callable[[str], Flask]:
    """The app on a database."""

    @cache
    def house(database_url: str) -> Flask:
        app = make_app(database_url, tmp_path_factory.mktemp("instance"))
        app.jinja_env.bytecode_cache = compiled
        return app

    return house


@pytest.fixture
def app(database_url: str, houses: Callable[[str], Flask]) -> Iterator[Flask]:
    from webapp.web.request.limits import limiter

    app = houses(database_url)
    limiter.enabled = app.config["RATELIMIT_ENABLED"]  # there is one for all apps, and the last one made has set it
    yield app
    close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def alice(app: Flask) -> Player:
    """Owns the hand."""
    return Player(app.test_client())


@pytest.fixture
def bob(app: Flask) -> Player:
    """Sits beside her."""
    return Player(app.test_client())


@pytest.fixture
def charlie(app: Flask) -> Player:
    """Must see nothing."""
    return Player(app.test_client())


# ------------------------------------------------------------------------------------------------ the server


@dataclass
class Server:
    """``tefuda serve``, running."""

    url: str
    instance: Path
    log: Path
    process: subprocess.Popen[bytes]
    leash: Leash

    def stop(self) -> int:
        """Ask it to go, as a service manager does. Its exit status."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        """kill -9, with all that it started."""
        return self._end(signal.SIGKILL)

    def _end(self, with_signal: signal.Signals) -> int:
        if self.process.poll() is None:
            if with_signal is signal.SIGKILL:
                os.killpg(self.process.pid, with_signal)
            else:
                self.process.send_signal(with_signal)
        status = self.process.wait(timeout=20)
        self.leash.let_go()
        return status


def free_port() -> int:
    with socket.socket() as ear:
        ear.bind(("127.0.0.1", 0))
        return int(ear.getsockname()[1])


def wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = 30) -> None:
    """Until GET /healthz says 200; RuntimeError with the end of the log if the process ends or the time does."""
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


def start_serving(instance: Path, port: int | None = None, **environ: str) -> Server:
    """Start ``tefuda serve`` on this instance folder; ``environ`` adds settings: ``TEFUDA_DATABASE_URL=...``."""
    instance.mkdir(parents=True, exist_ok=True)
    port = port or free_port()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TEFUDA_")}
    settings = {"TEFUDA_INSTANCE": str(instance), "TEFUDA_SECRET_KEY": KEY, "TEFUDA_RATE_LIMITS": "off"}
    command = [str(Path(sys.executable).with_name("tefuda")), "serve", "--host", "127.0.0.1", "--port", str(port)]
    log = instance / "serve.log"
    with log.open("ab") as out:
        process = subprocess.Popen(
            command,
            cwd=instance,
            env={**clean, **settings, **environ},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    leash = Leash("/bin/kill", "-KILL", "--", f"-{process.pid}")
    server = Server(f"http://127.0.0.1:{port}", instance, log, process, leash)
    try:
        wait_until_healthy(server.url, process, log)
    except BaseException:
        server.kill()
        raise
    return server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One real server for all who do not mind sharing it; nobody sees anybody else's hands."""
    running = start_serving(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Servers of one's own, to be killed and started again on the same folder: ``serving()``, ``serving(port=..)``."""
    started: list[Server] = []

    def start(instance: Path | None = None, port: int | None = None, **environ: str) -> Server:
        started.append(start_serving(instance or tmp_path / "served", port, **environ))
        return started[-1]

    yield start
    for each in started:
        each.kill()
