"""Requests for a move of a hand in play: whether it is the next move, and the columns of the row after it."""

from collections.abc import Mapping
from typing import Any

from webapp.engine.action import Action
from webapp.engine.errors import IllegalAction
from webapp.engine.game import AnyGame
from webapp.models import DAILY, Hand
from webapp.services.core.clock import closes_at, now_ms
from webapp.services.core.errors import Refusal
from webapp.services.records.stored_hand import join_numbers, parse_numbers

Chosen = Mapping[str, str]
"""Preferences of games, by name, of a player who looks at a page. Nothing is marked for a program."""


def is_late(hand: Hand) -> bool:
    """Return True for a round of a daily deal whose day can no longer be played."""
    return hand.kind == DAILY and hand.daily_deal is not None and now_ms() >= closes_at(hand.daily_deal.day)


def is_next(hand: Hand, step: int) -> bool:
    """Return True if this step is the next one; False if it has been taken, or if the hand can be played no longer.

    Raises:
        Refusal: ``not-dealt``. ``step-ahead``: an earlier step has not been taken yet.
    """
    if hand.status == "ready":
        raise Refusal("not-dealt", hand.key)
    live = hand.status == "live" and not is_late(hand)
    if live and step > hand.step:
        raise Refusal("step-ahead", f"{step}, the hand is at {hand.step}")
    return live and step == hand.step


def late_note(hand: Hand, step: int, action: Action) -> str:
    """Return the note for a late request: ``repeated`` if the same move was made at this step, else ``moved-on``."""
    return "repeated" if step < hand.step and hand.moves.split()[step] == str(action) else "moved-on"


def apply(game: AnyGame, state: Any, action: Action) -> Any:
    """Return the state after an action.

    Raises:
        Refusal: ``illegal-<verb>``: it is not legal now.
    """
    try:
        return game.apply(state, action)
    except IllegalAction as error:
        raise Refusal(f"illegal-{action.verb}", str(error)) from error


def moves_with(hand: Hand, *actions: Action) -> str:
    """Return the column of moves with these after them."""
    return " ".join((*hand.moves.split(), *map(str, actions)))


def marks_with(hand: Hand, game: AnyGame, state: Any, position: int, held: bool | None) -> str:
    """Return the column of marks with that of a position toggled, or set to ``held``.

    Raises:
        Refusal: ``illegal-mark``: nothing can be marked now, or not there.
    """
    marking = game.marks(state)
    if marking is None or not 1 <= position <= marking.positions:
        raise Refusal("illegal-mark", str(position))
    marks = set(parse_numbers(hand.marks))
    wanted = position not in marks if held is None else held
    return join_numbers(sorted(marks | {position} if wanted else marks - {position}))
