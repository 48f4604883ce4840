"""Exercises and simulations for programs, as JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from webapp.engine.cards import format_cards
from webapp.engine.simulation.bet_ramp import BetRamp, Prospects
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


def prospects_json(statistics: Statistics, bet: int, ramp: BetRamp, bankroll: int, trip: int) -> dict[str, Any]:
    """Return what a ramp earns and risks, in units.

    ``mean``, its interval, ``standard_deviation`` and ``half_kelly_growth`` are those of a hundred rounds. Figures that
    only a player who wins has are None for others.
    """
    prospects = Prospects.of(statistics.by_count, bet, ramp)
    low, high = prospects.interval95
    wins = prospects.mean > 0
    return {
        "ramp": str(ramp),
        "mean": 100 * prospects.mean,
        "interval95": [100 * low, 100 * high],
        "standard_deviation": 10 * prospects.deviation,
        "bet": prospects.bet,
        "played": prospects.played,
        "score": prospects.score,
        "score_interval95": [prospects.score_at(low), prospects.score_at(high)],
        "n0": prospects.n0 if wins else None,
        "ruin": prospects.ruin(bankroll),
        "ruin_interval95": [prospects.ruin(bankroll, high), prospects.ruin(bankroll, low)],
        "trip_ruin": prospects.trip_ruin(bankroll, trip),
        "bankroll_for_1_percent": prospects.bankroll_for(0.01) if wins else None,
        "half_kelly_growth": 100 * prospects.half_kelly_growth,
    }


def counts_json(statistics: Statistics, bet: int, ramps: Sequence[BetRamp]) -> list[dict[str, Any]]:
    """Return the rounds by the count before their deal, in bets, with the units that each ramp bets there."""
    return [
        {
            "count": count,
            "rounds": moments.rounds,
            "share": moments.rounds / statistics.rounds,
            "mean": moments.mean / bet,
            "standard_deviation": moments.standard_deviation / bet,
            "give_or_take": moments.half_width95 / bet,
            "units": [ramp.units(count) for ramp in ramps],
        }
        for count, moments in statistics.by_count.items()
    ]


def counts_csv(counts: Sequence[dict[str, Any]]) -> str:
    """Return the rows of ``counts_json``, one a line."""
    names = ("count", "rounds", "mean", "standard_deviation")
    units = ("units", "other_units")[: len(counts[0]["units"])]
    return _csv((*names, *units), ((*(row[name] for name in names), *row["units"]) for row in counts))


def _csv(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return out.getvalue()
