"""``wsgi:asgi`` and ``wsgi:app`` under other servers."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.lab_work import wait_for
from tests.support.player import Player
from tests.support.server import free_port, prepare, wait_until_healthy

ROOT = Path(__file__).parents[1]
ASGI = "import uvicorn; uvicorn.run('wsgi:asgi', port={port}, timeout_graceful_shutdown=1)"
WSGI = "import wsgi; from wsgiref.simple_server import make_server; make_server('', {port}, wsgi.app).serve_forever()"


@contextmanager
def served(code: str, folder: Path) -> Iterator[int]:
    port, log = free_port(), folder / "log"
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TEFUDA_INSTANCE": str(folder),
        "TEFUDA_LAB_WORKERS": "1",
    }
    prepare(folder)
    with log.open("wb") as out:
        command = [sys.executable, "-c", code.format(port=port)]
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=out, stderr=out)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}", process, log)
        yield port
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(("code", "first"), [(ASGI, b" 200 "), (WSGI, b" 204 ")], ids=["ASGI", "WSGI"])
def test_another_server_has_pages_and_streams_if_it_can(code: str, first: bytes, tmp_path: Path) -> None:
    with served(code, tmp_path) as port:
        alice = Player(f"http://127.0.0.1:{port}")
        table = alice.post("/tables", []).json["code"]
        with socket.create_connection(("127.0.0.1", port), timeout=30) as stream:
            stream.sendall(f"GET /t/{table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            said = stream.recv(10_000)
            assert first in said.split(b"\r\n")[0]
            while first == b" 200 " and b"event: moved" not in said:
                said += stream.recv(10_000)
        assert alice.get("/about").status == 200
        alice.post("/lab", [("table", "vegas"), ("strategy", "mimic"), ("rounds", "1000"), ("nonce", "n")])
        wait_for(alice, alice.answer.json["run"], "done")
