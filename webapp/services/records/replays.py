"""Replays of what is stored. The same hand is replayed once by each app, however often it is looked at."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import current_app

from webapp.engine.action import Action
from webapp.engine.game import AnyGame, Result, Setup, states
from webapp.engine.notation import Record, record
from webapp.services.core.cache import Cache


@dataclass(frozen=True)
class Replay:
    """A setup, its moves, and the states they lead to: after the deal, and after each move."""

    game: AnyGame
    setup: Setup
    moves: tuple[Action, ...]
    states: tuple[Any, ...]

    @property
    def last(self) -> Any:
        """The state that the last move has led to."""
        return self.states[-1]

    @property
    def result(self) -> Result | None:
        """The result; None if the hand was not played out."""
        return self.game.result(self.last)

    @cached_property
    def record(self) -> Record:
        """The hand as it is written down, with the cards that were dealt."""
        return record(self.game, self.setup, self.moves)


class Replays(Cache[tuple[str, Setup, tuple[Action, ...]], Replay]):
    """Replays by game, setup and moves; one takes some kilobytes.

    A setup compares by seed, cuts and stakes, so it says which cards.
    """


def replayed(game: AnyGame, setup: Setup, moves: tuple[Action, ...]) -> Replay:
    """Return the replay of a hand or round.

    Raises:
        EngineError: The moves are not possible with these cards.
    """
    replays: Replays = current_app.extensions["replays"]
    return replays.get(
        (game.spec.code, setup, moves), lambda: Replay(game, setup, moves, tuple(states(game, setup, moves)))
    )
