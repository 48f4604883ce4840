"""Statistics are whole numbers that can be added in any order; derived figures."""

import json
from dataclasses import replace
from random import Random
from statistics import fmean, stdev

import pytest

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.chunks import CHECKPOINTS, play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario, make_scenario
from webapp.engine.simulation.statistics import NO_ROUNDS, Moments, RoundStatistics, Statistics
from webapp.engine.twenty_one.counting import HI_LO

pytestmark = pytest.mark.slow


def statistics_of(nets: list[int], bet: int = 10) -> RoundStatistics:
    return RoundStatistics(bet, {net: nets.count(net) for net in set(nets)}, {"bust": len(nets)})


def test_mean_and_spread_are_the_usual_ones() -> None:
    nets = Random(1).choices([-20, -10, 0, 10, 15, 20], k=500)
    result = statistics_of(nets)
    assert result.mean == pytest.approx(fmean(nets) / 10)
    assert result.standard_deviation == pytest.approx(stdev(nets) / 10)
    assert result.standard_error == pytest.approx(stdev(nets) / 10 / 500**0.5)
    low, high = result.interval95
    assert (low + high) / 2 == pytest.approx(result.mean)
    assert high - low == pytest.approx(2 * 1.959964 * result.standard_error)


def test_nothing_and_a_single_round_have_a_spread_of_nothing() -> None:
    assert Moments(0, 0, 0).standard_error == Moments(1, 5, 25).standard_error == 0


def test_the_order_of_adding_does_not_matter() -> None:
    random = Random(2)
    parts = [statistics_of(random.choices([-10, 0, 10, 15], k=50)) for _ in range(20)]
    total = sum(parts, RoundStatistics.empty(10))
    random.shuffle(parts)
    assert sum(parts, RoundStatistics.empty(10)) == total
    assert total.rounds == 1000 == total.counts["bust"]


def experiment(rounds: int, chunk: int, other: str | None = None) -> Experiment:
    return Experiment(
        make_scenario("vegas", "basic"), rounds, 7, chunk=chunk, other=other and make_scenario("vegas", other)
    )


@pytest.mark.parametrize("other", [None, "mimic"])
def test_statistics_are_stored_and_read_again(other: str | None) -> None:
    """After every chunk, as the supervisor does: the result is the same as without storing."""
    whole = stored = Statistics.empty(10, 3 if other else 1)
    asked = experiment(45_000, 10_000, other)
    for number in range(asked.chunks):
        chunk = play_chunk(asked, number)
        whole += chunk
        stored = Statistics.from_json(json.loads(json.dumps(stored.as_json()))) + chunk
    assert stored == whole
    assert whole.rounds == 45_000


def test_counts_are_stored_in_batches_and_read_as_they_once_were() -> None:
    """Once they were stored as one sum, which says nothing of its error."""
    scenario = replace(make_scenario("vegas", "basic"), counter=CardCounter(HI_LO))
    asked = Experiment(scenario, 40_500, 7, chunk=1000)
    whole = stored = Statistics.empty(10, 1)
    chunks = [play_chunk(asked, number) for number in range(asked.chunks)]
    for chunk in chunks:
        whole += chunk
        stored = Statistics.from_json(json.loads(json.dumps(stored.as_json()))) + chunk
    assert stored == whole
    assert len(whole.batches) == 16
    assert sum(whole.by_count.values(), NO_ROUNDS) == whole.results[0].moments
    half = whole.give_or_take(lambda _, moments: moments.total)
    assert half == pytest.approx(whole.results[0].moments.half_width95, rel=0.6)
    first = Statistics.empty(10, 1)
    for chunk in chunks[:3]:
        first += chunk
    fields = first.as_json()
    del fields["batches"]
    fields["counts"] = [[count, each.rounds, each.total, each.squares] for count, each in first.by_count.items()]
    once = Statistics.from_json(fields)
    assert once.give_or_take(lambda _, moments: moments.total) is None
    for chunk in chunks[3:]:
        once += chunk
    assert once.by_count == whole.by_count


def test_convergence_begins_early_and_has_few_checkpoints() -> None:
    statistics = Statistics.empty(10, 1)
    asked = experiment(2_000_000, 4_000)
    for number in range(asked.chunks):
        statistics += play_chunk(asked, number)
    seen = [moments.rounds for moments in statistics.convergence]
    assert seen[:5] == [100, 300, 1000, 3000, 4000] == [*CHECKPOINTS[:4], 4000]
    assert seen == sorted(set(seen)) and seen[-1] == 2_000_000
    assert len(seen) < 40


@pytest.mark.parametrize(
    "name, value", [("rounds", 0), ("rounds", -1), ("rounds", 10**30), ("seed", -1), ("bet", 0), ("chunk", 0)]
)
def test_experiments_with_impossible_numbers_are_refused(name: str, value: int) -> None:
    scenario = Scenario(PRESETS["vegas"], make_scenario("vegas", "mimic").strategy)
    with pytest.raises(SetupError, match=name):
        Experiment(scenario, **({"rounds": 100, "seed": 1} | {name: value}))


def test_the_last_chunk_is_what_is_left() -> None:
    asked = experiment(45_000, 10_000)
    assert [asked.rounds_in(number) for number in range(asked.chunks)] == [10_000] * 4 + [5_000]
