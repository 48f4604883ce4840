"""Bankrolls over a trip: what share of all players has how much left, and how bets at half Kelly grow."""

from dataclasses import dataclass
from math import exp, sqrt
from statistics import NormalDist
from typing import Final

from webapp.engine.simulation.bet_ramp import BetRamp, Prospects

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_POINTS: Final = 24
MOST_TRIPS: Final = 16
"""Trips that are played in an experiment."""
MOST_TRIP_ROUNDS: Final = 250_000
"""Rounds of the trips of one chunk: all of them are in memory at a time."""
_HALVINGS: Final = 40
_SMALL: Final = 1e-9
"""Difference of chances that makes none."""
_GREATEST: Final = 600.0
"""Greatest logarithm of a growth that is told apart: more is as good as infinite, and no number in JSON."""


@dataclass(frozen=True, slots=True)
class PathPoint:
    """Bankrolls after a number of rounds, in units.

    quantiles: bankrolls that shares of QUANTILES of the players have at most, 0 for those who lost theirs on the way.
    half_kelly: the median of players who always bet for half Kelly, in proportion to what they have.
    """

    rounds: int
    quantiles: tuple[float, ...]
    half_kelly: float


@dataclass(frozen=True, slots=True)
class TripPlan:
    """Trips of so many ``rounds``, played with each of these ramps. ``bankroll``: in units, at the beginning."""

    ramps: tuple[BetRamp, ...]
    bankroll: int
    rounds: int

    def trips_in(self, number: int, chunks: int, rounds: int) -> int:
        """Return how many begin chunk ``number``, which has so many rounds: as many in each, and MOST_TRIPS in all."""
        each = -(-MOST_TRIPS // chunks)
        return max(0, min(each, MOST_TRIPS - number * each, min(rounds, MOST_TRIP_ROUNDS) // self.rounds))


def path_rounds(trip: int) -> list[int]:
    """Return the rounds after which bankrolls are looked at on the way through a trip, the last one among them."""
    return sorted({round(trip * step / MOST_POINTS) for step in range(1, MOST_POINTS + 1)} - {0})


def bankroll_paths(prospects: Prospects, bankroll: float, trip: int) -> tuple[PathPoint, ...]:
    """Return bankrolls on the way through a trip of this many rounds, from its beginning to its end.

    They are those of a Brownian motion with mean and deviation of a round, as the risk of ruin is: what infinitely many
    trips would come to. Who wins nothing bets nothing at half Kelly.
    """
    start = PathPoint(0, (float(bankroll),) * len(QUANTILES), float(bankroll))
    return (start, *(_point(prospects, bankroll, rounds) for rounds in path_rounds(trip)))


def _point(prospects: Prospects, bankroll: float, rounds: int) -> PathPoint:
    quantiles = tuple(_quantile(prospects, bankroll, rounds, share) for share in QUANTILES)
    growth = min(prospects.half_kelly_growth * rounds, _GREATEST)
    return PathPoint(rounds, quantiles, bankroll * exp(growth))


def _quantile(prospects: Prospects, bankroll: float, rounds: int, share: float) -> float:
    """Return the bankroll that this share of the players has at most.

    Where hardly anybody is ruined it is that of the normal distribution; else it is less, and the interval in which it
    lies is halved.
    """
    if not prospects.deviation:
        return max(0.0, bankroll + prospects.mean * rounds)
    if prospects.kept(bankroll, rounds, 0) <= 1 - share:
        return 0.0
    deviations = NormalDist().inv_cdf(share)
    low, high = 0.0, bankroll + prospects.mean * rounds + deviations * prospects.deviation * sqrt(rounds)
    if 1 - share - prospects.kept(bankroll, rounds, high) < _SMALL:
        return high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if prospects.kept(bankroll, rounds, middle) > 1 - share else (low, middle)
    return (low + high) / 2
