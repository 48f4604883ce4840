"""Chunks of jobs as tasks of a worker. This module itself is imported by the site, and so imports no NumPy."""

from dataclasses import dataclass
from functools import lru_cache

from webapp.engine.simulation.experiment import Experiment, make_scenario
from webapp.engine.simulation.statistics import ChunkStatistics


@dataclass(frozen=True, slots=True)
class ExperimentWords:
    """An experiment in words: rules and strategy of each scenario, or the text of a chart."""

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
    return Experiment(scenario, words.rounds, words.seed, words.bet, words.chunk, other)


def play_words(words: ExperimentWords, number: int) -> ChunkStatistics:
    """Play a chunk of an experiment."""
    return play(experiment_of(words), number)


def play(experiment: Experiment, number: int) -> ChunkStatistics:
    """Play a chunk of an experiment. The result is the same wherever it is played."""
    from webapp.engine.simulation.chunks import play_chunk

    return play_chunk(experiment, number)
