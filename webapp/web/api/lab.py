"""Figures of the lab for programs: JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from webapp.engine.cards import format_cards
from webapp.engine.simulation.exercise import Exercise, GamePlayed
from webapp.engine.simulation.statistics import Moments, RoundStatistics, Statistics


def exercise_json(task: Exercise, games: Sequence[GamePlayed], exactly: bool) -> dict[str, Any]:
    """``exactly``: with what is to be expected, for which NumPy is needed."""
    total = sum(game.score for game in games)
    told: dict[str, Any] = {
        "seed": task.seed,
        "decks": task.decks,
        "stand": task.stand,
        "natural_beats_21": task.natural_beats_21,
        "one_shoe": task.one_shoe,
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
        "mean": total / task.games,
    }
    if exactly:
        told["expected"] = expected(task, total)
    return told


def expected(task: Exercise, total: int) -> dict[str, Any]:
    """Of the sum: mean, spread, and how often such a sum is no higher and no lower than ``total``."""
    from webapp.engine.simulation import exercise_odds

    mean, deviation = exercise_odds.mean_and_deviation(task)
    sums = exercise_odds.sums(task.decks, task.stand, task.natural_beats_21, task.games)
    place = total + 2 * task.games
    return {
        "mean": mean,
        "sum": task.games * mean,
        "standard_deviation": task.games**0.5 * deviation,
        "at_most": min(1.0, sum(sums[: place + 1])),
        "at_least": min(1.0, sum(sums[place:])),
    }


def exercise_csv(games: Iterable[GamePlayed]) -> str:
    rows = ((number, *_row(game)) for number, game in enumerate(games, 1))
    return _csv(("game", "player", "player_total", "dealer", "dealer_total", "label", "score"), rows)


def _row(game: GamePlayed) -> tuple[object, ...]:
    mine, its = (format_cards(game.player), game.player_total), (format_cards(game.dealer), game.dealer_total)
    return (*mine, *its, game.label, game.score)


def count_json(asked: int, count: Statistics, seconds: float) -> dict[str, Any]:
    """Of a simulation, as far as it went: ``asked`` rounds. Money is in units of the bet."""
    first, *others = count.tallies
    told = tally_json(first) | {"asked": asked, "rounds_per_second": count.rounds / seconds if seconds else 0.0}
    if others:
        other, difference = others
        told |= {"other": tally_json(other), "difference": tally_json(difference)}
    told["convergence"] = [_moments_json(mark, first.bet) for mark in count.course]
    return told


def tally_json(tally: RoundStatistics) -> dict[str, Any]:
    return {
        "rounds": tally.rounds,
        "mean": tally.mean,
        "standard_error": tally.standard_error,
        "interval95": list(tally.interval95),
        "standard_deviation": tally.standard_deviation,
        "rates": tally.rates,
        "distribution": [
            {"net": net / tally.bet, "rounds": times, "share": times / tally.rounds}
            for net, times in tally.distribution.items()
        ],
    }


def run_csv(count: Statistics) -> str:
    """The distribution: of each side, and of their difference."""
    names = ("first", "second", "difference")
    rows = (
        (name, net / tally.bet, times, times / tally.rounds)
        for name, tally in zip(names, count.tallies, strict=False)
        for net, times in tally.distribution.items()
    )
    return _csv(("side", "net_in_bets", "rounds", "share"), rows)


def _moments_json(mark: Moments, bet: int) -> dict[str, float]:
    return {"rounds": mark.rounds, "mean": mark.mean / bet, "standard_error": mark.standard_error / bet}


def _csv(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return out.getvalue()
