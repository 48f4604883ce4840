"""Exercises and simulations for programs, as JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from webapp.engine.cards import format_cards
from webapp.engine.simulation.exercise_chances import Expected
from webapp.engine.simulation.exercise_play import Exercise, GamePlayed
from webapp.engine.simulation.statistics import Statistics
from webapp.web.api.lab_answers import ExerciseAnswer, SimulationAnswer
from webapp.web.api.serialize import to_json


def exercise_json(exercise: Exercise, games: Sequence[GamePlayed], expected: Expected) -> dict[str, Any]:
    """Return an exercise and its games, with what is to be expected."""
    answer: dict[str, Any] = to_json(ExerciseAnswer.of(exercise, games, expected))
    return answer


def statistics_json(rounds_asked: int, statistics: Statistics, seconds: float) -> dict[str, Any]:
    """Return the statistics of a simulation as far as it went. Money is in bets."""
    answer: dict[str, Any] = to_json(SimulationAnswer.of_simulation(rounds_asked, statistics, seconds))
    return answer


def exercise_csv(games: Iterable[GamePlayed]) -> str:
    """Return the games of an exercise, one a line."""
    rows = ((number, *_row(game)) for number, game in enumerate(games, 1))
    return _csv(("game", "player", "player_total", "dealer", "dealer_total", "label", "score"), rows)


def _row(game: GamePlayed) -> tuple[object, ...]:
    player, dealer = format_cards(game.player), format_cards(game.dealer)
    return (player, game.player_total, dealer, game.dealer_total, game.label, game.score)


def distribution_csv(statistics: Statistics) -> str:
    """Return the distribution of each scenario, and of their difference."""
    names = ("first", "second", "difference")
    rows = (
        (name, net / result.bet, times, times / result.rounds)
        for name, result in zip(names, statistics.results, strict=False)
        for net, times in result.distribution.items()
    )
    return _csv(("side", "net_in_bets", "rounds", "share"), rows)


def _csv(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return out.getvalue()
