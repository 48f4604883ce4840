"""Hands of draw poker with chosen cards."""

from webapp.engine.action import Action
from webapp.engine.cards import parse_cards
from webapp.engine.draw_poker.state import DrawState
from webapp.engine.draw_poker.view import DrawView
from webapp.engine.game import AnyGame, Setup, replay
from webapp.engine.games import poker

POKER = poker.GAME

# A round of the double-up: the open card, then the four to pick from. The pick that does it is named.
WIN_1 = "5h 9c 3d 4s 2c"
TIE_1 = "5h 5c 3d 4s 2c"
LOSE_1 = "5h 2c 3d 4s 9c"

NOTHING = "2c 4d 6h 8s Tc"
ONE_PAIR = "9c 9d 2h 4s 6c"
ROYAL = "Tc Jc Qc Kc Ac"
KEEP_ALL = "hold-1-2-3-4-5"


def deal(hand: str, *rounds: str, table: str = "quest", stakes: tuple[int, ...] = ()) -> Setup:
    """Return a setup. ``hand``: the five cards dealt, then the replacements. ``rounds``: the packs of the double-up."""
    return Setup(table, stakes, tuple(map(parse_cards, (hand, *rounds))))


def play(setup: Setup, *moves: str, game: AnyGame = POKER) -> DrawState:
    """Return the state after these moves, for example ``"hold-1-3"``."""
    state = replay(game, setup, map(Action.parse, moves))
    assert isinstance(state, DrawState)
    return state


def seen(setup: Setup, *moves: str, game: AnyGame = POKER) -> DrawView:
    """Return the player's view after these moves."""
    view = game.view(play(setup, *moves, game=game), Action.parse("hold").seat)
    assert isinstance(view, DrawView)
    return view
