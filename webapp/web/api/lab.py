"""Exercises and simulations for programs, as JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from webapp.engine.cards import format_cards
from webapp.engine.simulation.bankroll_paths import QUANTILES
from webapp.engine.simulation.exercise_chances import Expected
from webapp.engine.simulation.exercise_play import Exercise, GamePlayed
from webapp.engine.simulation.statistics import Statistics
from webapp.web.api.lab_answers import ExerciseAnswer, SimulationAnswer
from webapp.web.api.prospects_answers import BetsByCountAnswer
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


def counts_csv(found: BetsByCountAnswer) -> str:
    """Return the rounds by the count before their deal, one count a line."""
    names = ("count", "rounds", "mean", "standard_deviation")
    units = ("units", "other_units")[: len(found.ramps)]
    rows = ((*(getattr(row, name) for name in names), *row.units) for row in found.counts)
    return _csv((*names, *units), rows)


def ramps_csv(found: BetsByCountAnswer) -> str:
    """Return what each ramp earns and risks, one a line. Intervals have two columns."""
    nested = ("paths", "trips")
    rows = [{name: value for name, value in to_json(ramp).items() if name not in nested} for ramp in found.ramps]
    heading = [column for name, value in rows[0].items() for column in _columns(name, value)]
    return _csv(heading, ([cell for value in row.values() for cell in _cells(value)] for row in rows))


def _columns(name: str, value: object) -> Sequence[str]:
    return (f"{name}_low", f"{name}_high") if isinstance(value, list) else (name,)


def _cells(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else (value,)


def paths_csv(found: BetsByCountAnswer) -> str:
    """Return the bankrolls on the way through a trip, one place of one ramp a line: computed, then played."""
    shares = (f"at_most_{round(100 * share)}_percent" for share in QUANTILES)
    trips = (f"trip_{number}" for number in range(1, len(found.ramps[0].trips) + 1))
    rows = (
        (ramp.ramp, point.rounds, *point.quantiles, point.half_kelly, *(trip[place] for trip in ramp.trips))
        for ramp in found.ramps
        for place, point in enumerate(ramp.paths)
    )
    return _csv(("ramp", "rounds", *shares, "half_kelly", *trips), rows)


def _csv(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return out.getvalue()
