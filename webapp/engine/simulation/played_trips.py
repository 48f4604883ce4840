"""Trips that are played: what becomes of bankrolls that are bet by the count, round after round."""

from typing import Any

import numpy as np

from webapp.engine.simulation.bankroll_paths import TripPlan, path_rounds
from webapp.engine.simulation.statistics import PlayedTrip


def follow(bankroll: int, nets: Any) -> Any:
    """Return bankrolls after each round of trips, 0 from where they were lost.

    Args:
        bankroll: at the beginning of each trip.
        nets: int64[trips, rounds], what is won or lost in each round.
    """
    money = bankroll + nets.cumsum(axis=1)
    return np.where(np.minimum.accumulate(money, axis=1) > 0, money, 0)


def play_trips(plan: TripPlan, chips: int, nets: Any, places: Any, counts: range) -> tuple[PlayedTrip, ...]:
    """Return what becomes of the bankrolls of a plan in rounds that were played with bets of ``chips``.

    Args:
        plan: of the trips.
        chips: bet on each box.
        nets: int64[rounds of all trips], what these bets won or lost.
        places: int64[rounds of all trips], the place of the count before each round in ``counts``.
        counts: those that are told apart.
    """
    start, stops = plan.bankroll * chips, np.array(path_rounds(plan.rounds)) - 1
    units = (np.array([ramp.units(count) for count in counts], np.int64)[places] for ramp in plan.ramps)
    lines = (follow(start, (each * nets).reshape(-1, plan.rounds))[:, stops].tolist() for each in units)
    return tuple(tuple((start, *line) for line in trip) for trip in zip(*lines, strict=True))
