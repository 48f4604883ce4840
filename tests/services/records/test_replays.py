"""Finished hands are requested often: each app shuffles their cards and replays their moves once."""

from collections import Counter

import pytest
from flask import Flask

from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.table_players import bet_all, betting, play_out, see_all
from webapp.engine import shuffling
from webapp.services.fairness import verification
from webapp.services.records import replays


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often a pack is shuffled, a stored hand is replayed, and a JSON document is verified."""
    done = Counter[str]()
    for module, name in ((shuffling, "shuffled"), (replays, "states"), (verification, "checks")):
        real = getattr(module, name)

        def counted(*args: object, _name: str = name, _real: object = real) -> object:
            done[_name] += 1
            return _real(*args)

        monkeypatch.setattr(module, name, counted)
    return done


@pytest.mark.parametrize("game", ["poker", "joker", "video", "blackjack"])
def test_the_page_of_a_hand_is_replayed_and_checked_once(app: Flask, alice: Player, game: str, work: Counter) -> None:
    dealt(alice, game=game, table="single" if game == "blackjack" else None)
    key = finished(alice)
    work.clear()
    first = alice.get(f"/h/{key}", Accept="text/html")
    assert first.status == 200
    assert (work["states"], work["checks"]) == (1, 1)
    packs = work["shuffled"]
    work.clear()
    for form in ("", ".json", ".txt", "?step=0"):
        assert alice.get(f"/h/{key}{form}", Accept="text/html").status == 200
    assert (packs > 0, dict(work)) == (True, {})


def test_the_page_of_a_round_is_replayed_and_checked_once(app: Flask, work: Counter) -> None:
    visitors = betting(app)
    bet_all(visitors)
    play_out(visitors)
    see_all(visitors)
    address = visitors[0].table["last"]
    assert visitors[0].get(address, Accept="text/html").status == 200
    work.clear()
    assert visitors[0].get(address, Accept="text/html").status == 200
    assert dict(work) == {}


def test_a_new_name_and_a_proof_that_has_opened_are_on_the_page_all_the_same(app: Flask, alice: Player) -> None:
    dealt(alice, game="blackjack", table="vegas")
    key = finished(alice)
    before = alice.get(f"/h/{key}.json").json
    assert (before["player"], before["proof"]) == ("", None)
    alice.post("/settings", [("name", "Alice")])
    dealt(alice, game="blackjack", table="single")  # other rules: the shoe is closed
    after = alice.get(f"/h/{key}.json").json
    assert (after["player"], after["proof"] is None) == ("Alice", False)
    page = alice.get(f"/h/{key}", Accept="text/html").text
    assert after["proof"]["seed"] in page
