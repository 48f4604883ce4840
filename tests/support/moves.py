"""Helpers that play solo games over JSON and stop in a wanted situation.

The game is quest poker unless another is named.

Cards are random, so helpers such as ``asked`` play hands until the situation comes up.
"""

from random import Random
from typing import Final

import pytest
from flask import Flask

from tests.support.player import Json, Player
from tests.support.rows import tamper

CUT = "my-cut"
TABLES: Final = {"poker": "quest", "joker": "arcade-1-double", "video": "jacks-9-6", "blackjack": "vegas"}
ELSEWHERE: Final = {"poker": "quest-ties-win", "joker": "arcade-1", "video": "jacks-8-5", "blackjack": "downtown"}
STAKES: Final = {"poker": (), "joker": (5,), "video": (5,), "blackjack": (10, 25)}

every_game = pytest.mark.parametrize("game", TABLES)


def sealed(player: Player, game: str = "poker", table: str | None = None) -> Json:
    """Sit down; return the board of a ready hand, with its commitment and without cards."""
    return player.sit(game, table or TABLES[game])


def sealed_anew(player: Player, game: str = "poker") -> Json:
    """Sit down at a table for which no hand was prepared."""
    return player.sit(game, ELSEWHERE[game])


def sealed_by_an_older_version(app: Flask, player: Player, game: str = "poker") -> Json:
    """The same as versions did whose rows had no copy of the sealed seed before the deal: only the cookie has it.

    Not for games with shoes.
    """
    board = sealed_anew(player, game)
    tamper(app, "UPDATE hand SET sealed_seed = NULL WHERE key = :key", key=player.hand)
    return board


def stakes_of(player: Player) -> tuple[int, ...]:
    """Return the usual stakes, or the lowest ones if the purse has no more."""
    stakes = STAKES[player.game]
    return stakes if sum(stakes) <= player.board["purse"] else stakes[:1] if player.game == "blackjack" else (1,)


def dealt(
    player: Player, cut: str = CUT, game: str = "poker", table: str | None = None, stakes: tuple[int, ...] | None = None
) -> Json:
    """Deal a hand; return its board."""
    sealed(player, game, table)
    return player.deal(cut, stakes_of(player) if stakes is None else stakes)


def dealt_and_live(player: Player, game: str, cut: str = CUT) -> Json:
    """Deal hands until one is not over with the deal; return its board."""
    board = dealt(player, cut, game)
    while player.over:
        board = dealt(player, cut, game)
    return board


def on_the_table(board: Json) -> int:
    """Return the sum of all bets in the board, insurances included."""
    boxes = board["view"].get("boxes")
    if boxes is None:
        return sum(board["stakes"])
    return sum(hand["bet"] for box in boxes for hand in box["hands"]) + sum(box["insurance"] or 0 for box in boxes)


def hold(board: Json) -> str:
    """Return the action that holds pairs, three and four of a kind."""
    ranks = [card[0] for card in board["view"]["hand"]]
    return "-".join(["hold", *(str(n) for n, rank in enumerate(ranks, 1) if ranks.count(rank) > 1)])


def asked(player: Player) -> Json:
    """Play hands until the double-up is offered; return the board."""
    for _ in range(100):
        assert dealt(player)["note"] is None, "no hand is left open"
        player.do(hold(player.board))
        if "double" in player.actions:
            return player.board
    raise AssertionError("a hundred hands, and none that pays")


def picking(player: Player) -> Json:
    """Play hands until a round of the double-up is dealt; return the board."""
    asked(player)
    player.act("double")
    return player.board


def next_move(board: Json, random: Random, greed: float = 0.7) -> str:
    """Return a sensible random action. ``greed`` is the probability of doubling up."""
    match board["view"]["phase"]:
        case "exchange":
            return hold(board) if random.random() < 0.8 else random.choice(board["actions"])
        case "ask":
            return "double" if random.random() < greed else "collect"
        case _:
            return str(random.choice(board["actions"]))


def finished(player: Player, random: Random | None = None) -> str:
    """Play the open hand to its end; return its key."""
    random = random or Random(1)
    while not player.over:
        player.do(next_move(player.board, random))
        assert player.status == 200
    return player.hand


def finished_json(player: Player, key: str) -> Json:
    """Return the JSON of a finished hand."""
    answer = player.get(f"/h/{key}.json")
    assert answer.status == 200, answer.text
    found: Json = answer.json
    return found


def abandoned_shoe(alice: Player) -> list[Json]:
    """Play three hands of a shoe, then change the table, which reveals the shoe; return the JSON of the hands."""
    keys = []
    for _ in range(3):
        dealt(alice, "alices-cut", "blackjack")
        keys.append(finished(alice, Random(1)))
    sealed(alice, "blackjack", "downtown")
    return [finished_json(alice, key) for key in keys]
