"""Hundreds of requests from one address that are never completed."""

import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.support.server import Server, start_serving
from webapp.cli.server.web_server import WebServer, listen
from webapp.event_loop import asgi, connection_limiter, requests
from webapp.event_loop.requests import CLIENT_SECONDS

IMPATIENCE = 1.2
IMPATIENT = {
    "webapp.event_loop.requests.CLIENT_SECONDS": IMPATIENCE,
    "webapp.event_loop.connection_limiter.CHECK_SECONDS": 0.1,
    "webapp.event_loop.asgi.LINGER_SECONDS": 0.2,
}
"""Limits of servers whose patience a test waits out."""
FORM = b"Host: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
SLOW = b"POST /play/poker HTTP/1.1\r\n" + FORM + b"Content-Length: 1000\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
LONG = b"GET /static/img/cards.svg HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\n\r\n"


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
    assert (
        requests.CLIENT_SECONDS,
        connection_limiter.CHECK_SECONDS,
        connection_limiter.STALL_SECONDS,
        asgi.LINGER_SECONDS,
    ) == (10, 1, 5, 2)
    server = WebServer(asgi.EventLoopApp(lambda _environ, _start: [], 1, False, lambda: None), lambda: None, 1, False)
    assert (server.config.timeout_graceful_shutdown, server.config.timeout_keep_alive) == (5, 30)


def test_whoever_never_finishes_a_request_keeps_nobody_else_waiting(serving: Callable[..., Server]) -> None:
    server = serving(limits=IMPATIENT, TEFUDA_RATE_LIMITS="on", TEFUDA_STREAMS="200")
    place = urlsplit(server.url)
    with ExitStack() as stack:
        held = []
        for _ in range(600):
            line = socket.create_connection((place.hostname, place.port), source_address=("127.0.0.2", 0), timeout=30)
            held.append(stack.enter_context(line))
            line.sendall(HALF)
        began = time.monotonic()
        assert _is_open(server)
        assert time.monotonic() - began < IMPATIENCE
        for line in held:
            assert _has_hung_up(line)
        assert time.monotonic() - began < 2 * CLIENT_SECONDS
    assert _is_open(server)


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


@pytest.mark.parametrize(
    ("begun", "environ", "senders"),
    [
        (SLOW, {}, ("127.0.0.2", "127.0.0.3", "127.0.0.4")),
        (HALF, {"TEFUDA_PUBLIC_URL": "http://127.0.0.1"}, ("127.0.0.2",)),
    ],
    ids=["bodies from three addresses", "heads through a proxy"],
)
def test_requests_that_come_drop_by_drop_keep_nobody_else_waiting(
    serving: Callable[..., Server], begun: bytes, environ: dict[str, str], senders: tuple[str, ...]
) -> None:
    """Bytes that arrive now and then do not extend a request's deadline, and waiting for them occupies no thread."""
    server = serving(limits=IMPATIENT, TEFUDA_RATE_LIMITS="on", TEFUDA_STREAMS="100", **environ)
    place = urlsplit(server.url)
    with ExitStack() as stack:
        lines = []
        for number in range(450):
            source = (senders[number % len(senders)], 0)
            line = socket.create_connection((place.hostname, place.port), source_address=source, timeout=30)
            lines.append(stack.enter_context(line))
            line.sendall(begun)
        began = time.monotonic()
        with _dripping(lines):
            while time.monotonic() - began < IMPATIENCE + 0.5:
                asked = time.monotonic()
                assert _is_open(server)
                assert time.monotonic() - asked < 0.75 * IMPATIENCE
                time.sleep(0.25)
        for line in lines:
            assert _has_hung_up_after_an_answer(line)
        assert time.monotonic() - began < 2 * CLIENT_SECONDS


def test_players_are_answered_while_others_never_finish(serving: Callable[..., Server]) -> None:
    """A form whose body arrives after its head, as browsers send it, among many bodies that never arrive."""
    server = serving(TEFUDA_RATE_LIMITS="off", TEFUDA_STREAMS="0")
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
    with socket.create_connection((place.hostname, place.port), timeout=30) as line:
        line.sendall(b"POST /settings HTTP/1.1\r\n" + FORM + b"Content-Length: 20\r\n\r\ntheme=dark")
        line.shutdown(socket.SHUT_WR)
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")


def test_a_body_that_is_too_long_is_refused_before_it_has_come(impatient_site: Server) -> None:
    place = urlsplit(impatient_site.url)
    with socket.create_connection((place.hostname, place.port), timeout=CLIENT_SECONDS / 2) as line:
        line.sendall(b"POST /settings HTTP/1.1\r\n" + FORM + b"Content-Length: 999999\r\n\r\ntheme=dark")
        assert line.recv(1000).startswith(b"HTTP/1.1 413 ")
        assert _has_hung_up_after_an_answer(line), "what comes after it is not taken for another request"


def test_who_takes_no_answer_is_not_waited_for(impatient_site: Server) -> None:
    """The client does not read; data waits in buffers until the server gives up and closes the connection."""
    place = urlsplit(impatient_site.url)
    with closing(socket.socket()) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(5 * CLIENT_SECONDS)  # what the system keeps for it grows twice meanwhile
        line.connect((place.hostname, place.port))
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            _ask_for_ever(line)


def test_who_does_not_hang_up_after_many_answers_keeps_nobody_else_waiting(serving: Callable[..., Server]) -> None:
    """Complete requests from many addresses, whose connections all stay open."""
    server = serving(TEFUDA_RATE_LIMITS="off", TEFUDA_STREAMS="0")
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


def _ask_for_ever(line: socket.socket) -> None:
    """Request something long and cheap repeatedly: buffers hold megabytes of it."""
    while True:
        line.sendall(LONG * 20)


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


def _has_hung_up(line: socket.socket) -> bool:
    with suppress(ConnectionResetError):
        return line.recv(100) == b""
    return True


def _is_open(server: Server) -> bool:
    with closing(HTTPConnection(urlsplit(server.url).netloc, timeout=30)) as line:
        line.request("GET", "/healthz")
        return line.getresponse().status == 200
