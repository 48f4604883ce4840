"""``gunicorn wsgi:app`` has the settings of ``tefuda serve``, and its own messages are lines of JSON without secrets."""

import json
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support.player import Player
from tests.support.server import Server, free_port, wait_until_healthy
from webapp.cli.server.gunicorn_settings import JsonFormatter

ROOT = Path(__file__).parents[3]


def test_gunicorn_serves_the_app_with_a_stream_open(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TEFUDA_INSTANCE": str(tmp_path),
        "TEFUDA_PORT": str(port),
        "TEFUDA_LAB_WORKERS": "0",
    }
    upgrade = [sys.executable, "-c", "from webapp.cli import main; main()", "db", "upgrade"]
    subprocess.run(upgrade, env=environ, check=True, cwd=tmp_path)
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "wsgi:app"], cwd=ROOT, env=environ, stdout=out, stderr=out
        )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_healthy(url, process, log)
        alice = Player(url)
        code = alice.post("/tables", []).json["code"]
        with socket.create_connection(("127.0.0.1", port), timeout=30) as stream:
            stream.sendall(f"GET /t/{code}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            while b"event: moved" not in stream.recv(10_000):
                pass
            for _ in range(3):
                connection = HTTPConnection("127.0.0.1", port, timeout=10)
                connection.request("GET", "/about")
                assert connection.getresponse().status == 200
                connection.close()
            began = time.monotonic()
            process.terminate()
            assert process.wait(20) == 0
            assert time.monotonic() - began < 4
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("Error handling request %s", ("/t/ABC234?seat=secret",)),
        ("Invalid request from ip=203.0.113.7: Invalid HTTP request line: 'GET /t/ABC234 x'", ()),
    ],
)
def test_a_message_of_gunicorn_names_no_table_and_no_address(message: str, arguments: tuple[str, ...]) -> None:
    try:
        raise OSError("/t/ABC234")
    except OSError:
        record = logging.LogRecord("gunicorn.error", logging.ERROR, "", 0, message, arguments, sys.exc_info())
    text = JsonFormatter().format(record)
    line = json.loads(text)
    assert (line["event"], line["level"], line["error"]) == ("server", "error", "OSError")
    assert line["places"]
    for secret in ("ABC234", "secret", "203.0.113.7"):
        assert secret not in text
    assert "request" in line["message"]


def test_what_the_lab_prints_is_not_in_the_log_of_the_site(serving: Callable[..., Server], tmp_path: Path) -> None:
    """Its process cannot make sense of a file that it left behind."""
    room = tmp_path / "served"
    room.mkdir()
    (room / "lab.supervisor").write_bytes(b"\xff\xfe")
    server = serving(TEFUDA_LAB_WORKERS="1")
    alice = Player(server.url)
    alice.post("/lab", [("table", "vegas"), ("strategy", "mimic"), ("rounds", "1000"), ("seed", "1"), ("nonce", "n")])
    assert alice.status == 201
    deadline = time.monotonic() + 60
    while b"Traceback" not in (room / "lab.log").read_bytes() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert b"Traceback" in (room / "lab.log").read_bytes()
    server.stop()
    lines = server.log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("{")] == [f"Tefuda is open at {server.url}"]
