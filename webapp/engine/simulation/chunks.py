"""Chunks: parts of an experiment that may be played anywhere, in any order and again, always with the same result."""

from functools import lru_cache
from typing import Any, Final

import numpy as np

from webapp.engine.simulation import kernel
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.lookup_tables import build_lookup_tables, counting_of, unshuffled
from webapp.engine.simulation.played_trips import play_trips
from webapp.engine.simulation.statistics import EVENTS, ChunkStatistics, Moments, RoundStatistics

CHECKPOINTS: Final = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
"""Rounds of the first chunk after which the estimate is recorded. Later it is recorded after whole chunks."""

BATCH: Final = 50_000
"""Rounds of a comparison whose nets are in memory at a time."""


class KernelRun:
    """A run of the kernel: a shoe with its random numbers, the lookup tables, and the counters."""

    def __init__(self, scenario: Scenario, bet: int, key: int, paired: bool = False) -> None:
        self.bet = bet * scenario.boxes
        self.tables = _lookup_tables(scenario, bet, paired)
        counter, decks = scenario.counter, scenario.rules.decks
        self.counts = counter.counts(decks) if counter else range(1)
        self.leaves = counter is not None and counter.leaves_at is not None
        self.counting = counting_of(counter, decks) if counter else None
        order = unshuffled(scenario.rules)
        state = np.zeros(kernel.STATE_FIELDS, np.int64)
        state[kernel.AT] = kernel.ROOM  # at the end, so that the first round shuffles
        self.shoe = kernel.Shoe(order.copy(), order, state, np.array([key, key], np.uint64))
        # each array by itself, and wide enough that no other thread writes near it
        usual = np.zeros((len(self.counts) + 1, kernel.USUAL), np.int64)[:-1]
        self.held = np.zeros(scenario.boxes, np.int64) if scenario.boxes > 1 else None
        unusual = np.zeros((len(self.counts), 2 * scenario.boxes * kernel.MOST_NET * bet + 1), np.int64)
        events = np.zeros(kernel.EVENTS + 16, np.int64)[: kernel.EVENTS]
        self.counters = kernel.Counters(usual, unusual, events)

    def play(self, rounds: int, shuffle: bool = True) -> None:
        """Play rounds and count them. ``shuffle``: False deals the shoe as it lies."""
        nothing = np.zeros(0, np.int64)
        self._play(rounds, shuffle, nothing, nothing)

    def play_each(self, rounds: int, shuffle: bool = True) -> tuple[Any, Any]:
        """Play rounds and count them; return of each the chips that it won or lost, and the place of its count.

        Both are int64[rounds]. The place is that among ``counts``, before the deal.
        """
        nets, places = np.zeros((2, rounds), np.int64)
        self._play(rounds, shuffle, nets, places)
        return nets, places

    def _play(self, rounds: int, shuffle: bool, nets: Any, places: Any) -> None:
        tables = self.tables
        with np.errstate(over="ignore"):  # the generator's counter wraps around
            kernel.play(self.shoe, tables, self.counting, self.held, self.counters, rounds, shuffle, nets, places)

    def statistics(self) -> RoundStatistics:
        """Return the statistics of all rounds played so far."""
        rounds = self.counters.unusual.sum(0)
        middle = len(rounds) // 2
        if self.held is None:
            np.add.at(rounds, middle + self.tables.nets, self.counters.usual.sum(0))
        distribution = {int(place) - middle: int(rounds[place]) for place in np.flatnonzero(rounds)}
        return RoundStatistics(self.bet, distribution, self._count_events())

    def by_count(self) -> dict[int, Moments]:
        """Return the moments of the rounds before whose deal the count was each of those that came up."""
        middle = self.counters.unusual.shape[1] // 2
        nets, times = np.arange(-middle, middle + 1), self.counters.unusual
        if self.held is None:
            nets, times = np.concatenate([self.tables.nets, nets]), np.concatenate([self.counters.usual, times], axis=1)
        sums = zip(self.counts, times.sum(1).tolist(), (times @ nets).tolist(), (times @ nets**2).tolist(), strict=True)
        return {count: Moments(rounds, total, squares) for count, rounds, total, squares in sums if rounds}

    def _count_events(self) -> dict[str, int]:
        """Add up usual boxes, each of one hand, and the others."""
        usual, nets = self.counters.usual.sum(0), self.tables.nets
        by_kind = usual.reshape(3, 32, 32)
        in_usual = {
            "bust": by_kind[:, 22:].sum(),
            "won": usual[nets > 0].sum(),
            "push": usual[nets == 0].sum(),
            "lost": usual[nets < 0].sum(),
            "double": by_kind[1].sum(),
            "natural": by_kind[2].sum(),
            "dealer_bust": by_kind[:, :22, 22 : kernel.DEALER_NATURAL].sum() if self.held is None else 0,
        }
        names = EVENTS if self.leaves else EVENTS[: EVENTS.index("left")]
        return {name: int(in_usual.get(name, 0)) + int(self.counters.events[_FIELDS[name]]) for name in names}


_FIELDS: Final = {
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
    "left": kernel.LEFT,
}


@lru_cache(maxsize=8)
def _lookup_tables(scenario: Scenario, bet: int, paired: bool) -> kernel.LookupTables:
    """Build the tables once: a process plays many chunks of the same experiment."""
    counter = scenario.counter
    charts = (counter.charts if counter else ()) or (scenario.strategy,)
    return build_lookup_tables(scenario.rules, charts, bet, paired, scenario.boxes)


def chunk_key(seed: int, number: int) -> int:
    """Return the key of a chunk's random numbers; NumPy's SeedSequence keeps the chunks of all seeds apart."""
    return int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1, np.uint64)[0])


def play_chunk(experiment: Experiment, number: int) -> ChunkStatistics:
    """Play chunk ``number`` of an experiment. The result is the same wherever and whenever it is played."""
    rounds, key = experiment.rounds_in(number), chunk_key(experiment.seed, number)
    stops = [stop for stop in CHECKPOINTS if number == 0 and stop < rounds] + [rounds]
    if experiment.other is None:
        return _play_one(experiment, number, key, stops)
    return _compare((experiment.scenario, experiment.other), experiment.bet, key, stops)


def _play_one(experiment: Experiment, number: int, key: int, stops: list[int]) -> ChunkStatistics:
    scenario, plan, bet = experiment.scenario, experiment.trips, experiment.bet
    run, results, played = KernelRun(scenario, bet, key), [], 0
    of_trips = plan.rounds * plan.trips_in(number, experiment.chunks, stops[-1]) if plan else 0
    nets, places = np.zeros((2, of_trips), np.int64)
    for stop in sorted({*stops, of_trips} - {0}):
        if stop <= of_trips:
            nets[played:stop], places[played:stop] = run.play_each(stop - played)
        else:
            run.play(stop - played)
        played = stop
        if stop in stops:
            results.append(run.statistics())
    trips = play_trips(plan, bet, nets, places, run.counts) if plan else ()
    by_count = run.by_count() if scenario.counter else {}
    return ChunkStatistics((results[-1],), tuple(result.moments for result in results[:-1]), by_count, trips)


def _compare(scenarios: tuple[Scenario, Scenario], bet: int, key: int, stops: list[int]) -> ChunkStatistics:
    """Play both scenarios in turns, a batch at a time, so that the nets of single rounds are dropped soon."""
    first, second = (KernelRun(scenario, bet, key, paired=True) for scenario in scenarios)
    difference, checkpoints, played = RoundStatistics.empty(bet), [], 0
    for stop in stops:
        while played < stop:
            rounds = min(BATCH, stop - played)
            of_first, of_second = (run.play_each(rounds)[0] for run in (first, second))
            nets, times = np.unique(of_first - of_second, return_counts=True)
            difference += RoundStatistics(bet, dict(zip(nets.tolist(), times.tolist(), strict=True)), {})
            played += rounds
        checkpoints.append(difference.moments)
    return ChunkStatistics((first.statistics(), second.statistics(), difference), tuple(checkpoints[:-1]))
