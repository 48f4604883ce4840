"""The server of ``tefuda serve``: requests that are never completed, its limits, its socket and its log."""

import ctypes
import json
import logging
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn

from tests.support.lab_work import wait_for
from tests.support.player import Player
from tests.support.processes import cpu_seconds
from tests.support.server import Server, start_serving
from webapp import adapter
from webapp.adapter import CLIENT_SECONDS, Adapter
from webapp.server import config_of, listen, log_format

IMPATIENCE = 1.2
IMPATIENT = {"webapp.adapter.CLIENT_SECONDS": IMPATIENCE, "webapp.adapter.LINGER_SECONDS": 0.2}
"""Limits of servers whose patience a test waits out."""
PATIENCE = 4
"""Seconds that a server waits for a body, while others are to be answered much sooner, also on a busy machine."""
FIRST_SECONDS = 0.4
FORM = b"Host: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
SLOW = b"POST /play/poker HTTP/1.1\r\n" + FORM + b"Content-Length: 1000\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for tests that need only their own connection."""
    running = start_serving(tmp_path_factory.mktemp("site"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def impatient_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start_serving(tmp_path_factory.mktemp("impatient"), limits=IMPATIENT)
    yield running
    running.stop()


def test_the_server_is_as_patient_as_it_always_was() -> None:
    """The real timeouts; the tests below shorten some of them to take less time."""
    assert (CLIENT_SECONDS, adapter.LINGER_SECONDS) == (10, 2)
    config = config_of(Adapter(_nothing, 1), 1)
    assert (config.timeout_graceful_shutdown, config.timeout_keep_alive) == (5, 30)


@pytest.mark.skipif(sys.platform != "linux", reason="needs tgkill")
def test_a_signal_that_another_thread_takes_ends_the_server(serving: Callable[..., Server]) -> None:
    """The system may give a signal for the process to any thread; the one that handles it sleeps meanwhile."""
    server = serving(TEFUDA_LAB_WORKERS="0")
    assert _is_open(server)
    process = server.process.pid
    other = max(int(thread.name) for thread in Path(f"/proc/{process}/task").iterdir())
    assert other != process
    assert ctypes.CDLL(None).tgkill(process, other, signal.SIGTERM) == 0
    assert server.process.wait(timeout=15) == 0


def test_whoever_never_finishes_a_request_keeps_nobody_else_waiting(serving: Callable[..., Server]) -> None:
    server = serving(TEFUDA_RATE_LIMITS="on")
    place = urlsplit(server.url)
    with ExitStack() as stack:
        for _ in range(600):
            line = socket.create_connection((place.hostname, place.port), source_address=("127.0.0.2", 0), timeout=30)
            stack.enter_context(line).sendall(HALF)
        began = time.monotonic()
        assert _is_open(server)
        assert time.monotonic() - began < CLIENT_SECONDS / 2
    assert _is_open(server)


def test_the_first_action_after_a_start_is_not_slower_than_others(serving: Callable[..., Server]) -> None:
    """Templates are loaded before the port opens: to compile them takes a second of the processor."""
    server = serving(TEFUDA_LAB_WORKERS="0")
    player = Player(server.url)
    player.sit("poker")
    before = cpu_seconds(server.process.pid)
    player.deal("x")
    assert player.get("/play/poker", Accept="text/html").status == 200
    assert cpu_seconds(server.process.pid) - before < FIRST_SECONDS


def test_more_connections_than_the_process_may_have_are_told_so() -> None:
    with listen("127.0.0.1", 0) as bound, ExitStack() as stack:
        server = uvicorn.Server(config_of(Adapter(_nothing, 1), 3))
        serving = threading.Thread(target=server.run, args=([bound],))
        serving.start()
        try:
            while not server.started:
                time.sleep(0.01)
            said = []
            for _ in range(4):
                line = stack.enter_context(socket.create_connection(bound.getsockname(), timeout=10))
                line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                said.append(line.recv(1000).split()[1])
            assert said == [b"200", b"200", b"503", b"503"]
        finally:
            server.should_exit = True
            serving.join()


def test_whoever_does_not_hang_up_keeps_nobody_else_waiting(site: Server) -> None:
    """After a response the client keeps the connection open and sends nothing."""
    place = urlsplit(site.url)
    began = time.monotonic()
    with ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=30))
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert line.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert _is_open(site)
        assert time.monotonic() - began < CLIENT_SECONDS


def test_a_body_that_does_not_come_is_not_waited_for(impatient_site: Server) -> None:
    place = urlsplit(impatient_site.url)
    with socket.create_connection((place.hostname, place.port), timeout=30) as line:
        line.sendall(
            b"POST /play/poker HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Content-Length: 20\r\n\r\ntable"
        )
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")


def test_bodies_that_come_drop_by_drop_keep_nobody_else_waiting(serving: Callable[..., Server]) -> None:
    """Bytes that arrive now and then do not extend a request's deadline, and waiting for them occupies no thread."""
    server = serving(limits={**IMPATIENT, "webapp.adapter.CLIENT_SECONDS": PATIENCE}, TEFUDA_RATE_LIMITS="on")
    senders = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
    place = urlsplit(server.url)
    with ExitStack() as stack:
        lines = []
        for number in range(450):
            source = (senders[number % len(senders)], 0)
            line = socket.create_connection((place.hostname, place.port), source_address=source, timeout=30)
            lines.append(stack.enter_context(line))
            line.sendall(SLOW)
        began = time.monotonic()
        with _dripping(lines):
            while time.monotonic() - began < PATIENCE + 0.5:
                asked = time.monotonic()
                assert _is_open(server)
                assert time.monotonic() - asked < 0.75 * PATIENCE
                time.sleep(0.25)
        for line in lines:
            assert _has_hung_up_after_an_answer(line)
        assert time.monotonic() - began < 2 * CLIENT_SECONDS


def test_players_are_answered_while_others_never_finish(serving: Callable[..., Server]) -> None:
    """A form whose body arrives after its head, as browsers send it, among many bodies that never arrive."""
    server = serving(TEFUDA_RATE_LIMITS="off")
    place = urlsplit(server.url)
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=30)).sendall(SLOW)
        for sent in (
            (SLOW.replace(b"1000", b"11"), b"table", b"=table"),
            (b"POST /play/poker HTTP/1.1\r\n", FORM, b"Content-Length: 0\r", b"\n\r\n"),
            (
                b"POST /play/poker HTTP/1.1\r\n" + FORM + b"Transfer-Encoding: chunked\r\n\r\n",
                b"6\r\ntab",
                b"le=\r\n0\r\n\r\n",
            ),
        ):
            line = stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=30))
            began = time.monotonic()
            for piece in sent:
                line.sendall(piece)
                time.sleep(0.03)
            said = line.recv(1000)
            assert said.split(b" ")[1] in (b"303", b"422"), said
            assert time.monotonic() - began < CLIENT_SECONDS / 2


def test_two_requests_in_one_go_are_answered_one_after_the_other(site: Server) -> None:
    place = urlsplit(site.url)
    one = b"POST /settings HTTP/1.1\r\n" + FORM + b"Content-Length: 10\r\n\r\ntheme=dark"
    with socket.create_connection((place.hostname, place.port), timeout=CLIENT_SECONDS / 2) as line:
        line.sendall(one + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        said = b"".join(iter(lambda: line.recv(10_000), b""))
        assert said.startswith(b"HTTP/1.1 303 ")
        assert b"HTTP/1.1 200 " in said


def test_who_waits_to_be_told_to_go_on_is_told(site: Server) -> None:
    place = urlsplit(site.url)
    with socket.create_connection((place.hostname, place.port), timeout=CLIENT_SECONDS / 2) as line:
        line.sendall(b"POST /settings HTTP/1.1\r\n" + FORM + b"Content-Length: 10\r\nExpect: 100-continue\r\n\r\n")
        assert line.recv(1000).startswith(b"HTTP/1.1 100 ")
        line.sendall(b"theme=dark")
        said = b""
        while b" 303 " not in said:
            said += (heard := line.recv(1000))
            assert heard


def test_a_body_that_is_cut_off_is_not_taken_for_a_whole_one(site: Server) -> None:
    """Of stake=1000 only stake=1 arrives before the connection breaks."""
    place = urlsplit(site.url)
    body = b"theme=dark"
    for length, status in ((len(body), 303), (2 * len(body), 400)):
        with socket.create_connection((place.hostname, place.port), timeout=30) as line:
            line.sendall(b"POST /settings HTTP/1.1\r\n" + FORM + b"Content-Length: %d\r\n\r\n" % length + body)
            if status == 400:
                line.shutdown(socket.SHUT_WR)
            assert b" 303 " not in line.recv(1000) or status == 303
        deadline = time.monotonic() + 10
        while _last_answer(site, "/settings") != status:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def _last_answer(site: Server, route: str) -> int | None:
    """Return the status of the last answer at this address, also if nobody has heard it."""
    lines = [json.loads(text) for text in site.log.read_text("utf-8").splitlines() if text.startswith("{")]
    return next((line["status"] for line in reversed(lines) if line.get("route") == route), None)


def test_a_body_that_is_too_long_is_refused_before_it_has_come(impatient_site: Server) -> None:
    place = urlsplit(impatient_site.url)
    with socket.create_connection((place.hostname, place.port), timeout=CLIENT_SECONDS / 2) as line:
        line.sendall(b"POST /settings HTTP/1.1\r\n" + FORM + b"Content-Length: 999999\r\n\r\ntheme=dark")
        assert line.recv(1000).startswith(b"HTTP/1.1 413 ")
        assert _has_hung_up_after_an_answer(line), "what comes after it is not taken for another request"


def test_who_does_not_hang_up_after_many_answers_keeps_nobody_else_waiting(serving: Callable[..., Server]) -> None:
    """Complete requests from many addresses, whose connections all stay open."""
    server = serving(TEFUDA_RATE_LIMITS="off")
    place = urlsplit(server.url)
    with ExitStack() as stack:
        began = time.monotonic()
        for _ in range(400):
            line = stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=30))
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert _is_open(server)
        assert time.monotonic() - began < CLIENT_SECONDS


def test_no_part_of_an_answer_waits_for_the_one_before_to_be_acknowledged() -> None:
    """asyncio disables Nagle's algorithm only for sockets that report the protocol TCP."""
    with listen("127.0.0.1", 0) as bound:
        bound.listen()
        with socket.create_connection(bound.getsockname()) as line:
            line.sendall(b"word")
            accepted, _ = bound.accept()
            with accepted:
                assert accepted.proto == socket.IPPROTO_TCP


def test_the_server_may_have_as_many_files_open_as_the_system_allows(serving: Callable[..., Server]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
    try:
        server = serving()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE) == (hard, hard)


# ----------------------------------------------------------------------------------------------------------------- log


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("Error handling request %s", ("/t/ABC234?seat=secret",)),
        ("Invalid request from ip=203.0.113.7: Invalid HTTP request line: 'GET /t/ABC234 x'", ()),
    ],
)
def test_a_message_of_the_server_names_no_table_and_no_address(message: str, arguments: tuple[str, ...]) -> None:
    try:
        raise OSError("/t/ABC234")
    except OSError:
        record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, message, arguments, sys.exc_info())
    text = log_format().format(record)
    line = json.loads(text)
    assert (line["event"], line["level"], line["error"]) == ("server", "error", "OSError")
    assert line["places"]
    for secret in ("ABC234", "secret", "203.0.113.7"):
        assert secret not in text
    assert "request" in line["message"]


def test_the_log_of_the_site_consists_of_lines_of_json_whatever_its_child_processes_say(
    serving: Callable[..., Server],
) -> None:
    server = serving(TEFUDA_LAB_WORKERS="1")
    alice = Player(server.url)
    alice.post("/lab", [("table", "vegas"), ("strategy", "mimic"), ("rounds", "1000"), ("seed", "1"), ("nonce", "n")])
    assert alice.status == 201
    wait_for(alice, alice.answer.json["run"], "done")
    lines = server.log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("{")] == [f"Tefuda is open at {server.url}"]


# ------------------------------------------------------------------------------------------------------------ clients


def _nothing(_environ: Mapping[str, Any], start: Callable[..., object]) -> list[bytes]:
    start("200 OK", [])
    return []


@contextmanager
def _dripping(lines: list[socket.socket]) -> Iterator[None]:
    """Send four bytes a second on each connection as long as the server accepts them."""
    over = threading.Event()

    def drip() -> None:
        while not over.wait(0.25):
            for line in lines:
                with suppress(OSError):
                    line.send(b"a")

    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        yield
    finally:
        over.set()
        dripping.join()


def _has_hung_up_after_an_answer(line: socket.socket) -> bool:
    with suppress(ConnectionResetError):
        while line.recv(10_000):
            pass
    return True


def _is_open(server: Server) -> bool:
    with closing(HTTPConnection(urlsplit(server.url).netloc, timeout=30)) as line:
        line.request("GET", "/healthz")
        return line.getresponse().status == 200
