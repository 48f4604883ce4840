"""Exercises and simulations for programs, as JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from webapp.engine.cards import format_cards
from webapp.engine.simulation.exercise import Exercise, GamePlayed
from webapp.engine.simulation.statistics import Moments, RoundStatistics, Statistics


def exercise_json(exercise: Exercise, games: Sequence[GamePlayed], with_odds: bool) -> dict[str, Any]:
    """Return an exercise and its games; ``with_odds`` adds what is to be expected, for which NumPy is needed."""
    total = sum(game.score for game in games)
    payload: dict[str, Any] = {
        "seed": exercise.seed,
        "decks": exercise.decks,
        "stand": exercise.stand,
        "natural_beats_21": exercise.natural_beats_21,
        "one_shoe": exercise.one_shoe,
        "games": [
            {
                "player": [str(card) for card in game.player],
                "dealer": [str(card) for card in game.dealer],
                "player_total": game.player_total,
                "dealer_total": game.dealer_total,
                "score": game.score,
                "label": game.label,
            }
            for game in games
        ],
        "total": total,
        "mean": total / exercise.games,
    }
    if with_odds:
        payload["expected"] = expected(exercise, total)
    return payload


def expected(exercise: Exercise, total: int) -> dict[str, Any]:
    """Return the mean and the spread of the sum, and how often such a sum is no higher and no lower than ``total``."""
    from webapp.engine.simulation import exercise_odds

    mean, deviation = exercise_odds.mean_and_deviation(exercise)
    odds = exercise_odds.sum_odds(exercise.decks, exercise.stand, exercise.natural_beats_21, exercise.games)
    place = total + 2 * exercise.games
    return {
        "mean": mean,
        "sum": exercise.games * mean,
        "standard_deviation": exercise.games**0.5 * deviation,
        "at_most": min(1.0, sum(odds[: place + 1])),
        "at_least": min(1.0, sum(odds[place:])),
    }


def exercise_csv(games: Iterable[GamePlayed]) -> str:
    """Return the games of an exercise, one a line."""
    rows = ((number, *_row(game)) for number, game in enumerate(games, 1))
    return _csv(("game", "player", "player_total", "dealer", "dealer_total", "label", "score"), rows)


def _row(game: GamePlayed) -> tuple[object, ...]:
    player, dealer = format_cards(game.player), format_cards(game.dealer)
    return (player, game.player_total, dealer, game.dealer_total, game.label, game.score)


def statistics_json(rounds_asked: int, statistics: Statistics, seconds: float) -> dict[str, Any]:
    """Return the statistics of a simulation as far as it went. Money is in bets."""
    first, *others = statistics.results
    payload = round_statistics_json(first) | {
        "asked": rounds_asked,
        "rounds_per_second": statistics.rounds / seconds if seconds else 0.0,
    }
    if others:
        other, difference = others
        payload |= {"other": round_statistics_json(other), "difference": round_statistics_json(difference)}
    payload["convergence"] = [_moments_json(moments, first.bet) for moments in statistics.convergence]
    return payload


def round_statistics_json(result: RoundStatistics) -> dict[str, Any]:
    """Return the statistics of one scenario, or of the difference of two."""
    return {
        "rounds": result.rounds,
        "mean": result.mean,
        "standard_error": result.standard_error,
        "interval95": list(result.interval95),
        "standard_deviation": result.standard_deviation,
        "rates": result.rates,
        "distribution": [
            {"net": net / result.bet, "rounds": times, "share": times / result.rounds}
            for net, times in result.distribution.items()
        ],
    }


def distribution_csv(statistics: Statistics) -> str:
    """Return the distribution of each scenario, and of their difference."""
    names = ("first", "second", "difference")
    rows = (
        (name, net / result.bet, times, times / result.rounds)
        for name, result in zip(names, statistics.results, strict=False)
        for net, times in result.distribution.items()
    )
    return _csv(("side", "net_in_bets", "rounds", "share"), rows)


def _moments_json(moments: Moments, bet: int) -> dict[str, float]:
    return {
        "rounds": moments.rounds,
        "mean": moments.mean / bet,
        "standard_error": moments.standard_error / bet,
    }


def _csv(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return out.getvalue()
