"""Adding up: whole numbers, in any order, and what follows from them."""

import json
from random import Random
from statistics import fmean, stdev

import pytest

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.chunks import MARKS, play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario, make_scenario
from webapp.engine.simulation.statistics import Moments, RoundStatistics, Statistics
from webapp.services.lab.jobs import in_turn


def tally(nets: list[int], bet: int = 10) -> RoundStatistics:
    return RoundStatistics(bet, {net: nets.count(net) for net in set(nets)}, {"bust": len(nets)})


def test_mean_and_spread_are_the_usual_ones() -> None:
    nets = Random(1).choices([-20, -10, 0, 10, 15, 20], k=500)
    one = tally(nets)
    assert one.mean == pytest.approx(fmean(nets) / 10)
    assert one.standard_deviation == pytest.approx(stdev(nets) / 10)
    assert one.standard_error == pytest.approx(stdev(nets) / 10 / 500**0.5)
    low, high = one.interval95
    assert (low + high) / 2 == pytest.approx(one.mean)
    assert high - low == pytest.approx(2 * 1.959964 * one.standard_error)


def test_nothing_and_a_single_round_have_a_spread_of_nothing() -> None:
    assert Moments(0, 0, 0).standard_error == Moments(1, 5, 25).standard_error == 0


def test_the_order_of_adding_does_not_matter() -> None:
    chance = Random(2)
    parts = [tally(chance.choices([-10, 0, 10, 15], k=50)) for _ in range(20)]
    forth = sum(parts, RoundStatistics.empty(10))
    chance.shuffle(parts)
    assert sum(parts, RoundStatistics.empty(10)) == forth
    assert forth.rounds == 1000 == forth.counts["bust"]


def plan(rounds: int, chunk: int, other: str | None = None) -> Experiment:
    return Experiment(
        make_scenario("vegas", "basic"), rounds, 7, chunk=chunk, other=other and make_scenario("vegas", other)
    )


@pytest.mark.parametrize("other", [None, "mimic"])
def test_a_count_is_kept_and_taken_up_again(other: str | None) -> None:
    """Written down after every chunk, as the workers do it: the same as in one go."""
    whole = kept = Statistics.empty(10, 3 if other else 1)
    asked = plan(45_000, 10_000, other)
    for number in range(asked.chunks):
        chunk = play_chunk(asked, number)
        whole += chunk
        kept = Statistics.from_json(json.loads(json.dumps(kept.as_json()))) + chunk
    assert kept == whole
    assert whole.rounds == 45_000


def test_the_course_begins_early_and_stays_short() -> None:
    count = Statistics.empty(10, 1)
    asked = plan(2_000_000, 4_000)
    for number in range(asked.chunks):
        count += play_chunk(asked, number)
    seen = [mark.rounds for mark in count.course]
    assert seen[:5] == [100, 300, 1000, 3000, 4000] == [*MARKS[:4], 4000]
    assert seen == sorted(set(seen)) and seen[-1] == 2_000_000
    assert len(seen) < 40


@pytest.mark.parametrize(
    "name, value", [("rounds", 0), ("rounds", -1), ("rounds", 10**30), ("seed", -1), ("bet", 0), ("chunk", 0)]
)
def test_plans_that_make_no_sense_are_refused(name: str, value: int) -> None:
    side = Scenario(PRESETS["vegas"], make_scenario("vegas", "mimic").strategy)
    with pytest.raises(SetupError, match=name):
        Experiment(side, **({"rounds": 100, "seed": 1} | {name: value}))


def test_the_last_chunk_is_what_is_left() -> None:
    asked = plan(45_000, 10_000)
    assert [asked.rounds_of(number) for number in range(asked.chunks)] == [10_000] * 4 + [5_000]


def test_visitors_are_served_by_turns() -> None:
    """Alice has begun three, Bob one after them: he comes second. Who was served longest ago is first."""
    runs = [("a1", "alice", 0, 1), ("a2", "alice", 0, 2), ("a3", "alice", 0, 3), ("b1", "bob", 0, 4)]
    assert in_turn(runs) == ["a1", "b1", "a2", "a3"]
    served = [("a1", "alice", 5, 1), *runs[1:]]
    assert in_turn(served) == ["b1", "a1", "a2", "a3"]
    assert in_turn([]) == []
