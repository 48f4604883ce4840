"""``tefuda serve``: the address it listens on, its output at the start, and how it ends."""

import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.app import close, make_app
from tests.support.player import Player
from tests.support.server import Server, free_port, prepare, wait_until_healthy
from webapp.services.operations import schema
from webapp.web.templating import static_files

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "from webapp.cli import main; main()")


@dataclass
class Running:
    port: int
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Start ``tefuda serve`` with these settings; return when it responds at ``at``."""
    started: list[Running] = []

    def run(at: str = "127.0.0.1", **environ: str) -> Running:
        port, log = free_port(), tmp_path / f"log-{len(started)}"
        prepare(tmp_path / "room")
        settings = {"TEFUDA_INSTANCE": str(tmp_path / "room"), "TEFUDA_PORT": str(port), "TEFUDA_LAB_WORKERS": "0"}
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*COMMAND, "serve"],
                env={**os.environ, "PYTHONPATH": str(ROOT), **settings, **environ},
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=tmp_path,
            )
        started.append(Running(port, process, log))
        wait_until_healthy(f"http://{at}:{port}", process, log)
        return started[-1]

    yield run
    for each in started:
        each.process.kill()
        each.process.wait()


def test_it_serves_at_all_addresses_of_ipv6(running: Callable[..., Running]) -> None:
    site = running(at="[::1]", TEFUDA_HOST="::")
    assert f"http://127.0.0.1:{site.port}" in site.said


def test_it_warns_if_anybody_may_claim_any_address(running: Callable[..., Running]) -> None:
    public = {"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_HOST": "::"}
    warning = "TEFUDA_TRUSTED_PROXIES"
    assert warning in running(**public).said
    assert warning not in running(**public, TEFUDA_TRUSTED_PROXIES="127.0.0.1").said


def test_it_keeps_a_copy_of_a_database_that_it_brings_up_to_date(
    running: Callable[..., Running], tmp_path: Path, blank_sqlite: Path
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    app = make_app(f"sqlite:///{room / 'tefuda.sqlite3'}", room)
    with app.app_context():
        schema.upgrade("0010")
    close(app)
    assert "revision-0010" in running().said
    with closing(sqlite3.connect(room / "tefuda.sqlite3.revision-0010")) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0010",)
    assert "A copy" not in running().said, "nothing is to be done, and a new one is no longer wanted"
    assert len(list(room.glob("*.revision-*"))) == 1


def test_the_newest_revision_is_the_one_that_a_database_is_brought_to(blank_sqlite: Path) -> None:
    with closing(sqlite3.connect(blank_sqlite)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (schema.newest_revision(),)


def base_css(site: Running) -> tuple[str | None, str]:
    """Return coding and address of a stylesheet, as the first page names it."""
    connection = HTTPConnection("127.0.0.1", site.port, timeout=30)
    connection.request("GET", "/")
    (address,) = re.findall(r'"(/static/\w+/css/base\.css)"', connection.getresponse().read().decode())
    connection.request("GET", address, headers={"Accept-Encoding": "br"})
    answer = connection.getresponse()
    assert answer.status == 200 and answer.read()
    connection.close()
    return answer.getheader("Content-Encoding"), address


def test_static_files_are_compressed_from_the_first_page_on(running: Callable[..., Running], tmp_path: Path) -> None:
    cache = tmp_path / "room" / "cache" / "static"
    cache.mkdir(parents=True)  # nothing is prepared
    coding, address = base_css(running())
    assert coding == "br"
    (archive,) = cache.iterdir()
    made = archive.stat().st_mtime_ns
    assert base_css(running()) == ("br", address)
    assert [(path, path.stat().st_mtime_ns) for path in cache.iterdir()] == [(archive, made)], "made once"


def test_a_site_that_cannot_compress_its_files_serves_them_as_they_are(
    running: Callable[..., Running], tmp_path: Path
) -> None:
    cache = tmp_path / "room" / "cache" / "static"
    cache.mkdir(parents=True)
    archive = cache / f"{static_files.PACKED_AS}-{static_files.digest_of(static_files.read(ROOT / 'static'))}.zip"
    (archive / "in the way").mkdir(parents=True)
    site = running()
    assert base_css(site)[0] is None
    assert "static files stay uncompressed" in site.said


def test_a_cache_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / "cache" / "static").unlink()
    (tmp_path / "cache" / "static").touch()
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "TEFUDA_INSTANCE": str(tmp_path), "TEFUDA_PORT": str(free_port())}
    done = subprocess.run([*COMMAND, "serve"], env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "cache" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("lines", [1, 6])
def test_open_streams_do_not_delay_its_end(serving: Callable[..., Server], lines: int) -> None:
    server = serving(TEFUDA_LAB_WORKERS="0")
    alice = Player(server.url)
    code = alice.post("/tables", []).json["code"]
    place = urlsplit(server.url)
    with ExitStack() as stack:
        streams = []
        for _ in range(lines):
            line = stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=30))
            line.sendall(f"GET /t/{code}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            heard = b""
            while b"event: moved" not in heard:
                heard += line.recv(10_000)
            streams.append(line)
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 4.8, "the server would wait for them for five seconds"
        for line in streams:
            rest = b""
            while heard := line.recv(10_000):
                rest += heard
            assert b"retry: " in rest, "when to come back"


def test_pages_are_answered_while_a_stream_is_open_and_its_end_waits_for_neither(
    running: Callable[..., Running],
) -> None:
    site = running()
    alice = Player(f"http://127.0.0.1:{site.port}")
    code = alice.post("/tables", []).json["code"]
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as stream:
        stream.sendall(f"GET /t/{code}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        while b"event: moved" not in stream.recv(10_000):
            pass
        for _ in range(3):
            connection = HTTPConnection("127.0.0.1", site.port, timeout=10)
            connection.request("GET", "/about")
            assert connection.getresponse().status == 200
            connection.close()
        began = time.monotonic()
        site.process.terminate()
        assert site.process.wait(20) == 0
        assert time.monotonic() - began < 4
