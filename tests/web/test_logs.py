"""What the server writes down: when, what and how, but no card, no seed, no cookie."""

import json
import sqlite3
from collections.abc import Callable
from random import Random

from tests.conftest import Server
from tests.web.cookies import cookie_of
from tests.web.moves import dealt, finished, told
from tests.web.player import Player
from tests.web.secrets_of import cards_in, tells_the_seed


def test_the_log_of_an_evening_has_no_card_no_seed_and_no_cookie(serving: Callable[..., Server]) -> None:
    server = serving()
    alice, random = Player(server.url), Random()
    secrets: list[str] = []
    for number in range(25):
        dealt(alice, f"cut-number-{number}")
        secrets += [cookie_of(alice), alice.hand, alice.board["commitment"], f"cut-number-{number}"]
        alice.act("hold", 9, step=0)
        secrets.append(str(told(alice, finished(alice, random))["proof"]["seed"]))
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
        frozenset(("event", "level", "timestamp", "method", "route", "status", "ms"))
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
    """A row that nobody can make sense of."""
    with sqlite3.connect(server.instance / "tefuda.sqlite3", timeout=10) as database:
        assert database.execute("UPDATE hand SET stakes = 'nonsense' WHERE key = ?", (key,)).rowcount == 1
    database.close()
    assert (server.instance / "tefuda.sqlite3").stat().st_size
