"""Requests for a move of a hand in play: whether it is the next move, and the columns of the row after it.

Hands with chips and practice hands have the same columns.
"""

from collections.abc import Mapping
from typing import Any

from webapp.engine.action import Action
from webapp.engine.errors import IllegalAction
from webapp.engine.game import AnyGame
from webapp.models import Hand, PracticeHand
from webapp.services.core.errors import Refusal
from webapp.services.records.stored_hand import join_numbers, parse_numbers

Chosen = Mapping[str, str]
"""Preferences of games, by name, of a player who looks at a page. Nothing is marked for a program."""


def is_next(hand: Hand | PracticeHand, step: int, live: bool) -> bool:
    """Return True if this step is the next one; False if it has been taken, or if the hand is not ``live``.

    Raises:
        Refusal: ``step-ahead``: an earlier step has not been taken yet.
    """
    if live and step > hand.step:
        raise Refusal("step-ahead", f"{step}, the hand is at {hand.step}")
    return live and step == hand.step


def late_note(hand: Hand | PracticeHand, step: int, action: Action) -> str:
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


def moves_with(hand: Hand | PracticeHand, *actions: Action) -> str:
    """Return the column of moves with these after them."""
    return " ".join((*hand.moves.split(), *map(str, actions)))


def marks_with(hand: Hand | PracticeHand, game: AnyGame, state: Any, position: int, held: bool | None) -> str:
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


def paying(game: AnyGame, state: Any, chosen: Chosen | None, number: int) -> tuple[int, ...]:
    """Return the positions that are marked for a player with these preferences, because their cards pay.

    ``number``: how many hands of the game the player has begun.
    """
    marking = None if chosen is None else game.marks(state)
    if chosen is None or marking is None or not game.spec.marks_what_pays(chosen, number):
        return ()
    return marking.paying
