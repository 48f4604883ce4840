"""Clients that send what no browser sends, and the end of a process. The speed of others: test_pace_of_others."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread

import pytest
from flask import url_for

from tests.support.app import close, make_app
from tests.support.hostile import seconds_of_an_action
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.raw_clients import TOKEN, connect, read_until, send_request, status_of, wait_for_streams
from tests.support.server import Server, start_serving
from webapp.config import LOCK_SECONDS

WAITED = 0.5
"""Seconds for half of all actions, on a machine that others use as well."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start_serving(tmp_path_factory.mktemp("site"), TEFUDA_METRICS_TOKEN=TOKEN, TEFUDA_LAB_WORKERS="0")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def code(site: Server) -> str:
    table: str = Player(site.url).post("/tables", []).json["code"]
    return table


def test_a_head_request_for_a_stream_leaves_none_and_the_connection_goes_on(site: Server, code: str) -> None:
    with connect(site) as line:
        said = read_until(send_request(line, f"/t/{code}/events", method="HEAD"), b"\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 200 ")
        assert b"text/event-stream" in said
        assert read_until(send_request(line, "/healthz"), b"ok\n").startswith(b"HTTP/1.1 200 ")
    wait_for_streams(site, 0)


def test_a_head_request_is_answered_like_a_get_without_the_body_and_the_connection_goes_on(
    site: Server, code: str
) -> None:
    """At every address of the site, the stream of a table among them, one after the other on the same connection."""
    player = Player(site.url)
    dealt(player)
    hand = finished(player)
    known = {"filename": "css/tokens.css", "hand": hand, "key": hand, "step": 0, "day": "2026-01-01"}
    known |= {"part": "first", "word": "w", "game": "poker", "member": 1, "drill": "deck"}
    app = make_app(f"sqlite:///{site.instance}/unused.sqlite3", site.instance)
    with connect(site) as line, app.test_request_context():
        for rule in [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods]:
            words = {**known, "code": code if rule.rule.startswith("/t/") else "poker"}
            path = url_for(rule.endpoint, **{name: words[name] for name in rule.arguments})
            said = read_until(send_request(line, path, method="HEAD"), b"\r\n\r\n")
            assert said.endswith(b"\r\n\r\n"), f"{path} has a body"
            assert said.startswith(f"HTTP/1.1 {status_of_get(site, path)} ".encode()), path
            assert read_until(send_request(line, "/healthz"), b"ok\n").startswith(b"HTTP/1.1 200 "), f"after {path}"
    close(app)
    wait_for_streams(site, 0)


def status_of_get(site: Server, path: str) -> int:
    with connect(site) as line:
        return int(read_until(send_request(line, path), b"\r\n\r\n").split()[1])


def test_a_body_in_chunks_that_is_too_long_is_refused(site: Server) -> None:
    with connect(site) as line:
        line.sendall(
            b"POST /settings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for _ in range(5):
            line.sendall(b"1000\r\n" + bytes(4096) + b"\r\n")
        assert line.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_head_without_end_is_refused(site: Server) -> None:
    with connect(site) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-Filler: 0123456789\r\n" * 2_000)
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")


def test_what_is_no_request_at_all_is_refused_and_leaves_no_trace(site: Server) -> None:
    with connect(site) as line:
        line.sendall(b"\x16\x03\x01 this is no request\r\n\r\n")
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")
    assert all(text.startswith(("{", "Tefuda ")) for text in site.log.read_text("utf-8").splitlines())
    assert "Invalid HTTP request" not in site.log.read_text("utf-8")


@pytest.mark.parametrize(
    "hosts", ["", "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n", "Host: 127.0.0.1\r\nhost: evil.example\r\n"]
)
def test_who_names_no_host_or_two_is_refused(site: Server, hosts: str) -> None:
    """A proxy might take another of them than the site does."""
    for request in ("GET /healthz HTTP/1.1\r\n", "POST /tables HTTP/1.1\r\nContent-Length: 0\r\n"):
        with connect(site) as line:
            line.sendall(f"{request}{hosts}\r\n".encode())
            said = b"".join(iter(lambda line=line: line.recv(1000), b""))  # type: ignore[misc]
            assert said.startswith(b"HTTP/1.1 400 ") and b"connection: close" in said.lower()


def test_a_client_from_before_there_were_hosts_is_answered(site: Server) -> None:
    with connect(site) as line:
        line.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert read_until(line, b"ok\n").startswith(b"HTTP/1.1 200 ")


def test_no_answer_names_the_software_of_the_server(site: Server) -> None:
    headers = Player(site.url).get("/about").headers
    assert "server" not in headers
    assert "date" in headers


@pytest.mark.parametrize("path", ["/about", "/t/{code}/events"])
def test_requests_that_are_sent_without_pause_take_no_memory_and_nobody_else_waits(
    site: Server, code: str, path: str
) -> None:
    """On one connection, without waiting for answers and without reading them; and more of them during a stream."""
    request = f"GET {path.format(code=code)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    seconds_of_an_action(site, 3)
    before, flood = status_of(site, "VmRSS"), Flood(site, request, 20_000_000)
    flood.start()
    try:
        assert seconds_of_an_action(site, 20, lambda: flood.is_sending) < WAITED
        grown = status_of(site, "VmRSS") - before
    finally:
        flood.stop()
    print(f"{flood.sent} bytes sent, {grown} kB more")
    assert flood.sent > 100_000
    assert grown < 20_000


class Flood(Thread):
    """Sends one request over and over on one connection, until so much is sent or the site takes no more for long."""

    def __init__(self, site: Server, request: bytes, most: int) -> None:
        super().__init__()
        self._line, self._requests, self._most = connect(site), request * 2_000, most
        self._line.settimeout(3)
        self.sent, self.is_sending = 0, True

    def run(self) -> None:
        with suppress(OSError):
            while self.sent < self._most:
                self.sent += self._line.send(self._requests)
        self.is_sending = False

    def stop(self) -> None:
        with suppress(OSError):
            self._line.shutdown(2)
        self.join()
        self._line.close()


# ------------------------------------------------------------------------------------------------ the end of a process


def test_what_runs_is_finished_before_the_process_ends_and_nothing_new_begins(
    serving: Callable[..., Server], tmp_path: Path
) -> None:
    site = serving(TEFUDA_LAB_WORKERS="0")
    with closing(sqlite3.connect(tmp_path / "served" / "tefuda.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # another process holds the write lock
        with connect(site) as line, connect(site) as second:
            send_request(line, "/play/poker", method="POST", headers="Content-Length: 0\r\n")
            assert read_until(send_request(second, "/healthz"), b"ok\n")  # the request before it has been received
            site.process.terminate()
            with pytest.raises(ConnectionError):  # refused, or reset if it was about to be accepted
                while True:
                    connect(site).close()
                    time.sleep(0.02)  # as fast as one can it would keep the process from coming to its end
            other.execute("ROLLBACK")
            assert read_until(line, b"\r\n\r\n").startswith(b"HTTP/1.1 303 ")
    assert site.process.wait(timeout=20) == 0


def test_what_does_not_end_is_not_waited_for_longer_than_a_service_manager_would(
    serving: Callable[..., Server], tmp_path: Path
) -> None:
    site = serving(TEFUDA_LAB_WORKERS="0", limits={"webapp.server.GRACE": 0.3})
    with closing(sqlite3.connect(tmp_path / "served" / "tefuda.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with connect(site) as line, connect(site) as second:
            send_request(line, "/play/poker", method="POST", headers="Content-Length: 0\r\n")
            assert read_until(send_request(second, "/healthz"), b"ok\n")
            began = time.monotonic()
            assert site.stop() == 0
            assert time.monotonic() - began < LOCK_SECONDS - 1, "the request has not been answered before"
