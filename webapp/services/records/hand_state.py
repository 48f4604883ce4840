"""The state of a hand after its moves, cached: the next action begins with it. bench: server."""

from typing import Any

from flask import current_app

from webapp.engine.game import replay
from webapp.engine.games import GAMES
from webapp.models import Hand
from webapp.services.core.cache import Cache
from webapp.services.fairness.sealing import seed_owner
from webapp.services.records.stored_hand import make_setup, parse_moves, parse_numbers


class HandStates(Cache[tuple[object, ...], Any]):
    """States by everything that they follow from, so that none is ever out of date."""


def replayed(code: str, variant: str, stakes: str, seed: bytes, owner: str, cut: str, offset: int, moves: str) -> Any:
    """Return the state of a hand from the columns of its row. ``owner`` is the key of the hand, or of its shoe.

    Raises:
        EngineError: The hand cannot be dealt like that, or a move is not legal.
    """

    def replay_moves() -> Any:
        game = GAMES[code]
        setup = make_setup(game, variant, parse_numbers(stakes), seed, owner, cut, offset)
        return replay(game, setup, parse_moves(moves))

    return _states().get((code, variant, stakes, seed, owner, cut, offset, moves), replay_moves)


def hand_state(hand: Hand, seed: bytes) -> Any:
    """Return the state of a hand that is dealt. Errors as of ``replayed``."""
    return replayed(*_causes(hand, seed))


def remember_state(hand: Hand, seed: bytes, state: Any) -> None:
    """Store the state that the moves of a hand have led to."""
    _states().put(_causes(hand, seed), state)


def _causes(hand: Hand, seed: bytes) -> tuple[str, str, str, bytes, str, str, int, str]:
    if hand.cut is None:
        raise ValueError(f"hand {hand.key} has no cut")
    owner = seed_owner(hand).key
    return hand.game, hand.variant, hand.stakes, seed, owner, hand.cut, hand.offset, hand.moves


def _states() -> HandStates:
    states: HandStates = current_app.extensions["hand_states"]
    return states
