"""The exact expectation of the exercise, from the probabilities of the scores of one game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final

from webapp.engine.simulation.exercise.chances import CHANCES
from webapp.engine.simulation.exercise.play import Exercise

POINTS: Final = (-2, 0, 2, 3)
"""Scores of one game, in the order of their probabilities."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The exact expectation of an exercise, each game from a fresh shoe.

    ``mean`` and ``deviation`` are those of one game. ``sums`` are the probabilities of all sums of the games: the first
    is that of -2 for every game, the next of a point more.
    """

    mean: float
    deviation: float
    sums: tuple[float, ...]


def expected(exercise: Exercise) -> Expected:
    """Return what is to be expected of an exercise."""
    chances = CHANCES[exercise.decks, exercise.stand, exercise.natural_beats_21]
    mean = sum(score * chance for score, chance in zip(POINTS, chances, strict=True))
    square = sum(score * score * chance for score, chance in zip(POINTS, chances, strict=True))
    return Expected(mean, sqrt(square - mean * mean), _sums(chances, exercise.games))


@lru_cache(maxsize=64)
def _sums(chances: tuple[float, ...], games: int) -> tuple[float, ...]:
    one = [0.0] * (POINTS[-1] - POINTS[0] + 1)
    for score, chance in zip(POINTS, chances, strict=True):
        one[score - POINTS[0]] = chance
    sums = [1.0]
    for _ in range(games):
        sums = _convolved(sums, one)
    return tuple(sums)


def _convolved(some: Sequence[float], others: Sequence[float]) -> list[float]:
    found = [0.0] * (len(some) + len(others) - 1)
    for place, chance in enumerate(some):
        for offset, other in enumerate(others):
            found[place + offset] += chance * other
    return found
