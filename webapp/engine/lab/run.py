"""A simulation: a plan, cut into chunks that may be played anywhere and in any order, and what they add up to."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any, Final

import numpy as np

from webapp.engine.errors import SetupError
from webapp.engine.families.bank_rules import Rules
from webapp.engine.families.bank_shoe import cut_card, reserve, size
from webapp.engine.lab import kernel
from webapp.engine.lab.strategies import Strategy

CHUNK: Final = 1_000_000
"""Rounds of a chunk. With the same seed and the same size of chunks the figures are the same to the last bit."""

COUNTED: Final = {
    "natural": kernel.NATURAL,
    "bust": kernel.BUST,
    "won": kernel.WON,
    "push": kernel.PUSHED,
    "lost": kernel.LOST,
    "double": kernel.DOUBLED,
    "split": kernel.SPLITS,
    "surrender": kernel.SURRENDERED,
    "insurance": kernel.INSURED,
    "dealer_bust": kernel.DEALER_BUST,
}
"""What is counted beside the money; all of it per round."""

_BONUS: Final = {"3:2": (3, 2), "6:5": (6, 5), "1:1": (1, 1)}
_DOUBLES: Final = {"any": (0, 21), "9-11": (9, 11), "10-11": (10, 11), "none": (99, 0)}


@dataclass(frozen=True)
class Plan:
    """rounds: at least 1; seed: any whole number from 0; bet: chips, from which halves are rounded down as at the table."""

    rules: Rules
    strategy: Strategy
    rounds: int
    seed: int
    bet: int = 10
    chunk: int = CHUNK

    def __post_init__(self) -> None:
        for name, least, most in (("rounds", 1, 10**15), ("seed", 0, 2**128 - 1), ("bet", 1, 1000), ("chunk", 1, 10**9)):
            if not least <= getattr(self, name) <= most:
                raise SetupError(f"{name} must be from {least} to {most}, not {getattr(self, name)}")

    @property
    def chunks(self) -> int:
        return -(-self.rounds // self.chunk)

    def rounds_of(self, number: int) -> int:
        return min(self.chunk, self.rounds - number * self.chunk)


@dataclass(frozen=True)
class Tally:
    """What chunks add up to, in any order. ``nets``: int64, rounds by the chips they brought, nothing in the middle."""

    bet: int
    nets: Any = field(repr=False)
    counts: Any = field(repr=False)

    @classmethod
    def empty(cls, bet: int) -> "Tally":
        return cls(bet, np.zeros(2 * kernel.MOST_NET * bet + 1, np.int64), np.zeros(kernel.COUNTS, np.int64))

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.bet, self.nets + other.nets, self.counts + other.counts)

    @property
    def rounds(self) -> int:
        return int(self.counts[kernel.ROUNDS])

    @cached_property
    def distribution(self) -> dict[int, int]:
        """Rounds by the chips they brought; only what happened."""
        middle = len(self.nets) // 2
        return {int(place) - middle: int(self.nets[place]) for place in np.flatnonzero(self.nets)}

    @property
    def mean(self) -> float:
        """Of a round, in bets."""
        return sum(net * times for net, times in self.distribution.items()) / (self.rounds * self.bet)

    @property
    def standard_deviation(self) -> float:
        """Of a round, in bets."""
        if self.rounds < 2:
            return 0.0
        total = sum(net * times for net, times in self.distribution.items())
        squares = sum(net * net * times for net, times in self.distribution.items())
        # whole numbers up to the last step: nothing is lost by cancellation
        return sqrt((squares * self.rounds - total * total) / (self.rounds * (self.rounds - 1))) / self.bet

    @property
    def standard_error(self) -> float:
        return self.standard_deviation / sqrt(self.rounds)

    @property
    def interval95(self) -> tuple[float, float]:
        return self.mean - 1.959964 * self.standard_error, self.mean + 1.959964 * self.standard_error

    @property
    def rates(self) -> dict[str, float]:
        return {name: int(self.counts[place]) / self.rounds for name, place in COUNTED.items()}


def play_chunk(plan: Plan, number: int) -> Tally:
    """One chunk of a plan, by itself: the same wherever and whenever it is played."""
    order = np.arange(size(plan.rules), dtype=np.int64) % 13 + 1
    state = np.random.SeedSequence(plan.seed, spawn_key=(number,)).generate_state(4, np.uint64)
    tally = Tally.empty(plan.bet)
    deal(plan, order.astype(np.int8), state, plan.rounds_of(number), True, tally)
    return tally


def deal(plan: Plan, shoe: Any, state: Any, rounds: int, shuffle: bool, tally: Tally) -> int:
    """Play rounds from this shoe into the tally; the number of its cards that are dealt at the end."""
    table = plan.strategy
    return int(
        kernel.play(
            shoe,
            state,
            encoded(plan.rules),
            table.hard,
            table.soft,
            table.pairs,
            table.insure,
            plan.bet,
            rounds,
            shuffle,
            tally.nets,
            tally.counts,
        )
    )


def chunks(plan: Plan) -> Iterator[Tally]:
    """One after another, here."""
    return (play_chunk(plan, number) for number in range(plan.chunks))


def encoded(rules: Rules) -> Any:
    """The rules as the kernel reads them: int64[FIELDS]."""
    fields = np.zeros(kernel.FIELDS, np.int64)
    fields[kernel.SIZE] = size(rules)
    fields[kernel.CUT] = cut_card(rules)
    fields[kernel.RESERVE] = reserve(rules, 1)
    fields[kernel.FRESH] = rules.fresh_deck
    fields[kernel.HIT_SOFT_17] = rules.soft_17 == "hit"
    fields[kernel.PEEK] = rules.hole_card == "peek"
    fields[kernel.LOSE_ORIGINAL] = rules.lose == "original"
    fields[kernel.BONUS], fields[kernel.BONUS_OF] = _BONUS[rules.blackjack_pays]
    fields[kernel.DOUBLE_LEAST], fields[kernel.DOUBLE_MOST] = _DOUBLES[rules.double_on]
    fields[kernel.DOUBLE_AFTER_SPLIT] = rules.double_after_split
    fields[kernel.SPLIT_BY_VALUE] = rules.split_by == "value"
    fields[kernel.MAX_HANDS] = 1 if rules.split_by == "none" else rules.max_hands
    fields[kernel.RESPLIT_ACES] = rules.resplit_aces
    fields[kernel.HIT_SPLIT_ACES] = rules.hit_split_aces
    fields[kernel.MAY_SURRENDER] = rules.surrender == "late"
    fields[kernel.MAY_INSURE] = rules.insurance
    fields[kernel.AUTO_STAND] = rules.auto_stand_21
    fields[kernel.NATURALS] = rules.naturals
    return fields
