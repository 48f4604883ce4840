"""The Caddyfile of ``docs/deploy``, in front of two processes on PostgreSQL."""

import json
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support import caddy
from tests.support.app import close, make_app, migrate
from tests.support.moves import dealt_and_live, finished
from tests.support.player import Player
from tests.support.rows import findings
from tests.support.server import Server, free_port
from tests.support.table_players import TablePlayer

pytestmark = [pytest.mark.slow, pytest.mark.pg]


@pytest.fixture
def processes(pg_database: str, tmp_path: Path, serving: Callable[..., Server]) -> list[Server]:
    app = make_app(pg_database, tmp_path / "instance")
    migrate(app)
    close(app)
    settings = {
        "TEFUDA_DATABASE_URL": pg_database,
        "TEFUDA_PUBLIC_URL": "http://127.0.0.1",
        "TEFUDA_TRUSTED_PROXIES": "127.0.0.1",
        "TEFUDA_LOG_ADDRESSES": "full",
        "TEFUDA_LAB_WORKERS": "0",
    }
    return [serving(tmp_path / f"instance-{number}", **settings) for number in range(2)]


@pytest.fixture
def port(processes: list[Server], tmp_path: Path) -> Iterator[int]:
    """The port of Caddy."""
    port = free_port()
    with caddy.running(tmp_path, port, [server.url.removeprefix("http://") for server in processes]):
        yield port


def _status(port: int, path: str, **headers: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=30, source_address=("127.0.0.5", 0))
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def _asked(processes: list[Server]) -> Counter[str]:
    """Return the number of successful requests by route."""
    lines = [line for server in processes for line in server.log.read_text("utf-8").splitlines()]
    told = [json.loads(line) for line in lines if line.startswith('{"id"')]
    return Counter(each["route"] for each in told if each["status"] < 400)


def _wait_until_found_down(server: Server, log: Path) -> None:
    """Wait until Caddy's health check of a process fails, after which it sends no requests there."""
    deadline = time.monotonic() + 30
    checked, host = "reverse_proxy.health_checker.active", server.url.removeprefix("http://")
    while not any(checked in line and host in line for line in log.read_text("utf-8").splitlines()):
        assert time.monotonic() < deadline, log.read_text("utf-8")
        time.sleep(0.05)


def test_people_play_on_and_look_on_behind_caddy_though_a_process_is_killed(
    port: int, processes: list[Server], pg_database: str, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{port}"
    alice = TablePlayer(url)
    code = alice.open()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(f"GET /t/{code}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        alice.do("sit", 0)
        heard = b""
        while f"data: {alice.version}".encode() not in heard:
            more = line.recv(10_000)
            assert more, "the stream has ended"
            heard += more
    # the address is what Caddy has seen, and what only an operator asks for is hidden
    assert _status(port, "/about", X_Forwarded_For="10.9.8.7") == 200
    logs = "".join(server.log.read_text("utf-8") for server in processes)
    assert '"127.0.0.5"' in logs and "10.9.8.7" not in logs
    assert [_status(port, path) for path in ("/readyz", "/healthz", "/metrics")] == [404] * 3
    bob = Player(url)
    before = _asked(processes)
    # once, both processes were marked as failed, and no request was passed on
    for length in (20_000, 2_000_000, 20_000, 20_000):
        long = bob.line.ask("POST", "/settings", [("name", "x" * length)], {})
        assert long.status == 413 and "</html>" in long.text
    assert _asked(processes)["/settings"] == before["/settings"]
    dealt_and_live(bob, "blackjack")
    processes[0].kill()
    bob.look("blackjack")
    assert bob.status == 200, bob.answer
    # Until Caddy has noticed, it answers 502 to a POST that finds a process gone (at least until 2.11.1); the page's
    # script sends such a POST again.
    _wait_until_found_down(processes[0], tmp_path / "caddy.log")
    finished(bob)
    assert bob.status == 200
    app = make_app(pg_database, tmp_path / "instance")
    assert findings(app) == []
    close(app)
