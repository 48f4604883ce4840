"""The web process: its start up to the first page, and the cost of idle event streams."""

import json
import resource
import socket
import statistics
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.bench.goals import Goal
from tests.bench.processes import Running
from tests.bench.table import Row, show
from tests.support.event_text import EventText
from tests.support.server import start_serving

STREAMS: Final = 5_000
IDLE: Final = 20.0
"""Seconds for which nothing happens."""
STARTS: Final = 7
FIRST_PAGE: Final = "start to the first page"
GOALS: Final = (
    Goal("start to the first page", "s", FIRST_PAGE, "s", 1.5),
    Goal(f"{STREAMS:,} idle streams: memory each", "KB", f"{STREAMS} idle streams", "KB a stream", 30),
    Goal(f"{STREAMS:,} idle streams: of a core", "%", f"{STREAMS} idle streams", "CPU %", 5),
)


def measure(streams: int = STREAMS) -> list[Row]:
    rows = [_starts(), *_idle(streams)]
    for row in rows:
        show(str(row["live"]), [row])
    return rows


def _starts() -> Row:
    """Measure from the start of the process to its first page. The instance folder exists already."""
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        taken, cpu = [], []
        for _ in range(1 + STARTS):
            began = time.perf_counter()
            server = start_serving(Path(folder))
            _page(server.url)
            taken.append(time.perf_counter() - began)
            cpu.append(Running(server.url, server.process.pid).cpu)
            server.stop()
    first, *later = taken
    return {
        "live": FIRST_PAGE,
        "first s": first,
        "s": statistics.median(later),
        "the fastest s": min(later),
        "the slowest s": max(later),
        "CPU s": statistics.median(cpu[1:]),
    }


def _idle(streams: int) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        server = start_serving(Path(folder), TEFUDA_LAB_WORKERS="0")
        try:
            opened, idle = hold(Running(server.url, server.process.pid), streams, IDLE)
        finally:
            server.stop()
    return [{"live": f"{streams} streams opened", **opened}, {"live": f"{streams} idle streams", **idle}]


def hold(room: Running, streams: int, seconds: float) -> tuple[Row, Row]:
    """Hold idle streams. Return the cost of opening them, and of holding them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    lines: list[socket.socket] = []
    try:
        tables = [_table(room.url) for _ in range(10)]
        lines += [_stream(room.url, *tables[number % 10]) for number in range(streams // 10)]
        _all_open(lines)  # so that all threads are there
        before, warm = sum(room.memory), len(lines)
        cpu = room.cpu
        lines += [_stream(room.url, *tables[number % 10]) for number in range(streams - warm)]
        _all_open(lines[warm:])
        opening = 1000 * (room.cpu - cpu) / (streams - warm)
        each = 1024 * (sum(room.memory) - before) / (streams - warm)
        cpu, began = room.cpu, time.perf_counter()
        time.sleep(seconds)
        share = 100 * (room.cpu - cpu) / (time.perf_counter() - began)
    finally:
        for line in lines:
            line.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return {"CPU ms each": opening}, {"KB a stream": each, "CPU %": share}


def _page(url: str) -> None:
    line = HTTPConnection(urlsplit(url).netloc, timeout=60)
    line.request("GET", "/")
    assert line.getresponse().status == 200
    line.close()


def _table(url: str) -> tuple[str, int]:
    """Open a table; return its code and the version that its page has."""
    line = HTTPConnection(urlsplit(url).netloc, timeout=60)
    line.request("POST", "/tables", headers={"Accept": "application/json", "Content-Length": "0"})
    opened = json.loads(line.getresponse().read())
    line.close()
    return opened["code"], opened["version"]


def _stream(url: str, code: str, version: int) -> socket.socket:
    place = urlsplit(url)
    line = socket.create_connection((place.hostname, place.port), timeout=60)
    line.sendall(
        f"GET /t/{code}/events?page=w{id(line)}&since={version} HTTP/1.1\r\nHost: room\r\nAccept: text/event-stream\r\n"
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
        f"Accept-Language: en-US,en;q=0.5\r\n"
        "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n\r\n".encode()
    )
    return line


def _all_open(lines: list[socket.socket]) -> None:
    for line in lines:
        said, text = b"", EventText()
        while b"event: moved" not in said:
            piece = line.recv(10_000)
            assert piece, said
            said += text.add(piece)
