"""The same request twenty-five times at the same moment: each step is played once, and all get the same response."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask

from tests.support.concurrency import at_once, require_played_once, tabs_of
from tests.support.moves import TABLES, dealt, every_game, finished_json, next_move, on_the_table, sealed, stakes_of
from tests.support.player import Json, Player
from tests.support.rows import findings, row
from tests.support.server import Server

CROWD = 25


def play_in_a_crowd(alice: Player, hands: int, game: str = "poker", crowd: int = CROWD) -> None:
    """Play hands with every request sent by the whole crowd."""
    random = Random(1)
    for number in range(1, hands + 1):
        board = sealed(alice, game)
        assert board["seq"] == number
        purse, stakes = board["purse"], stakes_of(alice)
        tabs = tabs_of(alice, crowd)

        def deal(tab: Player, stakes: tuple[int, ...] = stakes) -> Json:
            return tab.deal("the-same", stakes)

        board = require_played_once(at_once(tabs, deal), crowd)
        moves = []
        while board["result"] is None:
            move = next_move(board, random)

            def act(tab: Player, move: str = move, step: int = len(moves)) -> Json:
                verb, *args = move.split("-")
                return tab.act(verb, *map(int, args), step=step)

            board = require_played_once(at_once(tabs, act), crowd)
            moves.append(move)
            assert board["step"] == len(moves)
        assert board["purse"] == purse - on_the_table(board) + sum(board["result"]["payouts"])
        assert finished_json(alice, board["hand"])["moves"] == moves


@pytest.mark.parametrize("share", [1, pytest.param(10, marks=pytest.mark.soak)], ids=["four hands", "forty hands"])
def test_hands_sent_twenty_five_times_to_the_real_server_are_played_once(server: Server, share: int) -> None:
    alice = Player(server.url)
    for game, hands in (("poker", 1), ("joker", 1), ("blackjack", 2)):
        play_in_a_crowd(alice, share * hands, game)


@pytest.mark.parametrize("database_url", [pytest.param("postgresql", marks=pytest.mark.pg)], indirect=True)
def test_the_real_server_on_postgresql_plays_each_step_once_too(
    serving: Callable[..., Server], database_url: str, app: Flask
) -> None:
    alice = Player(serving(TEFUDA_DATABASE_URL=database_url).url)
    for game in ("poker", "joker", "blackjack"):
        play_in_a_crowd(alice, 1, game)
    assert findings(app) == []


@every_game
def test_in_one_process_each_step_is_played_once_and_each_chip_charged_once(
    app: Flask, alice: Player, game: str
) -> None:
    play_in_a_crowd(alice, 2, game, crowd=10)
    assert findings(app) == []
    assert row(app, "SELECT count(*), max(seq) FROM hand WHERE seq > 0") == (2, 2)


@pytest.mark.parametrize("crowd", [2, 25])
def test_of_different_moves_at_one_step_exactly_one_is_played(app: Flask, alice: Player, crowd: int) -> None:
    random = Random(1)
    for _ in range(3):
        dealt(alice)
        held = random.sample(alice.actions, crowd)

        def act(tab: Player) -> Json:
            return tab.do(held[tabs.index(tab)])  # noqa: B023

        tabs = tabs_of(alice, crowd)
        heard = at_once(tabs, act)
        assert [status for status, _ in heard] == [200] * crowd
        (first,) = [said for _, said in heard if said["note"] is None]
        assert {said["note"] for _, said in heard} == {None, "moved-on"}
        for _, said in heard:
            assert said | {"note": None} == first
        (moves,) = row(app, "SELECT moves FROM hand WHERE key = :key", key=alice.hand)
        assert moves in held
        while not alice.over:
            alice.look() if alice.step == 0 else alice.act("collect")
            if alice.board["hand"] is None:
                break
    assert findings(app) == []


@every_game
def test_different_cuts_at_once_deal_one_hand(app: Flask, alice: Player, game: str) -> None:
    sealed(alice, game)
    tabs, stakes = tabs_of(alice, CROWD), stakes_of(alice)

    def deal(tab: Player) -> Json:
        return tab.deal(f"cut-{tabs.index(tab)}", stakes)

    heard = at_once(tabs, deal)
    assert [status for status, _ in heard] == [200] * CROWD
    (first,) = [said for _, said in heard if said["note"] is None]
    assert all(said["view"] == first["view"] and said["cut"] == first["cut"] for _, said in heard)
    assert findings(app) == []


def test_many_players_at_once_do_not_disturb_each_other(app: Flask) -> None:
    players = [Player(app.test_client()) for _ in range(12)]

    def evening(player: Player) -> Json:
        number = players.index(player)
        random, game = Random(number), list(TABLES)[number % len(TABLES)]
        for _ in range(3):
            dealt(player, game=game)
            while not player.over:
                player.do(next_move(player.board, random))
                assert (player.status, player.board["note"]) == (200, None)
        return player.board

    heard = at_once(players, evening)
    assert [(status, said["seq"]) for status, said in heard] == [(200, 3)] * 12
    assert findings(app) == []
