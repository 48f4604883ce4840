"""Playing from outside: what to do next, and how to get somewhere. Quest poker, unless another game is named.

Cards come by chance, so a hand is looked for: ``asked(player)`` plays until one pays and the double-up is offered.
"""

from random import Random
from typing import Final

import pytest

from tests.support.player import Json, Player

CUT = "my-cut"
TABLES: Final = {"poker": "quest", "joker": "arcade-1-double", "blackjack": "vegas"}
ELSEWHERE: Final = {"poker": "quest-ties-win", "joker": "arcade-1", "blackjack": "downtown"}
STAKES: Final = {"poker": (), "joker": (5,), "blackjack": (10, 25)}

every_game = pytest.mark.parametrize("game", TABLES)


def sealed(player: Player, game: str = "poker", table: str | None = None) -> Json:
    """A ready hand: the commitment is on the table, the cards are not."""
    return player.sit(game, table or TABLES[game])


def sealed_anew(player: Player, game: str = "poker") -> Json:
    """A ready hand at a table where none was prepared: its seed is in the cookie, and nowhere else."""
    return player.sit(game, ELSEWHERE[game])


def stakes_of(player: Player) -> tuple[int, ...]:
    """What is usually put on the table, or the least, when the purse has no more."""
    stakes = STAKES[player.game]
    return stakes if sum(stakes) <= player.board["purse"] else stakes[:1] if player.game == "blackjack" else (1,)


def dealt(
    player: Player, cut: str = CUT, game: str = "poker", table: str | None = None, stakes: tuple[int, ...] | None = None
) -> Json:
    """Cards on the table, nothing played."""
    sealed(player, game, table)
    return player.deal(cut, stakes_of(player) if stakes is None else stakes)


def dealt_and_live(player: Player, game: str, cut: str = CUT) -> Json:
    """The same; hands that are over with the deal do not count."""
    board = dealt(player, cut, game)
    while player.over:
        board = dealt(player, cut, game)
    return board


def on_the_table(board: Json) -> int:
    """All bets that lie there, insurances included, as everybody can see them."""
    boxes = board["view"].get("boxes")
    if boxes is None:
        return sum(board["stakes"])
    return sum(hand["bet"] for box in boxes for hand in box["hands"]) + sum(box["insurance"] or 0 for box in boxes)


def hold(board: Json) -> str:
    """Keep what makes pairs."""
    ranks = [card[0] for card in board["view"]["hand"]]
    return "-".join(["hold", *(str(n) for n, rank in enumerate(ranks, 1) if ranks.count(rank) > 1)])


def asked(player: Player) -> Json:
    """Collect or double: nothing of the double-up is dealt yet."""
    for _ in range(100):
        assert dealt(player)["note"] is None, "no hand is left open"
        player.do(hold(player.board))
        if "double" in player.actions:
            return player.board
    raise AssertionError("a hundred hands, and none that pays")


def picking(player: Player) -> Json:
    """One card of the double-up lies open, four are hidden."""
    asked(player)
    player.act("double")
    return player.board


def next_move(board: Json, random: Random, greed: float = 0.7) -> str:
    """What a player of some greed does now."""
    match board["view"]["phase"]:
        case "exchange":
            return hold(board) if random.random() < 0.8 else random.choice(board["actions"])
        case "ask":
            return "double" if random.random() < greed else "collect"
        case _:
            return str(random.choice(board["actions"]))


def finished(player: Player, random: Random | None = None) -> str:
    """Play the hand on the table to its end. Its key."""
    random = random or Random(1)
    while not player.over:
        player.do(next_move(player.board, random))
        assert player.status == 200
    return player.hand


def finished_json(player: Player, key: str) -> Json:
    """A finished hand's JSON."""
    answer = player.get(f"/h/{key}.json")
    assert answer.status == 200, answer.text
    found: Json = answer.json
    return found


def abandoned_shoe(alice: Player) -> list[Json]:
    """Three hands of a shoe that is left for another table's, so that it is opened."""
    keys = []
    for _ in range(3):
        dealt(alice, "alices-cut", "blackjack")
        keys.append(finished(alice, Random(1)))
    sealed(alice, "blackjack", "downtown")
    return [finished_json(alice, key) for key in keys]
