"""Finished hands as JSON and pictures: requests per second from a web process, and from nginx's cache before it."""

import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import urlsplit

from tests.bench.processes import Running, tefuda
from tests.bench.storm import Answer, ask, storm
from tests.bench.table import Row, show
from tests.support import nginx, proxies
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.server import free_port

HANDS: Final = 50
TIMES: Final = 40
"""How often each is asked for: a link that many open."""
REVIEWED: Final = 120
"""Seconds in which all reviews are there. nginx keeps a hand that has none yet for one of them."""


def measure() -> list[Row]:
    """Return requests per second, and the CPU milliseconds that the process and nginx spend on each."""
    with ExitStack() as stack:
        server = stack.enter_context(tefuda())
        player, random = Player(server.url), Random(1)
        keys = []
        for _ in range(HANDS):
            dealt(player)
            keys.append(finished(player, random))
        _look_once(server.url, keys)
        rows = [_row(server.url, [server], f"{what}, from the process", paths) for what, paths in _kinds(keys)]
        if proxies.find("nginx") is not None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tefuda-bench-")))
            port, behind = free_port(), urlsplit(server.url).port
            assert behind is not None
            before = Running(f"http://127.0.0.1:{port}", stack.enter_context(nginx.running(folder, port, [behind] * 2)))
            _look_once(before.url, keys)
            rows += [_row(before.url, [server, before], f"{what}, from nginx", paths) for what, paths in _kinds(keys)]
        show("Finished hands", rows)
        return rows


def _kinds(keys: Sequence[str]) -> list[tuple[str, list[str]]]:
    return [(what, [f"/h/{key}.{what}" for key in keys]) for what in ("json", "png")]


def _look_once(url: str, keys: Sequence[str]) -> None:
    """Request each address once, so that reviews and pictures exist before the measurement."""
    (_, as_json), (_, as_png) = _kinds(keys)
    until = time.monotonic() + REVIEWED
    while any(("cache-control", "public, max-age=300") not in each.headers for each in _one_by_one(url, as_json)):
        assert time.monotonic() < until, "hands are not reviewed"
        time.sleep(0.5)
    _one_by_one(url, as_png)


def _one_by_one(url: str, paths: Sequence[str]) -> list[Answer]:
    return storm(url, [_ask(path) for path in paths], clients=1)[1]


def _ask(path: str) -> bytes:
    return ask(path, fragment=False).replace(b"Host: room", b"Host: 127.0.0.1")


def _row(url: str, programs: Sequence[Running], what: str, paths: Sequence[str]) -> Row:
    requests = [_ask(path) for path in paths] * TIMES
    cpu = [program.cpu for program in programs]
    seconds, answers = storm(url, requests)
    statuses = {answer.status for answer in answers}
    assert statuses == {200}, statuses
    spent = [1000 * (program.cpu - before) / len(requests) for program, before in zip(programs, cpu, strict=True)]
    return {
        "finished hands as": what,
        "requests/s": len(requests) / seconds,
        "CPU ms of the process": spent[0],
        "CPU ms of nginx": spent[1] if len(spent) > 1 else 0,
    }
