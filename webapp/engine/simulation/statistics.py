"""Statistics of simulated rounds. They are whole numbers, so the order in which they are added makes no difference."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any, Final, Self, TypeAlias

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

BATCHES: Final = 16
"""Parts of an experiment whose moments by the count are kept apart."""

PlayedTrip: TypeAlias = tuple[tuple[int, ...], ...]
"""Bankrolls in chips, for each ramp: at the beginning of a trip, then on its way; 0 from where one was lost."""

# fmt: off
STUDENT: Final = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
)
# fmt: on
"""The same for Student's distribution, from 1 degree of freedom on (any table of it)."""


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
    before the deal, for a player who counts, and ``trips`` those that such a player began the chunk with.
    """

    results: tuple[RoundStatistics, ...]
    checkpoints: tuple[Moments, ...] = ()
    by_count: Mapping[int, Moments] = field(default_factory=dict)
    trips: tuple[PlayedTrip, ...] = ()


@dataclass(frozen=True)
class Statistics:
    """Statistics of the chunks of an experiment, added up from the first on.

    ``results`` and ``checkpoints`` are as in ``ChunkStatistics``; the checkpoints stand ever farther apart, so that
    there are few of them. ``batches`` are the moments by the count, of at most BATCHES parts that are independent of
    each other: chunks, or sums of them. ``trips`` are those of all chunks.
    """

    chunks: int
    results: tuple[RoundStatistics, ...]
    checkpoints: tuple[Moments, ...] = ()
    batches: tuple[Mapping[int, Moments], ...] = ()
    trips: tuple[PlayedTrip, ...] = ()

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
        batches = self.batches
        if chunk.by_count and len(batches) < BATCHES:
            batches = (*batches, chunk.by_count)
        elif chunk.by_count:
            place = self.chunks % BATCHES
            batches = (*batches[:place], _sum((batches[place], chunk.by_count)), *batches[place + 1 :])
        return Statistics(chunks, results, checkpoints, batches, (*self.trips, *chunk.trips))

    @cached_property
    def by_count(self) -> Mapping[int, Moments]:
        """The moments by the count before the deal, for a player who counts."""
        return _sum(self.batches)

    def give_or_take(self, amount: Callable[[int, Moments], float]) -> float | None:
        """Return half the 95 % interval of a mean over all rounds; None for less than two batches.

        The rounds of a shoe hang together by its cards, those of different chunks do not: the interval comes from how
        unlike the batches are (batch means, with Student's distribution for few of them).

        Args:
            amount: the sum over the rounds of a batch that have the same count.
        """
        if len(self.batches) < 2:
            return None
        sums = [sum(amount(count, moments) for count, moments in batch.items()) for batch in self.batches]
        rounds = [sum(moments.rounds for moments in batch.values()) for batch in self.batches]
        mean, freedom = sum(sums) / sum(rounds), len(sums) - 1
        between = sum((each - mean * times) ** 2 / times for each, times in zip(sums, rounds, strict=True)) / freedom
        return STUDENT[freedom - 1] * sqrt(between / sum(rounds))

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
            "batches": [
                [[count, each.rounds, each.total, each.squares] for count, each in batch.items()]
                for batch in self.batches
            ],
            "trips": self.trips,
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Read statistics from JSON. Once all chunks of a count were stored as one, as ``counts``, and no trips."""
        results = tuple(map(RoundStatistics.from_json, fields["tallies"]))
        rows = fields.get("batches", [fields["counts"]] if fields.get("counts") else [])
        batches = tuple({count: Moments(*row) for count, *row in batch} for batch in rows)
        trips = tuple(tuple(map(tuple, trip)) for trip in fields.get("trips", ()))
        return cls(fields["chunks"], results, _moments(fields["marks"]), batches, trips)


def _moments(rows: Iterable[Iterable[int]]) -> tuple[Moments, ...]:
    return tuple(Moments(*row) for row in rows)


def _sum(batches: Iterable[Mapping[int, Moments]]) -> dict[int, Moments]:
    sums: dict[int, Moments] = {}
    for batch in batches:
        for count, moments in batch.items():
            sums[count] = sums.get(count, NO_ROUNDS) + moments
    return dict(sorted(sums.items()))


def _is_checkpoint(chunks: int) -> bool:
    """Return True for 1 2 3 5 7 10 15 20 30 50 70 100 ..."""
    while chunks >= 100 and chunks % 10 == 0:
        chunks //= 10
    return chunks in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70)
