"""The hands that paid most, and the history of one game, on a player's own page."""

from random import Random

import pytest
from flask import Flask

from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.rows import row
from webapp.services.records.history import BEST, best_hands

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def play(player: Player, game: str, hands: int) -> list[str]:
    keys = []
    for number in range(hands):
        dealt(player, game=game)
        keys.append(finished(player, Random(number)))
    return keys


def test_the_best_hands_are_those_that_paid_most(app: Flask, alice: Player, bob: Player) -> None:
    keys = play(alice, "blackjack", 12)
    play(bob, "blackjack", 3)
    paid = {hand["hand"]: hand["payout"] for hand in alice.get("/me").json["hands"]}
    assert paid.keys() == set(keys)
    owner = row(app, "SELECT player_id FROM hand WHERE key = :key", key=keys[0])
    with app.app_context():
        best = best_hands(owner.player_id, "blackjack")
    assert [paid[hand.key] for hand in best] == sorted(filter(None, paid.values()), reverse=True)[:BEST]


def test_nobody_has_no_best_hands(app: Flask) -> None:
    with app.app_context():
        assert best_hands(None, "poker") == ()


def test_the_history_of_one_game_has_its_hands_only(alice: Player) -> None:
    keys = {game: play(alice, game, 2) for game in ("poker", "blackjack", "joker")}
    for game, played in keys.items():
        assert [hand["hand"] for hand in alice.get(f"/me?game={game}").json["hands"]] == played[::-1]
    assert len(alice.get("/me").json["hands"]) == 6
    assert alice.get("/me?game=table21").json["hands"] == []


def test_the_next_page_of_one_game_is_of_that_game(alice: Player) -> None:
    play(alice, "blackjack", 21)
    play(alice, "poker", 1)
    first = alice.get("/me?game=blackjack").json
    second = alice.get(f"/me?game=blackjack&before={first['before']}").json
    assert (len(first["hands"]), len(second["hands"])) == (20, 1)
    assert (
        f"before={first['before']}&amp;game=blackjack" in alice.get("/me/hands?game=blackjack", Accept="text/html").text
    )


def test_there_is_no_history_of_a_game_that_does_not_exist(alice: Player) -> None:
    play(alice, "poker", 1)
    alice.get("/me?game=whist")
    assert (alice.status, alice.answer.json["error"]) == (404, "unknown-game")
