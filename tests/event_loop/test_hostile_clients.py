"""Clients that keep much and give nothing: streams nobody reads, answers nobody takes, everybody back at once."""

import resource
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.support.moves import finished
from tests.support.player import Player
from tests.support.raw_clients import (
    TOKEN,
    asked,
    close_all,
    connected,
    heard,
    heard_events,
    status_of,
    streams,
    wait_for_streams,
)
from tests.support.server import Server, start_serving
from webapp.config import LOCK_SECONDS, SERVER_THREADS
from webapp.event_loop.requests import PATIENCE

OTHER_THREADS = 24
"""Housekeeping, lab watch, reviews, what asks tables."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start_serving(tmp_path_factory.mktemp("site"), TEFUDA_METRICS_TOKEN=TOKEN, TEFUDA_LAB_WORKERS="0")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def code(site: Server) -> str:
    table: str = Player(site.url).post("/tables", []).json["code"]
    return table


def seconds_to_play(site: Server, hands: int = 3) -> float:
    """Seconds of one hand of others, from sitting down to its end: the median."""
    taken = []
    for _ in range(hands):
        player = Player(site.url)
        began = time.monotonic()
        player.sit("poker")
        player.deal("cut")
        finished(player)
        taken.append(time.monotonic() - began)
    return statistics.median(taken)


def test_streams_that_nobody_reads_cost_no_thread_and_are_forgotten_when_they_close(site: Server, code: str) -> None:
    lines = streams(site, code, 500)
    wait_for_streams(site, 500)
    assert status_of(site, "Threads") <= SERVER_THREADS + OTHER_THREADS
    assert seconds_to_play(site) < PATIENCE / 2
    close_all(lines)
    wait_for_streams(site, 0)


def test_a_head_request_for_a_stream_leaves_none_and_the_connection_goes_on(site: Server, code: str) -> None:
    with connected(site) as line:
        said = heard(asked(line, f"/t/{code}/events", method="HEAD"), b"\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 200 ")
        assert b"text/event-stream" in said
        assert heard(asked(line, "/healthz"), b"ok\n").startswith(b"HTTP/1.1 200 ")
    wait_for_streams(site, 0)


def test_who_takes_a_byte_of_an_answer_now_and_then_holds_no_thread(site: Server) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(connected(site, buffer=2048)) for _ in range(2 * SERVER_THREADS)]
        for line in lines:
            asked(line, "/static/img/cards.svg", headers="Accept-Encoding: identity\r\n")
        for line in lines:
            assert line.recv(1) == b"H"
        assert seconds_to_play(site) < PATIENCE / 2


def test_a_body_in_chunks_that_is_too_long_is_refused(site: Server) -> None:
    with connected(site) as line:
        line.sendall(
            b"POST /settings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for _ in range(5):
            line.sendall(b"1000\r\n" + bytes(4096) + b"\r\n")
        assert line.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_head_without_end_is_refused(site: Server) -> None:
    with connected(site) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-Filler: 0123456789\r\n" * 2_000)
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")


def test_what_is_no_request_at_all_is_refused_and_leaves_no_trace(site: Server) -> None:
    with connected(site) as line:
        line.sendall(b"\x16\x03\x01 this is no request\r\n\r\n")
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")
    assert all(text.startswith(("{", "Tefuda ")) for text in site.log.read_text("utf-8").splitlines())
    assert "Invalid HTTP request" not in site.log.read_text("utf-8")


@pytest.mark.parametrize(
    "hosts", ["", "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n", "Host: 127.0.0.1\r\nhost: evil.example\r\n"]
)
def test_who_names_no_host_or_two_is_refused(site: Server, hosts: str) -> None:
    for request in ("GET /healthz HTTP/1.1\r\n", "POST /tables HTTP/1.1\r\nContent-Length: 0\r\n"):
        with connected(site) as line:
            line.sendall(f"{request}{hosts}\r\n".encode())
            said = heard(line, b"one host.\n")
            assert said.startswith(b"HTTP/1.1 400 ") and b"connection: close" in said.lower()
            assert line.recv(10) == b""


def test_a_client_from_before_there_were_hosts_is_answered(site: Server) -> None:
    with connected(site) as line:
        line.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert heard(line, b"ok\n").startswith(b"HTTP/1.1 200 ")


def test_who_has_said_all_and_only_listens_is_answered(site: Server) -> None:
    with connected(site) as line:
        asked(line, "/healthz").shutdown(1)
        assert heard(line, b"ok\n").startswith(b"HTTP/1.1 200 ")
        assert line.recv(10) == b""


def test_no_answer_names_the_software_of_the_server(site: Server) -> None:
    headers = Player(site.url).get("/about").headers
    assert "server" not in headers
    assert "date" in headers


def test_all_streams_come_back_after_a_restart(serving: Callable[..., Server]) -> None:
    come_back(serving, 200)


@pytest.mark.soak
def test_two_thousand_streams_come_back_within_ten_seconds(serving: Callable[..., Server]) -> None:
    assert come_back(serving, 2_000) < 10


@pytest.mark.soak
def test_five_thousand_streams_nobody_reads_leave_others_their_pace(serving: Callable[..., Server]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        site = serving(TEFUDA_METRICS_TOKEN=TOKEN, TEFUDA_LAB_WORKERS="0", TEFUDA_STREAMS="5000")
        code = Player(site.url).post("/tables", []).json["code"]
        seconds_to_play(site)
        before = status_of(site, "VmRSS")
        sizes = []
        for _ in range(3):  # what the first of them have taken is there for the next
            lines = streams(site, code, 5_000)
            wait_for_streams(site, 5_000)
            sizes.append(status_of(site, "VmRSS"))
            assert seconds_to_play(site, 20) < 0.1 * 4, "four requests"
            close_all(lines)
            wait_for_streams(site, 0)
        assert (sizes[0] - before) / 5_000 < 30, "kB a stream"
        assert (sizes[2] - before) / 5_000 < 30, f"kB a stream, after two crowds have gone: {sizes}"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def come_back(serving: Callable[..., Server], count: int) -> float:
    """Seconds until all pages have their stream again, and the version of the table, after a kill."""
    site = serving(TEFUDA_METRICS_TOKEN=TOKEN, TEFUDA_LAB_WORKERS="0")
    code = Player(site.url).post("/tables", []).json["code"]
    close_all(streams(site, code, count))
    port = int(site.url.rpartition(":")[2])
    site.kill()
    site = serving(port=port, TEFUDA_METRICS_TOKEN=TOKEN, TEFUDA_LAB_WORKERS="0")
    began = time.monotonic()
    lines = streams(site, code, count)
    for line in lines:
        assert heard_events(line, b"event: moved")[0].startswith(b"HTTP/1.1 200 ")
    taken = time.monotonic() - began
    close_all(lines)
    return taken


# ------------------------------------------------------------------------------------------------ the end of a process


def test_what_runs_is_finished_before_the_process_ends_and_nothing_new_begins(
    serving: Callable[..., Server], tmp_path: Path
) -> None:
    site = serving(TEFUDA_LAB_WORKERS="0")
    with closing(sqlite3.connect(tmp_path / "served" / "tefuda.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # somebody else has the turn to write
        with connected(site) as line, connected(site) as second:
            asked(line, "/play/poker", method="POST", headers="Content-Length: 0\r\n")
            assert heard(asked(second, "/healthz"), b"ok\n")  # so that the one before has come
            site.process.terminate()
            with pytest.raises(ConnectionError):  # refused, or reset if it was about to be accepted
                while True:
                    connected(site).close()
                    time.sleep(0.02)  # as fast as one can it would keep the process from coming to its end
            other.execute("ROLLBACK")
            assert heard(line, b"\r\n\r\n").startswith(b"HTTP/1.1 303 ")
    assert site.process.wait(timeout=20) == 0


def test_what_does_not_end_is_not_waited_for_longer_than_a_service_manager_would(
    serving: Callable[..., Server], tmp_path: Path
) -> None:
    site = serving(TEFUDA_LAB_WORKERS="0", limits={"webapp.cli.server.web_server.GRACE": 0.3})
    with closing(sqlite3.connect(tmp_path / "served" / "tefuda.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with connected(site) as line, connected(site) as second:
            asked(line, "/play/poker", method="POST", headers="Content-Length: 0\r\n")
            assert heard(asked(second, "/healthz"), b"ok\n")
            began = time.monotonic()
            assert site.stop() == 0
            assert time.monotonic() - began < LOCK_SECONDS - 1, "the request has not been answered before"
