"""The web process itself: its start up to the first page, and what event streams cost while nothing happens."""

import json
import resource
import socket
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.bench.processes import Running
from tests.bench.table import Row, show
from tests.support.event_text import GZIP, EventText
from tests.support.server import start_serving

STREAMS: Final = 5_000
IDLE: Final = 20.0
"""Seconds for which nothing happens."""
STARTS: Final = 3
GOALS: Final = {"start s": 1.5, "KB a stream": 30, "idle CPU %": 5}


def measure(streams: int = STREAMS) -> list[Row]:
    rows = [_starts(), *_idle(streams)]
    for row in rows:
        show(str(row["live"]), [row])
    return rows


def _starts() -> Row:
    """From nothing to the first page of a site that has been there before; the first start brings it about."""
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        taken, cpu = [], []
        for _ in range(1 + STARTS):
            began = time.perf_counter()
            server = start_serving(Path(folder), TEFUDA_LAB_WORKERS="0", TEFUDA_RATE_LIMITS="off")
            _page(server.url)
            taken.append(time.perf_counter() - began)
            cpu.append(Running(server.url, server.process.pid).cpu)
            server.stop()
    return {"live": "start to the first page", "first s": taken[0], "s": min(taken[1:]), "CPU s": min(cpu[1:]), "goal s": GOALS["start s"]}  # fmt: skip


def _idle(streams: int) -> list[Row]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        server = start_serving(Path(folder), TEFUDA_STREAMS=str(streams), TEFUDA_LAB_WORKERS="0")
        room = Running(server.url, server.process.pid)
        lines: list[socket.socket] = []
        try:
            tables = [_table(server.url) for _ in range(10)]
            lines += [_stream(server.url, tables[number % 10]) for number in range(streams // 10)]
            _all_open(lines)  # so that all threads are there
            before, warm = sum(room.memory), len(lines)
            cpu = room.cpu
            lines += [_stream(server.url, tables[number % 10]) for number in range(streams - warm)]
            _all_open(lines[warm:])
            opened: Row = {
                "live": f"{streams} streams opened",
                "CPU ms each": 1000 * (room.cpu - cpu) / (streams - warm),
            }
            each = 1024 * (sum(room.memory) - before) / (streams - warm)
            cpu, began = room.cpu, time.perf_counter()
            time.sleep(IDLE)
            share = 100 * (room.cpu - cpu) / (time.perf_counter() - began)
        finally:
            for line in lines:
                line.close()
            server.stop()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    idle: Row = {
        "live": f"{streams} idle streams",
        "KB a stream": each,
        "at most": GOALS["KB a stream"],
        "CPU %": share,
        "at most %": GOALS["idle CPU %"],
    }
    return [opened, idle]


def _page(url: str) -> None:
    line = HTTPConnection(urlsplit(url).netloc, timeout=60)
    line.request("GET", "/")
    assert line.getresponse().status == 200
    line.close()


def _table(url: str) -> str:
    line = HTTPConnection(urlsplit(url).netloc, timeout=60)
    line.request("POST", "/tables", headers={"Accept": "application/json", "Content-Length": "0"})
    code: str = json.loads(line.getresponse().read())["code"]
    line.close()
    return code


def _stream(url: str, code: str) -> socket.socket:
    place = urlsplit(url)
    line = socket.create_connection((place.hostname, place.port), timeout=60)
    line.sendall(
        f"GET /t/{code}/events?page=w{id(line)} HTTP/1.1\r\nHost: room\r\nAccept: text/event-stream\r\n"
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
        f"Accept-Language: en-US,en;q=0.5\r\n{GZIP}"
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
