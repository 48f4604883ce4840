"""The site of nginx in ``docs/deploy``, in front of two processes on PostgreSQL, as far as one machine can try it.

Skipped where nginx is not installed. Only what binds the file to a machine is replaced: name, ports, certificate, folders.
"""

import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support import nginx
from tests.support.app import close, make_app, migrate
from tests.support.moves import dealt_and_live, finished
from tests.support.player import Player
from tests.support.rows import findings
from tests.support.server import Server, free_port
from tests.support.table_players import TablePlayer

VISITOR = "127.0.0.5"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.pg,
    pytest.mark.skipif(nginx.PROGRAM is None, reason="nginx is not installed: apt-get install nginx-light"),
]


@dataclass
class Site:
    url: str
    port: int
    processes: list[Server]
    restart: Callable[[int], None]

    def get(self, path: str, address: str = "127.0.0.1", **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Ask from an address of this machine."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(address, 0))
        try:
            connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()


@pytest.fixture
def site(pg_database: str, tmp_path: Path, serving: Callable[..., Server]) -> Iterator[Site]:
    app = make_app(pg_database, tmp_path / "instance")
    migrate(app)
    close(app)
    port, behind = free_port(), [free_port(), free_port()]
    settings = {
        "TEFUDA_DATABASE_URL": pg_database,
        "TEFUDA_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "TEFUDA_TRUSTED_PROXIES": "127.0.0.1",
        "TEFUDA_LOG_ADDRESSES": "full",
        "TEFUDA_LAB_WORKERS": "0",
    }
    processes = [serving(tmp_path / f"instance-{number}", number, **settings) for number in behind]

    def restart(number: int) -> None:
        processes[number] = serving(tmp_path / f"instance-{behind[number]}", behind[number], **settings)

    with nginx.running(tmp_path, port, behind):
        yield Site(f"http://127.0.0.1:{port}", port, processes, restart)


def logged(site: Site) -> list[dict[str, object]]:
    return [line for process in site.processes for line in logged_by(process)]


def logged_by(process: Server) -> list[dict[str, object]]:
    lines = process.log.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith('{"id"')]


def test_who_looks_on_at_a_table_comes_to_one_process_while_it_stands(site: Site) -> None:
    owner = TablePlayer(site.url)
    looks_on = {f"127.0.0.{number}": owner.open(bot="0") for number in range(20, 24)}

    def all_look() -> None:
        for address, code in looks_on.items():
            assert {site.get(f"/t/{code}{end}", address)[0] for end in ("", "?still=1", "", ".png")} == {200}

    all_look()
    seen = [{line["address"] for line in logged_by(server)} for server in site.processes]
    assert all(sum(address in here for here in seen) == 1 for address in looks_on)
    site.processes[0 if seen[0] & looks_on.keys() else 1].kill()
    all_look()


def test_people_play_on_while_processes_are_killed_and_restarted_behind_nginx(site: Site, pg_database: str, tmp_path: Path) -> None:  # fmt: skip
    alice = Player(site.url)
    keys = []
    for end in ("kill", "stop"):
        dealt_and_live(alice, "blackjack")
        number = len(keys) % 2
        getattr(site.processes[number], end)()
        keys.append(finished(alice))
        assert alice.status == 200
        site.restart(number)
    assert all(alice.get(f"/h/{key}").status == 200 for key in keys)
    app = make_app(pg_database, tmp_path / "instance")
    assert findings(app) == []
    close(app)


def test_streams_addresses_bodies_and_caches_are_as_the_site_of_nginx_says(site: Site) -> None:
    alice = TablePlayer(site.url)
    code = alice.open()
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as line:
        line.sendall(f"GET /t/{code}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        _hear(line, b"event: moved")
        alice.do("sit", 0)
        assert alice.status == 200
        _hear(line, f"data: {alice.version}".encode())
    # the address is what nginx has seen, whatever is claimed
    site.get("/about", VISITOR, X_Forwarded_For="10.9.8.7")
    assert VISITOR in {line["address"] for line in logged(site) if line["route"] == "/about"}
    assert "10.9.8.7" not in {line["address"] for line in logged(site)}
    # what is too long is refused before a process sees it
    before = len(logged(site))
    bob = Player(site.url)
    assert bob.line.ask("POST", "/settings", [("name", "x" * 20_000)], {}).status == 413
    assert len(logged(site)) == before
    # finished hands come out of nginx's cache; pages of people do not
    dealt_and_live(bob, "blackjack")
    key = finished(bob)
    dealt_and_live(bob, "poker")
    poker = finished(bob)
    said = [site.get(f"/h/{poker}.json") for _ in range(3)]
    assert [status for status, *_ in said] == [200] * 3, said
    assert [headers["x-cache"] for _, headers, _ in said] == ["MISS", "HIT", "HIT"]
    assert len({body for *_, body in said}) == 1
    assert site.get(f"/h/{poker}.json", Accept_Language="ja")[2] != said[0][2], "sentences in another language"
    pictures = [site.get(f"/h/{poker}.png")[:2] for _ in range(2)]
    assert [status for status, _ in pictures] == [200] * 2, pictures
    assert [headers["x-cache"] for _, headers in pictures] == ["MISS", "HIT"]
    assert "x-cache" not in site.get(f"/h/{key}")[1]
    assert "set-cookie" not in said[0][1]
    # what an operator asks for is nobody else's
    assert site.get("/readyz")[0] == 200
    assert site.get("/readyz", VISITOR)[0] == 403


def _hear(line: socket.socket, word: bytes) -> None:
    heard = b""
    while word not in heard:
        more = line.recv(10_000)
        assert more, "the stream has ended"
        heard += more
