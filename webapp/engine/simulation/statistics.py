"""What simulated rounds add up to. Whole numbers, so that it does not matter in which order they are added."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any, Final, Self

COUNTED: Final = (
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
)
"""What is counted beside the money. won, push, lost and bust are hands, of which a round with splits has several."""

OF_95: Final = 1.959964
"""Standard errors on either side of the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class RoundStatistics:
    """distribution: rounds by the chips they brought; counts: by COUNTED. bet: chips of a round."""

    bet: int
    distribution: Mapping[int, int]
    counts: Mapping[str, int]

    @classmethod
    def empty(cls, bet: int) -> Self:
        return cls(bet, {}, {})

    def __add__(self, other: "RoundStatistics") -> "RoundStatistics":
        return RoundStatistics(
            self.bet,
            dict(sorted((Counter(self.distribution) + Counter(other.distribution)).items())),
            {name: self.counts.get(name, 0) + other.counts.get(name, 0) for name in {**self.counts, **other.counts}},
        )

    @cached_property
    def moments(self) -> "Moments":
        found = self.distribution.items()
        return Moments(
            sum(times for _, times in found),
            sum(net * times for net, times in found),
            sum(net * net * times for net, times in found),
        )

    @property
    def rounds(self) -> int:
        return self.moments.rounds

    @property
    def mean(self) -> float:
        """Of a round, in bets."""
        return self.moments.mean / self.bet

    @property
    def standard_deviation(self) -> float:
        """Of a round, in bets."""
        return self.moments.standard_deviation / self.bet

    @property
    def standard_error(self) -> float:
        """Of the mean, in bets."""
        return self.moments.standard_error / self.bet

    @property
    def interval95(self) -> tuple[float, float]:
        """Around the mean, in bets."""
        low, high = self.moments.interval95
        return low / self.bet, high / self.bet

    @property
    def rates(self) -> dict[str, float]:
        """How often each of COUNTED comes in a round."""
        return {name: self.counts[name] / self.rounds for name in COUNTED if name in self.counts}

    def as_json(self) -> dict[str, Any]:
        return {"bet": self.bet, "distribution": [*map(list, self.distribution.items())], "counts": dict(self.counts)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        return cls(found["bet"], {int(net): int(times) for net, times in found["distribution"]}, found["counts"])


@dataclass(frozen=True, slots=True)
class Moments:
    """rounds; total and squares: of what they brought, in chips."""

    rounds: int
    total: int
    squares: int

    @property
    def mean(self) -> float:
        return self.total / self.rounds if self.rounds else 0.0

    @property
    def standard_deviation(self) -> float:
        if self.rounds < 2:
            return 0.0
        # whole numbers up to the last step: nothing is lost by cancellation
        spread = self.squares * self.rounds - self.total * self.total
        return sqrt(spread / (self.rounds * (self.rounds - 1)))

    @property
    def standard_error(self) -> float:
        return self.standard_deviation / sqrt(self.rounds) if self.rounds else 0.0

    @property
    def reach95(self) -> float:
        """Half the width of the interval."""
        return OF_95 * self.standard_error

    @property
    def interval95(self) -> tuple[float, float]:
        return self.mean - self.reach95, self.mean + self.reach95


@dataclass(frozen=True)
class ChunkStatistics:
    """tallies: of the side, or of both sides and of their difference, round by round. marks: the estimate on its way,
    in chips; of a comparison, of the difference.
    """

    tallies: tuple[RoundStatistics, ...]
    marks: tuple[Moments, ...] = ()


@dataclass(frozen=True)
class Statistics:
    """Chunks added up from the first one on. ``marks`` stand ever farther apart, so that they stay few."""

    chunks: int
    tallies: tuple[RoundStatistics, ...]
    marks: tuple[Moments, ...] = ()

    @classmethod
    def empty(cls, bet: int, tallies: int) -> Self:
        return cls(0, (RoundStatistics.empty(bet),) * tallies)

    def __add__(self, chunk: ChunkStatistics) -> "Statistics":
        tallies = tuple(mine + its for mine, its in zip(self.tallies, chunk.tallies, strict=True))
        done = self.chunks + 1
        marks = (*self.marks, *(mark for mark in chunk.marks if self.chunks == 0))
        if _is_marked(done):
            marks = (*marks, tallies[-1].moments)
        return Statistics(done, tallies, marks)

    @property
    def rounds(self) -> int:
        return self.tallies[0].rounds

    @property
    def course(self) -> tuple[Moments, ...]:
        """The marks, and where it stands now."""
        now = self.tallies[-1].moments
        return self.marks if self.marks and self.marks[-1].rounds >= now.rounds else (*self.marks, now)

    def as_json(self) -> dict[str, Any]:
        return {
            "chunks": self.chunks,
            "tallies": [tally.as_json() for tally in self.tallies],
            "marks": [[mark.rounds, mark.total, mark.squares] for mark in self.marks],
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        return cls(found["chunks"], tuple(map(RoundStatistics.from_json, found["tallies"])), _moments(found["marks"]))


def _moments(rows: Iterable[Iterable[int]]) -> tuple[Moments, ...]:
    return tuple(Moments(*row) for row in rows)


def _is_marked(chunks: int) -> bool:
    """1 2 3 5 7 10 15 20 30 50 70 100 ..."""
    while chunks >= 100 and chunks % 10 == 0:
        chunks //= 10
    return chunks in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70)
