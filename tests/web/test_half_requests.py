"""Requests that are begun and never finished, by the hundred, from one machine."""

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

from tests.conftest import Server
from webapp.cli.gunicorn_worker import PATIENCE

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def test_whoever_never_finishes_a_request_keeps_nobody_else_waiting(serving: Callable[..., Server]) -> None:
    server = serving(TEFUDA_RATE_LIMITS="on", TEFUDA_STREAMS="200")
    place = urlsplit(server.url)
    with ExitStack() as stack:
        held = []
        for _ in range(600):
            line = socket.create_connection((place.hostname, place.port), source_address=("127.0.0.2", 0), timeout=30)
            held.append(stack.enter_context(line))
            line.sendall(HALF)
        began = time.monotonic()
        assert _is_open(server)
        assert time.monotonic() - began < PATIENCE / 2
        for line in held:
            assert _has_hung_up(line)
        assert time.monotonic() - began < 2 * PATIENCE
    assert _is_open(server)


def test_whoever_does_not_hang_up_keeps_nobody_else_waiting(serving: Callable[..., Server]) -> None:
    """An answer is over, and the client says nothing: the house must not wait for it before it lets others in."""
    server = serving()
    place = urlsplit(server.url)
    began = time.monotonic()
    with ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=30))
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert line.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert _is_open(server)
        assert time.monotonic() - began < 5


def test_a_body_that_does_not_come_is_not_waited_for(serving: Callable[..., Server]) -> None:
    place = urlsplit(serving().url)
    with socket.create_connection((place.hostname, place.port), timeout=30) as line:
        line.sendall(
            b"POST /play/poker HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Content-Length: 20\r\n\r\ntable"
        )
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")


def _has_hung_up(line: socket.socket) -> bool:
    with suppress(ConnectionResetError):
        return line.recv(100) == b""
    return True


def _is_open(server: Server) -> bool:
    with closing(HTTPConnection(urlsplit(server.url).netloc, timeout=30)) as line:
        line.request("GET", "/healthz")
        return line.getresponse().status == 200
