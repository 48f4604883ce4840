"""Who has nothing left in the purse is not asked for an insurance."""

from collections import Counter

import pytest
from flask import Flask

from tests.support.moves import finished_json
from tests.support.player import Player
from tests.support.rows import findings
from webapp.services.fairness.verification import checks

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.mark.parametrize("stakes", [(1000,), (400, 300, 300)])
def test_a_purse_that_is_all_in_is_not_asked_for_an_insurance(app: Flask, stakes: tuple[int, ...]) -> None:
    """Each box would be asked in turn, with one possible answer."""
    met: Counter[str] = Counter()
    for number in range(200):
        player = Player(app.test_client())
        player.sit("blackjack", "vegas")
        board = player.deal(f"cut-{number}", stakes)
        if board["view"]["dealer"][0][0] != "A":
            continue
        assert board["view"]["phase"] != "insurance" and "decline" not in board["actions"]
        met[board["status"]] += 1
        refused = player.post(f"/play/blackjack/{board['hand']}/{board['step']}", [("verb", "insure")])
        assert refused.status == 422 if board["status"] == "live" else refused.json["note"] == "moved-on"
        while player.board["status"] == "live":
            player.act("stand")
            assert player.status == 200, player.answer.text
        hand = finished_json(player, player.board["hand"])
        assert hand["moves"][: len(stakes)] == ["decline"] * len(stakes)
        assert checks(hand)[-1].ok
        if met.total() >= 6:
            break
    assert met.total() >= 4
    assert findings(app) == []


def test_a_purse_that_can_pay_is_asked(app: Flask) -> None:
    for number in range(200):
        player = Player(app.test_client())
        player.sit("blackjack", "vegas")
        board = player.deal(f"cut-{number}", (600,))
        if board["view"]["dealer"][0][0] == "A":
            assert board["actions"] == ["insure", "decline"]
            return
    raise AssertionError("two hundred hands without an ace")
