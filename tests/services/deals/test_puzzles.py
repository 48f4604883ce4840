"""A decision is asked again: of a finished hand by a link, or as a drill. Nothing later is told before the answer."""

from typing import Any

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.moves import dealt, every_game, finished, finished_json
from tests.support.player import Json, Player
from tests.support.secret_scan import cards_in
from webapp.services.odds import desk

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def decided(alice: Player, game: str) -> Json:
    """A finished hand in which something was decided, in JSON."""
    dealt(alice, game=game)
    while not alice.board["step"]:
        if alice.over:
            dealt(alice, game=game)
        else:
            finished(alice)
    return finished_json(alice, alice.hand)


@every_game
def test_a_puzzle_tells_nothing_that_came_after_it(app: Flask, alice: Player, bob: Player, game: str) -> None:
    hand = decided(alice, game)
    decoration = cards_in(Player(app.test_client()).get("/nothing", Accept="text/html").text)
    shown: set[str] = set()
    for step in range(len(hand["moves"])):
        felt = bob.get(f"/h/{hand['hand']}?step={step}", **FORMS["page"]).text.partition('class="stepper"')[0]
        shown |= cards_in(felt.partition("data-felt")[2])
        asked = bob.get(f"/h/{hand['hand']}?ask={step}")
        assert asked.status == 200, asked.text
        assert (asked.json["verdict"], asked.json["pending"]) == (None, False)
        page = bob.get(f"/h/{hand['hand']}?ask={step}", **FORMS["page"]).text
        assert not cards_in(page + asked.text) - shown - decoration
        for later in (hand["notation"], (hand["proof"] or {"seed": "no seed"})["seed"]):
            assert later not in page + asked.text
    first = cards_in(bob.get(f"/h/{hand['hand']}?ask=0").text)
    assert len(first) <= 3 * max(2, len(hand["stakes"]) + 1), "the deal alone"


@every_game
def test_an_answer_is_graded_with_the_odds_and_then_the_rest_is_shown(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    hand = decided(alice, game)
    actions = bob.get(f"/h/{hand['hand']}?ask=0").json["actions"]

    def priced(about: str, asked: dict[str, str], *_: Any) -> dict[str, Any]:
        assert (about, asked) == ("step", {"line": hand["notation"], "step": "0"})
        options = [{"action": action, "value": 1.0 - place} for place, action in enumerate(actions)]
        return {"options": options, "fair": False, "unit": "coins", "exact": True}

    monkeypatch.setattr(desk, "ask", priced)
    best = bob.get(f"/h/{hand['hand']}?ask=0&answer={actions[0]}").json["verdict"]
    assert (best["grade"], best["cost"], best["best"]) == ("best", 0.0, actions[0])
    worse = bob.get(f"/h/{hand['hand']}?ask=0&answer={actions[1]}").json["verdict"]
    assert (worse["grade"], worse["cost"], worse["best"]) == ("blunder", 1.0, actions[0])
    page = bob.get(f"/h/{hand['hand']}?ask=0&answer={actions[1]}", **FORMS["page"]).text
    assert f"/h/{hand['hand']}?step=1" in page
    assert "Blunder" in page


def test_what_cannot_be_asked_or_answered_is_refused(alice: Player, bob: Player) -> None:
    hand = decided(alice, "poker")["hand"]
    assert bob.get(f"/h/{hand}?ask=x").json["error"] == "no-decision"
    assert bob.get(f"/h/{hand}?ask=0&answer=hit").status == 422
    assert bob.get(f"/h/{hand}?ask=0&answer=%00").status == 422
    dealt(alice)
    assert bob.get(f"/h/{alice.hand}?ask=0").status == 404, "it is not over"
    assert bob.get(f"/h/{alice.hand}/0.png").status == 404


def test_a_drill_leads_to_spots_and_the_same_word_is_the_same_spot(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = alice.get("/drill/blackjack")
    assert answer.status == 303
    path = answer.headers["location"]
    spot = alice.get(path).json
    assert spot == bob.get(path).json
    assert len(spot["actions"]) > 1
    options = [{"action": action, "value": 1.0} for action in spot["actions"]]
    found = {"options": options, "fair": False, "unit": "bets", "exact": True}
    monkeypatch.setattr(desk, "ask", lambda *_: found)
    page = alice.get(f"{path}&answer={spot['actions'][1]}", **FORMS["page"]).text
    assert "1 of 1 best" in page
    assert "Next spot" in page
    for wrong in ("/drill/whist", "/drill/table21", "/drill/poker?spot=%20"):
        assert alice.get(wrong).status == 404


def test_pictures_of_puzzles_are_not_those_of_the_hand(alice: Player, bob: Player) -> None:
    hand = decided(alice, "poker")["hand"]
    client = bob.line.client  # type: ignore[union-attr]
    asked, whole = client.get(f"/h/{hand}/0.png"), client.get(f"/h/{hand}.png")
    assert (asked.status_code, whole.status_code) == (200, 200)
    assert asked.data != whole.data
