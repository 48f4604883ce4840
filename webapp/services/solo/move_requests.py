"""A request for one move of a hand in play: whether it comes now, and what the row of the hand holds after it.

Hands with chips and practice hands have the same columns for it.
"""

from typing import Any

from webapp.engine.action import Action
from webapp.engine.errors import IllegalAction
from webapp.engine.game import AnyGame
from webapp.models import Hand, PracticeHand
from webapp.services.core.errors import Refusal
from webapp.services.records.stored_hand import join_numbers, parse_numbers


def is_next(hand: Hand | PracticeHand, step: int, live: bool) -> bool:
    """Return True if a request for this step comes now; False if it is late, or the hand is not ``live``.

    Raises:
        Refusal: ``step-ahead``: it cannot be yet.
    """
    if live and step > hand.step:
        raise Refusal("step-ahead", f"{step}, the hand is at {hand.step}")
    return live and step == hand.step


def late_note(hand: Hand | PracticeHand, step: int, action: Action) -> str:
    """Return what a late request for an action is told: it is a copy of that move, or another move was made."""
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


def moves_with(hand: Hand | PracticeHand, action: Action) -> str:
    """Return the moves of a hand with one more, as they are stored."""
    return " ".join((*hand.moves.split(), str(action)))


def marks_with(hand: Hand | PracticeHand, game: AnyGame, state: Any, position: int, held: bool | None) -> str:
    """Return the marks of a hand with that of a position turned over, or set to ``held``, as they are stored.

    Raises:
        Refusal: ``illegal-mark``: nothing can be marked now, or not there.
    """
    marking = game.marks(state)
    if marking is None or not 1 <= position <= marking.positions:
        raise Refusal("illegal-mark", str(position))
    marks = set(parse_numbers(hand.marks))
    wanted = position not in marks if held is None else held
    return join_numbers(sorted(marks | {position} if wanted else marks - {position}))
