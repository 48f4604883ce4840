"""Chunks: parts of a plan that may be played anywhere, in any order and again, always with the same result."""

from functools import lru_cache
from typing import Any, Final

import numpy as np

from webapp.engine.simulation import kernel
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.lookup_tables import LookupTables, build_lookup_tables
from webapp.engine.simulation.statistics import COUNTED, ChunkStatistics, RoundStatistics

MARKS: Final = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
"""After how many rounds of the first chunk the estimate is noted down: later it is after whole chunks."""

PIECE: Final = 50_000
"""Rounds of a comparison whose results are kept at a time."""


class KernelRun:
    """A shoe with its generator, and everything a table needs to be played at."""

    def __init__(self, made: LookupTables, key: int) -> None:
        self.made = made
        self.shoe = made.order.copy()
        self.places = np.zeros(kernel.PLACES, np.int64)
        self.places[kernel.AT] = kernel.ROOM  # at the end: the first round shuffles
        self.words = np.array([key, key], np.uint64)
        # each array by itself, and wide enough that no other thread writes near
        self.finals = np.zeros(kernel.FINALS + 16, np.int64)[: kernel.FINALS]
        self.nets = np.zeros(2 * kernel.MOST_NET * int(made.rules[kernel.BET]) + 1, np.int64)
        self.counts = np.zeros(kernel.COUNTS + 16, np.int64)[: kernel.COUNTS]

    def play(self, rounds: int, shuffle: bool = True, each: Any = None) -> None:
        """``each``: int64[rounds], filled with what every round brought, in chips."""
        made = self.made
        noted = np.zeros(0, np.int64) if each is None else each
        with np.errstate(over="ignore"):  # the generator counts round and round
            kernel.play(
                self.shoe,
                made.order,
                self.places,
                self.words,
                made.rules,
                made.steps,
                made.dealer_steps,
                made.codes,
                made.openings,
                made.net_of,
                rounds,
                shuffle,
                self.finals,
                self.nets,
                self.counts,
                noted,
            )

    def tally(self) -> RoundStatistics:
        """What has been played so far."""
        nets, made, bet = self.nets.copy(), self.made, int(self.made.rules[kernel.BET])
        middle = len(nets) // 2
        np.add.at(nets, middle + made.net_of, self.finals)
        found = np.flatnonzero(nets)
        distribution = {int(place) - middle: int(nets[place]) for place in found}
        return RoundStatistics(bet, distribution, _counts(self.finals, self.counts, made.net_of))


def _counts(finals: Any, counts: Any, net_of: Any) -> dict[str, int]:
    """Usual rounds, each with one hand, and the others."""
    rounds = finals.reshape(3, 32, 32)
    usual = {
        "bust": rounds[:, 22:].sum(),
        "won": finals[net_of > 0].sum(),
        "push": finals[net_of == 0].sum(),
        "lost": finals[net_of < 0].sum(),
        "double": rounds[1].sum(),
        "natural": rounds[2].sum(),
        "dealer_bust": rounds[:, :22, 22 : kernel.DEALER_NATURAL].sum(),
    }
    others = {
        "natural": kernel.NATURALS_DEALT,
        "bust": kernel.BUSTS,
        "won": kernel.WON,
        "push": kernel.PUSHED,
        "lost": kernel.LOST,
        "double": kernel.DOUBLES,
        "split": kernel.SPLITS,
        "surrender": kernel.SURRENDERS,
        "insurance": kernel.INSURANCES,
        "dealer_bust": kernel.DEALER_BUSTS,
    }
    return {name: int(usual.get(name, 0)) + int(counts[others[name]]) for name in COUNTED}


@lru_cache(maxsize=8)
def _made(side: Scenario, bet: int, paired: bool) -> LookupTables:
    """A process plays many chunks of the same plan."""
    return build_lookup_tables(side.rules, side.strategy, bet, paired)


def key_of(seed: int, number: int) -> int:
    """Where the generator of a chunk begins: NumPy's SeedSequence keeps the chunks of all seeds apart."""
    return int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1, np.uint64)[0])


def play_chunk(plan: Experiment, number: int) -> ChunkStatistics:
    """Chunk ``number`` of a plan, by itself: the same wherever and whenever it is played."""
    rounds, key = plan.rounds_of(number), key_of(plan.seed, number)
    stops = [mark for mark in MARKS if number == 0 and mark < rounds] + [rounds]
    if plan.other is None:
        return _alone(plan.side, plan.bet, key, stops)
    return _compared(plan.side, plan.other, plan.bet, key, stops)


def _alone(side: Scenario, bet: int, key: int, stops: list[int]) -> ChunkStatistics:
    dealer, marks, played = KernelRun(_made(side, bet, False), key), [], 0
    for stop in stops:
        dealer.play(stop - played)
        played = stop
        marks.append(dealer.tally())
    return ChunkStatistics((marks[-1],), tuple(tally.moments for tally in marks[:-1]))


def _compared(side: Scenario, other: Scenario, bet: int, key: int, stops: list[int]) -> ChunkStatistics:
    """Both sides by turns, some rounds at a time: what each of them brought is kept no longer than that."""
    dealers = [KernelRun(_made(each, bet, True), key) for each in (side, other)]
    difference, marks, played = RoundStatistics.empty(bet), [], 0
    for stop in stops:
        while played < stop:
            rounds = min(PIECE, stop - played)
            brought = [np.zeros(rounds, np.int64) for _ in dealers]
            for dealer, each in zip(dealers, brought, strict=True):
                dealer.play(rounds, each=each)
            nets, times = np.unique(brought[0] - brought[1], return_counts=True)
            difference += RoundStatistics(bet, dict(zip(nets.tolist(), times.tolist(), strict=True)), {})
            played += rounds
        marks.append(difference.moments)
    return ChunkStatistics((dealers[0].tally(), dealers[1].tally(), difference), tuple(marks[:-1]))
