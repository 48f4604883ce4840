"""Clients on plain sockets that wait, send slowly, or do not read."""

import re
import socket
import time
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.player import Player
from tests.support.server import Server

TOKEN = "a-word-for-the-metrics"


def connect(server: Server, buffer: int = 0) -> socket.socket:
    """Connect. ``buffer`` is the size of the receive buffer in bytes; 0 is the system's default."""
    place = urlsplit(server.url)
    line = socket.socket()
    if buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.settimeout(30)
    try:
        line.connect((place.hostname, place.port))
    except OSError:
        line.close()
        raise
    return line


def send_request(line: socket.socket, path: str, method: str = "GET", headers: str = "") -> socket.socket:
    line.sendall(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n".encode())
    return line


def read_until(line: socket.socket, word: bytes) -> bytes:
    """Read until this text has been received; return all that was read."""
    said = b""
    while word not in said:
        piece = line.recv(10_000)
        assert piece, said
        said += piece
    return said


def wait_for_streams(server: Server, count: int, seconds: float = 60) -> None:
    """Wait until the metrics of the site count this many open streams."""
    player = Player(server.url)
    deadline = time.monotonic() + seconds
    said = -1
    while time.monotonic() < deadline:
        player.get("/metrics", Authorization=f"Bearer {TOKEN}")
        found = re.search(r"^tefuda_streams(?:\{[^}]*\})? (\S+)$", player.answer.text, re.MULTILINE)
        said = int(float(found[1])) if found else -1
        if said == count:
            return
    raise AssertionError(f"{said} streams, not {count}")


def close_all(lines: Iterable[socket.socket]) -> None:
    for line in lines:
        line.close()


def status_of(server: Server, name: str) -> int:
    """Return a number of ``/proc/<pid>/status``: ``Threads``, or ``VmRSS`` in kB."""
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    found = re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)
    assert found
    return int(found[1])
