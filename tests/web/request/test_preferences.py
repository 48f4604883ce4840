"""Preferences of a player: declining insurance always, the count of a shoe; letter case of their words."""

from random import Random

import pytest
from flask import Flask

from tests.support.player import Player
from webapp.engine.cards import parse_cards
from webapp.engine.games import GAMES
from webapp.engine.twenty_one.counting import HI_LO

TABLE = "/play/blackjack"


def against_an_ace(player: Player) -> None:
    """Deal rounds until insurance is offered."""
    for _ in range(200):
        player.sit("blackjack", "vegas")
        player.deal("cut", (10, 10))
        if "decline" in player.actions:
            return
        while not player.over:
            player.act("stand")
    raise AssertionError


def test_never_ask_again_declines_for_every_box_and_is_kept(alice: Player) -> None:
    against_an_ace(alice)
    fields = [("verb", "decline"), ("insurance", "never")]
    alice.post(f"{TABLE}/{alice.hand}/{alice.step}", fields)
    assert "insurance=never" in alice.answer.headers["set-cookie"]
    assert alice.answer.json["step"] == 2
    assert [box["insurance"] for box in alice.answer.json["view"]["boxes"]] == [0, 0]


def test_who_never_wants_to_be_asked_is_not(alice: Player) -> None:
    alice.line.client.set_cookie("prefs", "insurance=never")
    for _ in range(40):
        alice.sit("blackjack")
        alice.deal("cut", (10,))
        assert "decline" not in alice.actions
        while not alice.over:
            alice.act("stand")


@pytest.mark.parametrize("verb", ["STAND", "Stand", "sTaNd"])
def test_hit_and_stand_may_be_written_in_any_letter_case(alice: Player, verb: str) -> None:
    alice.sit("blackjack", "classic")
    alice.deal("cut")
    alice.act(verb)
    assert alice.over


def test_anything_else_is_asked_again(alice: Player) -> None:
    alice.sit("blackjack", "classic")
    alice.deal("cut")
    before = alice.board["view"]
    alice.act("fold")
    assert (alice.status, alice.board["view"]) == (422, before)


def test_own_rules_lead_to_their_table_and_wrong_ones_nowhere(alice: Player) -> None:
    alice.get("/rules/blackjack/own?decks=2&surrender=late")
    assert alice.status == 303
    assert alice.answer.headers["location"].endswith("table=vegas,decks%3D2,surrender%3Dlate")
    assert alice.get("/rules/blackjack/own?decks=9").status == 422
    assert alice.get("/rules/nothing/own").status == 404
    assert alice.get(f"{TABLE}?table=vegas,decks=9").status == 422


def test_the_count_is_that_of_the_open_cards_of_the_shoe(app: Flask, alice: Player) -> None:
    from webapp.services.solo.card_counting import count_of
    from webapp.services.solo.reading import board_for_hand

    random, seen = Random(1), 0
    boxes: dict[str, object] = {}
    for _ in range(6):
        alice.sit("blackjack", "vegas")
        alice.deal("cut", (10,))
        while not alice.over:
            alice.do(random.choice([action for action in alice.actions if action != "insure"]))
        view = alice.board["view"]
        cards = [*view["dealer"], *(card for box in view["boxes"] for hand in box["hands"] for card in hand["cards"])]
        seen += sum(map(HI_LO.tag, parse_cards("".join(cards))))
        with app.test_request_context(), app.app_context():
            from webapp.extensions import db
            from webapp.models import Hand

            row = db.session.get(Hand, alice.hand)
            assert row is not None
            count = count_of(board_for_hand(row.player_id, "blackjack", alice.hand, boxes), HI_LO)
        assert count is not None and count.running == seen
    assert GAMES["blackjack"].cut_card("classic") is None


def test_at_a_table_without_bets_wins_losses_and_draws_are_counted(alice: Player) -> None:
    for _ in range(5):
        alice.sit("blackjack", "classic")
        alice.deal("cut")
        alice.act("stand")
    page = alice.get("/me", Accept="application/json").json
    (at,) = page["games"][0]["tables"]
    assert at["table"] == "classic"
    assert sum(at["win_loss"].values()) == 5
    assert page["hands"][0]["payout"] is None
