"""Statistics of simulated rounds. They are whole numbers, so the order in which they are added makes no difference."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any, Final, Self

EVENTS: Final = (
    "natural",
    "bust",
    "won",
    "push",
    "lost",
    "double",
    "split",
    "surrender",
    "insurance",
    "dealer_bust",
    "left",
)
"""Events that are counted. won, push, lost and bust are counted by hand, and a round with splits has several hands.
left: a shoe that a player leaves because of the count.
"""

ERRORS_IN_95: Final = 1.959964
"""Standard errors on either side of the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class RoundStatistics:
    """Statistics of rounds of one bet each.

    ``bet`` is in chips, on all boxes together; ``distribution`` is the number of rounds by the chips that they won or
    lost; ``counts`` has a number for each of EVENTS, for ``left`` only if there are players who leave.
    """

    bet: int
    distribution: Mapping[int, int]
    counts: Mapping[str, int]

    @classmethod
    def empty(cls, bet: int) -> Self:
        """Return the statistics of no rounds."""
        return cls(bet, {}, {})

    def __add__(self, other: "RoundStatistics") -> "RoundStatistics":
        return RoundStatistics(
            self.bet,
            dict(sorted((Counter(self.distribution) + Counter(other.distribution)).items())),
            {name: self.counts.get(name, 0) + other.counts.get(name, 0) for name in {**self.counts, **other.counts}},
        )

    @cached_property
    def moments(self) -> "Moments":
        """Number of rounds, sum and sum of squares of their nets."""
        nets = self.distribution.items()
        return Moments(
            sum(times for _, times in nets),
            sum(net * times for net, times in nets),
            sum(net * net * times for net, times in nets),
        )

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return self.moments.rounds

    @property
    def mean(self) -> float:
        """Mean of a round, in bets."""
        return self.moments.mean / self.bet

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of a round, in bets."""
        return self.moments.standard_deviation / self.bet

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, in bets."""
        return self.moments.standard_error / self.bet

    @property
    def interval95(self) -> tuple[float, float]:
        """Interval around the mean that holds the true value 95 times out of 100, in bets."""
        low, high = self.moments.interval95
        return low / self.bet, high / self.bet

    @property
    def rates(self) -> dict[str, float]:
        """Mean number of each of EVENTS in a round."""
        return {name: self.counts[name] / self.rounds for name in EVENTS if name in self.counts}

    def as_json(self) -> dict[str, Any]:
        """Return what ``from_json`` reads."""
        return {"bet": self.bet, "distribution": [*map(list, self.distribution.items())], "counts": dict(self.counts)}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Read statistics from JSON."""
        distribution = {int(net): int(times) for net, times in fields["distribution"]}
        return cls(fields["bet"], distribution, fields["counts"])


@dataclass(frozen=True, slots=True)
class Moments:
    """Number of rounds, and the sum and the sum of squares of their nets in chips."""

    rounds: int
    total: int
    squares: int

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(self.rounds + other.rounds, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """Mean of a round, in chips."""
        return self.total / self.rounds if self.rounds else 0.0

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of a round, in chips."""
        if self.rounds < 2:
            return 0.0
        # whole numbers up to the last step: nothing is lost by cancellation
        spread = self.squares * self.rounds - self.total * self.total
        return sqrt(spread / (self.rounds * (self.rounds - 1)))

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, in chips."""
        return self.standard_deviation / sqrt(self.rounds) if self.rounds else 0.0

    @property
    def half_width95(self) -> float:
        """Half the width of ``interval95``."""
        return ERRORS_IN_95 * self.standard_error

    @property
    def interval95(self) -> tuple[float, float]:
        """Interval around the mean that holds the true value 95 times out of 100, in chips."""
        return self.mean - self.half_width95, self.mean + self.half_width95


NO_ROUNDS: Final = Moments(0, 0, 0)


@dataclass(frozen=True)
class ChunkStatistics:
    """Statistics of one chunk.

    ``results`` are those of the scenario, or of both scenarios and of their difference round by round. ``checkpoints``
    are the moments of the last of them on the way through the first chunk. ``by_count`` are the moments by the count
    before the deal, for a player who counts.
    """

    results: tuple[RoundStatistics, ...]
    checkpoints: tuple[Moments, ...] = ()
    by_count: Mapping[int, Moments] = field(default_factory=dict)


@dataclass(frozen=True)
class Statistics:
    """Statistics of the chunks of an experiment, added up from the first on.

    ``results``, ``checkpoints`` and ``by_count`` are as in ``ChunkStatistics``; the checkpoints stand ever farther
    apart, so that there are few of them.
    """

    chunks: int
    results: tuple[RoundStatistics, ...]
    checkpoints: tuple[Moments, ...] = ()
    by_count: Mapping[int, Moments] = field(default_factory=dict)

    @classmethod
    def empty(cls, bet: int, results: int) -> Self:
        """Return the statistics of no chunks. ``results``: 1, or 3 for a comparison."""
        return cls(0, (RoundStatistics.empty(bet),) * results)

    def __add__(self, chunk: ChunkStatistics) -> "Statistics":
        results = tuple(before + more for before, more in zip(self.results, chunk.results, strict=True))
        chunks = self.chunks + 1
        checkpoints = self.checkpoints if self.chunks else (*self.checkpoints, *chunk.checkpoints)
        if _is_checkpoint(chunks):
            checkpoints = (*checkpoints, results[-1].moments)
        counts = sorted({*self.by_count, *chunk.by_count})
        by_count = {
            count: self.by_count.get(count, NO_ROUNDS) + chunk.by_count.get(count, NO_ROUNDS) for count in counts
        }
        return Statistics(chunks, results, checkpoints, by_count)

    @property
    def rounds(self) -> int:
        """Number of rounds of a scenario."""
        return self.results[0].rounds

    @property
    def convergence(self) -> tuple[Moments, ...]:
        """The checkpoints, and the moments of all rounds."""
        latest = self.results[-1].moments
        if self.checkpoints and self.checkpoints[-1].rounds >= latest.rounds:
            return self.checkpoints
        return (*self.checkpoints, latest)

    def as_json(self) -> dict[str, Any]:
        """Return what ``from_json`` reads. The names are those under which jobs are stored."""
        return {
            "chunks": self.chunks,
            "tallies": [result.as_json() for result in self.results],
            "marks": [[moments.rounds, moments.total, moments.squares] for moments in self.checkpoints],
            "counts": [
                [count, moments.rounds, moments.total, moments.squares] for count, moments in self.by_count.items()
            ],
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Read statistics from JSON."""
        results = tuple(map(RoundStatistics.from_json, fields["tallies"]))
        by_count = {count: Moments(*row) for count, *row in fields.get("counts", ())}
        return cls(fields["chunks"], results, _moments(fields["marks"]), by_count)


def _moments(rows: Iterable[Iterable[int]]) -> tuple[Moments, ...]:
    return tuple(Moments(*row) for row in rows)


def _is_checkpoint(chunks: int) -> bool:
    """Return True for 1 2 3 5 7 10 15 20 30 50 70 100 ..."""
    while chunks >= 100 and chunks % 10 == 0:
        chunks //= 10
    return chunks in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70)
