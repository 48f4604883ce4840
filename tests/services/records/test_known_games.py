"""The lobby shows what its visitor has played: the purse of each game, and how its last hand ended."""

import pytest
from flask import Flask

from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.table_players import betting, see_all
from webapp.services.records.known_games import known_games

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_a_game_is_known_with_its_purse_and_its_last_hand(alice: Player) -> None:
    assert alice.get("/").json["known"] == []
    keys = {}
    for game in ("poker", "blackjack", "poker"):
        dealt(alice, game=game)
        keys[game] = finished(alice)
    known = {game["game"]: game for game in alice.get("/").json["known"]}
    assert {game: each["last"]["hand"] for game, each in known.items()} == keys
    for game, each in known.items():
        assert each["purse"] == alice.get(f"/play/{game}").json["purse"]


def test_a_hand_in_play_leaves_the_last_one_the_last(alice: Player) -> None:
    dealt(alice, game="joker")
    key = finished(alice)
    dealt(alice, game="joker")
    assert [game["last"]["hand"] for game in alice.get("/").json["known"]] == [key]


def test_who_has_only_begun_knows_the_game_without_a_last_hand(alice: Player) -> None:
    alice.sit("poker")
    assert [(game["game"], game["last"]) for game in alice.get("/").json["known"]] == [("poker", None)]


def test_nobody_knows_nothing(app: Flask) -> None:
    with app.app_context():
        assert known_games(None) == {}


def test_the_lobby_counts_the_public_tables_at_which_somebody_is(app: Flask, alice: Player) -> None:
    assert alice.get("/").json["tables_open"] == 0
    see_all(betting(app, 2, public="1"))
    assert alice.get("/").json["tables_open"] == 1
    assert "1 table open" in alice.get("/", Accept="text/html").text
