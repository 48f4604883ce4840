"""The server's own log messages are lines of JSON without secrets."""

import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.lab_work import wait_for
from tests.support.player import Player
from tests.support.server import Server
from webapp.cli.server.server_log import JsonFormatter


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
    text = JsonFormatter().format(record)
    line = json.loads(text)
    assert (line["event"], line["level"], line["error"]) == ("server", "error", "OSError")
    assert line["places"]
    for secret in ("ABC234", "secret", "203.0.113.7"):
        assert secret not in text
    assert "request" in line["message"]


def test_what_the_lab_cannot_read_costs_it_nothing_and_the_log_stays_one_of_lines(
    serving: Callable[..., Server], tmp_path: Path
) -> None:
    room = tmp_path / "served"
    room.mkdir()
    (room / "lab.supervisor").write_bytes(b"\xff\xfe")
    server = serving(TEFUDA_LAB_WORKERS="1")
    alice = Player(server.url)
    alice.post("/lab", [("table", "vegas"), ("strategy", "mimic"), ("rounds", "1000"), ("seed", "1"), ("nonce", "n")])
    wait_for(alice, alice.answer.json["run"], "done")
    server.stop()
    lines = server.log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("{")] == [f"Tefuda is open at {server.url}"]
