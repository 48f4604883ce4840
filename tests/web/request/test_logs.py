"""Log lines contain time, request and result, and no card, seed or cookie."""

import json
import sqlite3
from collections.abc import Callable
from random import Random
from types import SimpleNamespace

import pytest
from flask import Flask

from tests.support.cookies import cookie_of
from tests.support.moves import dealt, finished, finished_json
from tests.support.player import Player
from tests.support.secret_scan import cards_in, tells_the_seed
from tests.support.server import Server
from tests.support.table_players import betting
from webapp.web.request import logs


def test_the_log_of_an_evening_has_no_card_no_seed_and_no_cookie(serving: Callable[..., Server]) -> None:
    server = serving()
    alice, random = Player(server.url), Random(1)
    secrets: list[str] = []
    for number in range(25):
        dealt(alice, f"cut-number-{number}")
        secrets += [cookie_of(alice), alice.hand, alice.board["commitment"], f"cut-number-{number}"]
        alice.act("hold", 9, step=0)
        secrets.append(str(finished_json(alice, finished(alice, random))["proof"]["seed"]))
    dealt(alice)
    break_the_hand(server, alice.hand)
    failures = [alice.get("/play/poker"), alice.post(f"/play/poker/{alice.hand}/0", [("verb", "hold")])]
    assert [answer.status for answer in failures] == [500, 500]
    server.stop()
    log = server.log.read_text(encoding="utf-8")
    entries = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert len(entries) > 100
    requests = [entry for entry in entries if entry["event"] == "request"]
    assert {frozenset(entry) for entry in requests} == {
        frozenset(("event", "level", "timestamp", "id", "method", "route", "status", "refusal", "address", "ms"))
    }
    for answer in failures:
        assert answer.json["reference"] in log
    assert not cards_in(log)
    for secret in secrets:
        assert secret not in log
        assert not (len(secret) == 64 and tells_the_seed([log], bytes.fromhex(secret)))
    assert "tefuda=" not in log
    assert "Traceback" not in log


def break_the_hand(server: Server, key: str) -> None:
    """Store a row that cannot be parsed."""
    with sqlite3.connect(server.instance / "tefuda.sqlite3", timeout=10) as database:
        assert database.execute("UPDATE hand SET stakes = 'nonsense' WHERE key = ?", (key,)).rowcount == 1
    database.close()
    assert (server.instance / "tefuda.sqlite3").stat().st_size


def test_a_line_names_the_request_the_refusal_and_the_network(serving: Callable[..., Server]) -> None:
    server = serving(TEFUDA_LAB_WORKERS="0")
    alice = Player(server.url)
    answers = [alice.get(path) for path in ("/about", "/h/nothing", "/t/QQQQQQ", "/play/bridge", "/nothing")]
    server.stop()
    entries = [json.loads(line) for line in server.log.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    by_id = {entry["id"]: entry for entry in entries}
    lines = [by_id[answer.headers["x-request-id"]] for answer in answers]
    assert [line["refusal"] for line in lines] == [
        None,
        "hand-not-found",
        "table-not-found",
        "unknown-game",
        "http-404",
    ]
    assert {line["address"] for line in lines} == {"127.0.0.0/24"}
    assert len(by_id) == len(entries)


def test_refused_commands_are_noted_where_the_table_is_shown_too(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[object] = []
    monkeypatch.setattr(logs, "log", SimpleNamespace(info=lambda _event, **facts: noted.append(facts["refusal"])))
    visitors = betting(app, 2)
    del noted[:]
    visitors[0].do("nonsense")
    stale = visitors[0].post(f"/t/{visitors[0].code}/0", [("verb", "bet"), ("arg", "10"), ("cut", "x")])
    assert stale.status == 409
    assert "stale" in noted
    dealt(player := Player(app.test_client()))
    del noted[:]
    player.post(f"/play/poker/{player.hand}/0", [("verb", "hold"), ("arg", "6")])
    player.post(f"/play/poker/{player.hand}/9", [("verb", "hold")])
    assert noted == ["illegal-hold", "step-ahead"]


@pytest.mark.parametrize(
    ("address", "kind", "logged"),
    [
        ("203.0.113.77", "network", "203.0.113.0/24"),
        ("203.0.113.77", "full", "203.0.113.77"),
        ("203.0.113.77", "off", None),
        ("::ffff:203.0.113.77", "network", "203.0.113.0/24"),
        ("2001:db8:1:2:3:4:5:6", "network", "2001:db8:1::/48"),
        ("2001:db8:1:2:3:4:5:6", "full", "2001:db8:1:2:3:4:5:6"),
        ("unix:", "full", None),
    ],
)
def test_of_an_address_only_so_much_is_logged(address: str, kind: str, logged: str | None) -> None:
    assert logs.logged_address(address, kind) == logged
