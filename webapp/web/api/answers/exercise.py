"""Answers of the lab's exercise: its games, and exact values of their sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from webapp.engine.cards import Card
from webapp.engine.simulation.exercise_chances import Expected
from webapp.engine.simulation.exercise_play import Exercise, GamePlayed
from webapp.web.api.serialize import answer_from


@dataclass(frozen=True, kw_only=True, slots=True)
class GamePlayedAnswer:
    """One game of an exercise."""

    player: Annotated[tuple[Card, ...], "Cards of the player."]
    dealer: Annotated[tuple[Card, ...], "Cards of the dealer."]
    player_total: Annotated[int, "Total of the player."]
    dealer_total: Annotated[int, "Total of the dealer."]
    score: Annotated[int, "-2, 0, 2 or 3."]
    label: Annotated[str, "Its outcome."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedAnswer:
    """Exact distribution of the sum of an exercise."""

    mean: Annotated[float, "Mean of a game."]
    sum: Annotated[float, "Mean of the sum."]
    standard_deviation: Annotated[float, "Standard deviation of the sum."]
    at_most: Annotated[float, "Probability of a sum that is no higher."]
    at_least: Annotated[float, "Probability of a sum that is no lower."]

    @classmethod
    def of(cls, games: int, total: int, expected: Expected) -> "ExpectedAnswer":
        """Return what to expect of an exercise of so many games, and how often its sum is as far off as ``total``."""
        place = total + 2 * games
        return cls(
            mean=expected.mean,
            sum=games * expected.mean,
            standard_deviation=games**0.5 * expected.deviation,
            at_most=min(1.0, sum(expected.sums[: place + 1])),
            at_least=min(1.0, sum(expected.sums[place:])),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ExerciseAnswer:
    """The exercise: a number of games against a dealer, and the sum of their scores."""

    seed: Annotated[int, "Seed; equal seeds give equal games."]
    decks: Annotated[int, "Decks in a shoe."]
    stand: Annotated[int, "Total on which the player stands."]
    natural_beats_21: Annotated[bool, "A natural wins against 21 of three cards or more."]
    one_shoe: Annotated[bool, "Games are dealt from one shoe, until it has too few cards for another."]
    shoes: Annotated[int, "Number of shoes that the games were dealt from."]
    games: Annotated[tuple[GamePlayedAnswer, ...], "The games in order."]
    total: Annotated[int, "Sum of the scores."]
    mean: Annotated[float, "Mean score."]
    expected: Annotated[ExpectedAnswer, "Exact values."]

    @classmethod
    def of(cls, task: Exercise, games: Sequence[GamePlayed], expected: Expected) -> "ExerciseAnswer":
        """Return the answer that describes an exercise, with what is to be expected."""
        total = sum(game.score for game in games)
        return answer_from(
            cls,
            task,
            shoes=games[-1].shoe,
            games=tuple(answer_from(GamePlayedAnswer, game) for game in games),
            total=total,
            mean=total / task.games,
            expected=ExpectedAnswer.of(task.games, total, expected),
        )
