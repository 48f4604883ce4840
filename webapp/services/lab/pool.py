"""Where chunks of jobs are played: as tasks of a worker, or of a Dask cluster (the extra ``cluster``)."""

import json
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from webapp.engine.odds.blackjack.count_index import CountIndices
from webapp.engine.simulation.bankroll_paths import TripPlan
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.counted_play import counter_with_indices
from webapp.engine.simulation.experiment import Experiment, make_scenario
from webapp.engine.simulation.statistics import ChunkStatistics
from webapp.engine.twenty_one.counting import CountingSystem, Rounding
from webapp.services.team import Team


@dataclass(frozen=True, slots=True)
class ExperimentWords:
    """An experiment in words: rules and strategy of each scenario, or the text of a chart.

    system: word of a counting system, for a player who counts. indices: the index numbers by which that player plays,
    as JSON; None for one who only bets by the count. boxes: how many are played. leave: the count at which that player
    leaves, None for one who stays. rounding: of true counts. trips: that this player plays.
    """

    variant: str
    strategy: str
    chart: str | None
    other_variant: str | None
    other_strategy: str | None
    other_chart: str | None
    rounds: int
    seed: int
    bet: int
    chunk: int
    system: str | None = None
    indices: str | None = None
    boxes: int = 1
    leave: int | None = None
    rounding: Rounding = "floor"
    trips: TripPlan | None = None

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return -(-self.rounds // self.chunk)


@lru_cache(maxsize=8)
def experiment_of(words: ExperimentWords) -> Experiment:
    """Return the experiment. A basic strategy is computed here, so this is for workers only."""
    other = None
    if words.other_variant:
        other = make_scenario(words.other_variant, words.other_strategy or "", words.other_chart)
    scenario = make_scenario(words.variant, words.strategy, words.chart)
    if words.system is not None:
        counter = CardCounter(CountingSystem.parse(words.system), leaves_at=words.leave, rounding=words.rounding)
        if words.indices is not None:
            indices = CountIndices.from_json(json.loads(words.indices), scenario.rules)
            counter = counter_with_indices(counter, indices, scenario.strategy)
        scenario = replace(scenario, counter=counter, boxes=words.boxes)
    return Experiment(scenario, words.rounds, words.seed, words.bet, words.chunk, other, words.trips)


def play_words(words: ExperimentWords, number: int) -> ChunkStatistics:
    """Play a chunk of an experiment."""
    return play(experiment_of(words), number)


def play(experiment: Experiment, number: int) -> ChunkStatistics:
    """Play a chunk of an experiment. The result is the same wherever it is played."""
    from webapp.engine.simulation.chunks import play_chunk

    return play_chunk(experiment, number)


CHECK_SECONDS: Final = 5
"""Time in which a scheduler has to answer, and between two checks that it is still there."""


class ClusterUnavailable(Exception):
    """No scheduler can be used: ``str()`` says why."""


class DaskMissing(ClusterUnavailable):
    """Dask is not installed (the extra ``cluster``)."""


@contextmanager
def team_at(address: str, on_waiting: Callable[[str], None]) -> Iterator[Team]:
    """Connect to a scheduler, and yield a team that does as many tasks at a time as the cluster has cores.

    The tasks of a worker that dies are done by another one. ``on_waiting`` is called with a sentence if there is no
    worker yet.

    Raises:
        DaskMissing: Dask is not installed.
        ClusterUnavailable: no scheduler answers.
    """
    try:
        dask: Any = import_module("distributed")
    except ImportError as error:
        raise DaskMissing("Dask is not installed") from error
    logging.disable(logging.CRITICAL)  # errors are reported in a sentence of our own
    try:
        try:
            client = dask.Client(address, timeout=CHECK_SECONDS)
        except (OSError, ValueError) as error:
            raise ClusterUnavailable(f"no scheduler answers at {address}: {error}") from error
        cores = sum(client.ncores().values())
        if not cores:
            on_waiting(f"no worker has come to {address} yet; waiting for the first")

        def check() -> None:
            if client.status != "running":
                raise BrokenExecutor("the scheduler is gone")

        try:
            executor = client.get_executor(pure=False)
            yield Team(executor, 2 * max(1, cores), check, (CancelledError, dask.KilledWorker, OSError))
        finally:
            with suppress(OSError, TimeoutError):
                client.close()
    finally:
        logging.disable(logging.NOTSET)
