"""Figures of the lab for programs: JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from webapp.engine.cards import format_cards
from webapp.engine.simulation.exercise import Exercise, GamePlayed
from webapp.engine.simulation.statistics import Statistics
from webapp.web.api.answers.lab import ExerciseAnswer, SimulationAnswer
from webapp.web.api.serialize import to_json


def exercise_json(task: Exercise, games: Sequence[GamePlayed], exactly: bool) -> dict[str, Any]:
    """Return an exercise as JSON; ``exactly``: with what is to be expected, which needs NumPy."""
    answer: dict[str, Any] = to_json(ExerciseAnswer.of(task, games, exactly))
    return answer


def count_json(asked: int, count: Statistics, seconds: float) -> dict[str, Any]:
    """Return what was counted as JSON: ``asked`` rounds were wanted. Money is in units of the bet."""
    answer: dict[str, Any] = to_json(SimulationAnswer.of_simulation(asked, count, seconds))
    return answer


def exercise_csv(games: Iterable[GamePlayed]) -> str:
    """Return the games of an exercise as CSV, one a line."""
    rows = ((number, *_row(game)) for number, game in enumerate(games, 1))
    return _csv(("game", "player", "player_total", "dealer", "dealer_total", "label", "score"), rows)


def _row(game: GamePlayed) -> tuple[object, ...]:
    player, dealer = format_cards(game.player), format_cards(game.dealer)
    return (player, game.player_total, dealer, game.dealer_total, game.label, game.score)


def run_csv(count: Statistics) -> str:
    """Return the distribution as CSV: of each scenario, and of their difference."""
    names = ("first", "second", "difference")
    rows = (
        (name, net / statistics.bet, times, times / statistics.rounds)
        for name, statistics in zip(names, count.tallies, strict=False)
        for net, times in statistics.distribution.items()
    )
    return _csv(("side", "net_in_bets", "rounds", "share"), rows)


def _csv(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return out.getvalue()
