"""Bets by the count, and what they earn and risk."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import erfc, exp, inf, log, sqrt
from typing import Final, Self

from webapp.engine.errors import SetupError
from webapp.engine.simulation.statistics import ERRORS_IN_95, Moments, Statistics

LIMITS: Final = {"bankroll": (1, 10**9), "trip": (1, 10**9)}
"""Units of a bankroll, and rounds of a trip, whose risk is asked for."""
MOST_UNITS: Final = 1000
MOST_STEPS: Final = 40
FARTHEST: Final = 200
_LIMITS: Final = f"a ramp has at most {MOST_STEPS} steps, to counts of {FARTHEST}, of {MOST_UNITS} units"


@dataclass(frozen=True, slots=True)
class BetRamp:
    """Bets in units by the count before the deal: each of ``steps`` is a count, and the bet from there to the next.

    The bet is that of each box. Below the first step it is that of the first step. With a bet of 0 the player sits the
    round out; the cards are dealt to somebody else all the same.
    """

    steps: tuple[tuple[int, int], ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read steps like ``0:1,1:2,2:4,3:8,4:12``.

        Raises:
            SetupError: it is something else, or nothing is ever bet.
        """
        steps = []
        for word in text.split(","):
            count, _, units = word.strip().partition(":")
            digits = (count.removeprefix("-").removeprefix("+"), units)
            if not all(each.isascii() and each.isdigit() for each in digits):
                raise SetupError(f"a ramp is written count:units, as in 0:1,1:2,2:4, and not {text[:80]!r}")
            if max(map(len, digits)) > 9:
                raise SetupError(_LIMITS)
            steps.append((int(count), int(units)))
        if len(steps) > MOST_STEPS or any(abs(count) > FARTHEST or units > MOST_UNITS for count, units in steps):
            raise SetupError(_LIMITS)
        if any(before >= after for (before, _), (after, _) in pairwise(steps)):
            raise SetupError("the counts of a ramp rise from step to step")
        if not any(units for _, units in steps):
            raise SetupError("nothing is ever bet")
        return cls(tuple(steps))

    def units(self, count: int) -> int:
        """Return the bet at a count."""
        reached = [units for step, units in self.steps if step <= count]
        return reached[-1] if reached else self.steps[0][1]

    def __str__(self) -> str:
        return ",".join(f"{count}:{units}" for count, units in self.steps)


@dataclass(frozen=True, slots=True)
class Prospects:
    """What bets by the count earn and risk. Amounts are in units; ``rounds`` are all that were dealt.

    The figures take the rounds for independent of each other: those of one shoe are so but for their counts, which
    cancel out over many shoes.

    mean, deviation: of a round, all boxes together, also over those that are sat out. played: share of the rounds that
    are bet on. bet: the mean bet on these, on each box.
    """

    rounds: int
    mean: float
    deviation: float
    played: float
    bet: float

    @classmethod
    def of(cls, by_count: Mapping[int, Moments], chips: int, ramp: BetRamp) -> Self:
        """Return the prospects of a ramp over rounds that were played with flat bets of ``chips``.

        Bets do not change the cards: any number of ramps can be held against the same rounds.
        """
        rounds, mean, deviation = _weighted(by_count, chips, ramp.units)
        staked = [(ramp.units(count), moments.rounds) for count, moments in by_count.items()]
        played = sum(times for units, times in staked if units)
        bets = sum(units * times for units, times in staked)
        return cls(rounds, mean, deviation, played / max(rounds, 1), bets / max(played, 1))

    @property
    def interval95(self) -> tuple[float, float]:
        """Interval around the mean that holds the true one 95 times out of 100."""
        half = ERRORS_IN_95 * self.deviation / sqrt(self.rounds) if self.rounds else 0.0
        return self.mean - half, self.mean + half

    @property
    def ends(self) -> tuple[Self, Self]:
        """The prospects if the mean were at the lower or the upper end of its interval.

        Figures that rise or fall with the mean have their own interval between those of the two: beside the error of
        the mean that of the deviation is small.
        """
        low, high = self.interval95
        return replace(self, mean=low), replace(self, mean=high)

    @property
    def score(self) -> float:
        """SCORE: what a hundred rounds earn on a bankroll of 10,000 with the bets that let it grow fastest.

        Don Schlesinger, Blackjack Attack: a million times the square of mean by deviation. 0 for who loses.
        """
        return 1e6 * (self.mean / self.deviation) ** 2 if self.mean > 0 and self.deviation else 0.0

    @property
    def n0(self) -> float:
        """Rounds after which the mean of all has grown to one standard deviation; infinite for who loses."""
        return (self.deviation / self.mean) ** 2 if self.mean > 0 else inf

    def ruin(self, bankroll: float) -> float:
        """Return the chance to lose a bankroll sooner or later, with bets that stay what they are.

        That of a Brownian motion with this drift: bets are small beside the bankroll.
        """
        if not self.deviation:
            return float(self.mean < 0)
        return exp(-2 * self.mean * bankroll / self.deviation**2) if self.mean > 0 else 1.0

    def trip_ruin(self, bankroll: float, rounds: int) -> float:
        """Return the chance to lose a bankroll within a number of rounds."""
        return 1 - self.kept(bankroll, rounds, 0)

    def kept(self, bankroll: float, rounds: int, least: float) -> float:
        """Return the chance that a bankroll is not lost within a number of rounds, and is then above ``least``.

        Of the paths that end above it those are taken off that have been at 0 (the principle of reflection).
        """
        end = bankroll + self.mean * rounds - least
        if not self.deviation:
            return float(end > 0 and bankroll + self.mean * rounds > 0)
        spread = self.deviation * sqrt(rounds)
        exponent = -2 * self.mean * bankroll / self.deviation**2
        reflected = _normal((end - 2 * bankroll) / spread)
        lost = exp(min(exponent, 700.0)) * reflected if reflected else 0.0
        return max(0.0, _normal(end / spread) - lost)

    def bankroll_for(self, risk: float) -> float:
        """Return the bankroll that is lost with this chance only; infinite for who loses."""
        return -(self.deviation**2) * log(risk) / (2 * self.mean) if self.mean > 0 else inf

    @property
    def half_kelly_growth(self) -> float:
        """Mean growth of the logarithm of a bankroll in a round, for bets of half the size that lets it grow fastest.

        It is three quarters of the greatest growth, half the square of mean by deviation.
        """
        return 0.375 * (self.mean / self.deviation) ** 2 if self.mean > 0 else 0.0


def deviation_give_or_take(statistics: Statistics, chips: int, ramp: BetRamp) -> float | None:
    """Return half the 95 % interval of the standard deviation of a round; None while that is not known.

    It is unsure mainly by how often the counts at which much is bet came up. The mean is nothing beside the deviation.
    """
    half = statistics.give_or_take(lambda count, moments: (ramp.units(count) / chips) ** 2 * moments.squares)
    deviation = Prospects.of(statistics.by_count, chips, ramp).deviation
    return half / (2 * deviation) if half is not None and deviation else half


def gain(by_count: Mapping[int, Moments], chips: int, first: BetRamp, second: BetRamp) -> tuple[float, float]:
    """Return what the first ramp wins in a round more than the second, on the same cards, and half its 95 % interval.

    Where both bet the same, luck is the same: the interval is narrower than those of the two.
    """
    rounds, mean, deviation = _weighted(by_count, chips, lambda count: first.units(count) - second.units(count))
    return mean, ERRORS_IN_95 * deviation / sqrt(rounds) if rounds else 0.0


def _weighted(by_count: Mapping[int, Moments], chips: int, units: Callable[[int], int]) -> tuple[int, float, float]:
    """Return number, mean and standard deviation of rounds that were played with ``chips``, if ``units`` are bet."""
    staked = [(units(count), moments) for count, moments in by_count.items()]
    rounds = sum(moments.rounds for _, moments in staked)
    mean = sum(bet * moments.total for bet, moments in staked) / chips / max(rounds, 1)
    squares = sum(bet**2 * moments.squares for bet, moments in staked) / chips**2 / max(rounds, 1)
    return rounds, mean, sqrt(max(squares - mean**2, 0))


def _normal(deviations: float) -> float:
    return 0.5 * erfc(-deviations / sqrt(2))
