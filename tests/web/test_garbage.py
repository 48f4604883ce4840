"""Answers leave nothing behind that only the garbage collector frees: that would cost each action time."""

import gc

from flask import Flask

from tests.support.moves import dealt_and_live, every_game, finished
from tests.support.player import InProcess, Player
from tests.support.table_players import betting

MOST = 30
"""Objects. The router leaves about a dozen; a template that defines macros for itself leaves at least forty."""


def left_by(player: Player, path: str) -> int:
    """Return the number of objects that the answer to a request of htmx leaves to the garbage collector.

    That of the best of several requests: other threads of the process leave some, too.
    """
    headers = {"HX-Request": "true", "Accept": "text/html"}
    assert isinstance(player.line, InProcess)
    ask = player.line.ask
    assert ask("GET", path, [], headers).status == 200  # fills the caches
    left = []
    gc.freeze()  # what other tests have left behind is not gone through
    gc.disable()
    try:
        for _ in range(5):
            gc.collect()
            assert ask("GET", path, [], headers).status == 200
            left.append(gc.collect())
    finally:
        gc.enable()
        gc.unfreeze()
    return min(left)


@every_game
def test_a_hand_leaves_no_garbage_in_play_or_when_it_is_over(app: Flask, game: str) -> None:
    player = Player(app.test_client())
    dealt_and_live(player, game)
    assert left_by(player, f"/play/{game}") < MOST
    assert left_by(player, f"/play/{game}?hand={finished(player)}") < MOST


def test_a_shared_table_leaves_no_garbage(app: Flask) -> None:
    _, visitor = betting(app)
    assert left_by(visitor, f"/t/{visitor.code}") < MOST
