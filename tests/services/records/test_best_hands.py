"""The hands that paid most, and the history of one game, on a player's own page."""

from random import Random

import pytest
from flask import Flask

from tests.e2e.stacked import stacked
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


def best_of(app: Flask, hand: str, game: str) -> list[str]:
    owner = row(app, "SELECT player_id FROM hand WHERE key = :key", key=hand)
    with app.app_context():
        return [best.key for best in best_hands(owner.player_id, game)]


def played(player: Player, cards: str, *moves: str, stakes: tuple[int, ...] = (10,), game: str = "blackjack") -> str:
    with stacked(cards):
        dealt(player, game=game, stakes=stakes)
    for move in moves:
        player.do(move)
    return player.hand


def test_the_best_hands_of_blackjack_are_blackjacks_and_wins_of_twice_the_bet(app: Flask, alice: Player) -> None:
    played(alice, "Th 6d 9s Kc 8d", "stand", stakes=(50,))  # the dealer is bust
    played(alice, "Th 9d 9s Kc", "stand", stakes=(90,))  # a push
    assert best_of(app, alice.hand, "blackjack") == []
    assert "Best hands" not in alice.get("/me", Accept="text/html").text
    natural = played(alice, "Ah 6d Ks Tc")
    doubled = played(alice, "6h 6d 5s Kc Td 9h", "double", stakes=(20,))
    assert best_of(app, alice.hand, "blackjack") == [doubled, natural]
    assert "Best hands" in alice.get("/me", Accept="text/html").text


def test_the_best_hands_of_video_poker_have_a_name_and_win(app: Flask, alice: Player) -> None:
    played(alice, "Jh Jd 3s 2c 9d 4h 5s Kc", "hold-1-2-3-4-5", stakes=(9,), game="video")  # the bet comes back
    flush = played(alice, "2h 4h 6h 8h Th 3c 5s Kc", "hold-1-2-3-4-5", stakes=(1,), game="video")
    assert best_of(app, flush, "video") == [flush]


def test_of_many_the_few_that_paid_most_are_shown(app: Flask, alice: Player, bob: Player) -> None:
    keys = [played(alice, "Ah 6d Ks Tc", stakes=(10 + number,)) for number in range(BEST + 2)]
    played(bob, "Ah 6d Ks Tc", stakes=(90,))
    assert best_of(app, keys[0], "blackjack") == keys[: -BEST - 1 : -1]


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
