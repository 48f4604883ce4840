"""Ramps of bets, and what they earn and risk: beside sums of single rounds, closed forms, and bankrolls that are played."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.bet_ramp import BetRamp, Prospects, deviation_give_or_take, gain
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.chunks import play_chunk
from webapp.engine.simulation.counted_play import RAMPS, ramp_for
from webapp.engine.simulation.experiment import Experiment, make_scenario
from webapp.engine.simulation.statistics import Moments, Statistics
from webapp.engine.twenty_one.counting import SYSTEMS, CountingSystem

HI_LO = CountingSystem.parse("hi-lo")


def moments(nets: Sequence[int]) -> Moments:
    return Moments(len(nets), sum(nets), sum(net * net for net in nets))


@pytest.mark.parametrize(
    "text",
    ["", "1", "0:1,0:2", "2:1,1:2", "0:0", "x:1", "0:-1", "0:1.5", "0:1001", "999:1", ",".join(["0:1"] * 41), "٣:1"],
)
def test_what_is_no_ramp_is_refused_in_words(text: str) -> None:
    with pytest.raises(SetupError):
        BetRamp.parse(text)


@pytest.mark.parametrize("text", ["0:1001", "0:99999", "0:1,99999:2", "201:1"])
def test_what_is_too_much_is_told_the_limits(text: str) -> None:
    with pytest.raises(SetupError, match="at most 40 steps, to counts of 200, of 1000 units"):
        BetRamp.parse(text)


def test_a_bet_holds_up_to_the_next_step() -> None:
    ramp = BetRamp.parse("-2:0, 1:2,+3:5")
    assert [ramp.units(count) for count in (-9, -2, 0, 1, 2, 3, 99)] == [0, 0, 0, 2, 2, 5, 5]
    assert BetRamp.parse(str(ramp)) == ramp


def test_a_ramp_with_a_name_goes_by_true_counts_of_hi_lo() -> None:
    assert str(ramp_for("1-12", HI_LO, PRESETS["vegas"])) == "0:1,1:2,2:4,3:8,4:12"
    assert ramp_for("wong", HI_LO, PRESETS["vegas"]).units(0) == 0
    with pytest.raises(SetupError, match="1-12"):
        ramp_for("1-13", HI_LO, PRESETS["vegas"])


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("table", ["vegas", "downtown", "single"])
def test_it_rises_with_the_count_of_every_system(name: str, table: str) -> None:
    system, rules = CountingSystem.parse(name), PRESETS[table]
    ramp = ramp_for("1-12", system, rules)
    counts = [count for count, _ in ramp.steps]
    assert counts == sorted({*counts})
    assert [units for _, units in ramp.steps] == [*RAMPS["1-12"]]
    assert BetRamp.parse(str(ramp)) == ramp
    if not system.is_balanced:
        assert system.start(rules.decks) < counts[-1] <= system.surplus + 2, "four counts of Hi-Lo are near the pivot"


@pytest.mark.parametrize("tags", ["1,0,0,0,0,0,0,0,0,0", "0,0,0,0,0,0,0,0,1,0", "0,0,0,0,1,-1,0,0,0,0"])
@pytest.mark.parametrize("name", RAMPS)
def test_one_with_a_name_is_a_ramp_by_tags_of_few_cards_too(name: str, tags: str) -> None:
    """Several counts of Hi-Lo are one of theirs."""
    ramp = ramp_for(name, CountingSystem.parse(tags), PRESETS["vegas"])
    assert BetRamp.parse(str(ramp)) == ramp
    assert (ramp.steps[0][1], ramp.steps[-1][1]) == (RAMPS[name][0], RAMPS[name][-1])


def test_what_is_earned_is_the_sum_of_all_rounds_with_their_bets() -> None:
    """Against every round by itself."""
    rounds = {-1: [10, -10, -20, 15], 0: [-10, 10, 0], 2: [20, -10]}
    ramp = BetRamp.parse("-1:0,0:1,2:3")
    nets = [ramp.units(count) * net / 10 for count, each in rounds.items() for net in each]
    found = Prospects.of({count: moments(each) for count, each in rounds.items()}, 10, ramp)
    assert found.mean == pytest.approx(np.mean(nets))
    assert found.deviation == pytest.approx(np.std(nets))
    assert (found.rounds, found.played, found.bet) == (9, 5 / 9, (3 * 1 + 2 * 3) / 5)


def test_two_ramps_are_held_against_each_other_round_by_round() -> None:
    rounds = {-1: [10, -10, -20, 15], 0: [-10, 10, 0], 2: [20, -10]}
    first, second = BetRamp.parse("-1:0,0:1,2:3"), BetRamp.parse("-1:1,2:2")
    nets = [(first.units(count) - second.units(count)) * net / 10 for count, each in rounds.items() for net in each]
    by_count = {count: moments(each) for count, each in rounds.items()}
    mean, half = gain(by_count, 10, first, second)
    assert mean == pytest.approx(np.mean(nets))
    assert half == pytest.approx(1.959964 * np.std(nets) / 3)
    assert gain(by_count, 10, first, first) == (0, 0) == gain({}, 10, first, second)


@pytest.mark.slow
def test_95_of_100_intervals_hold_what_all_rounds_together_come_to() -> None:
    """Also those of figures that hang on how often a count comes up, which goes from round to round of a shoe."""
    ramp, runs = BetRamp.parse("0:1,1:4,2:8,3:12"), 240
    scenario = replace(make_scenario("vegas", "basic"), counter=CardCounter(HI_LO))
    every, whole = [], Statistics.empty(10, 1)
    for seed in range(runs):
        asked, one = Experiment(scenario, 20_000, seed, chunk=1000), Statistics.empty(10, 1)
        for number in range(asked.chunks):
            chunk = play_chunk(asked, number)
            one, whole = one + chunk, whole + chunk
        every.append(one)

    def share(statistics: Statistics, wanted: int) -> float:
        return statistics.by_count[wanted].rounds / statistics.rounds

    deviation, rounds = Prospects.of(whole.by_count, 10, ramp).deviation, whole.rounds
    assert rounds == runs * 20_000
    held: Counter[object] = Counter()
    for one in every:
        found, half = Prospects.of(one.by_count, 10, ramp), deviation_give_or_take(one, 10, ramp)
        assert half is not None
        held["deviation"] += abs(found.deviation - deviation) < half
        low, high = found.interval95
        held["mean"] += low < Prospects.of(whole.by_count, 10, ramp).mean < high
        for count in (-2, 0, 2):
            of_share = one.give_or_take(lambda each, moments, count=count: moments.rounds if each == count else 0)  # type: ignore[misc]
            assert of_share is not None
            held[count] += abs(share(one, count) - share(whole, count)) < of_share
    error = sqrt(0.95 * 0.05 / runs)
    for what, times in held.items():
        assert abs(times / runs - 0.95) < 3 * error, (what, times)


def test_one_chunk_knows_no_interval_of_its_deviation() -> None:
    scenario = replace(make_scenario("vegas", "basic"), counter=CardCounter(HI_LO))
    one = Statistics.empty(10, 1) + play_chunk(Experiment(scenario, 1000, 1), 0)
    assert deviation_give_or_take(one, 10, BetRamp.parse("0:1")) is None


def test_flat_bets_earn_the_mean_of_a_round() -> None:
    by_count = {0: moments([10, -10, 15]), 1: moments([-20, 10])}
    found = Prospects.of(by_count, 10, BetRamp.parse("0:1"))
    assert found.mean == pytest.approx(sum([1, -1, 1.5, -2, 1]) / 5)
    low, high = found.interval95
    assert (low + high) / 2 == pytest.approx(found.mean)


def test_score_and_n0_are_those_of_their_definitions() -> None:
    """By N0 rounds the mean has become one deviation; a SCORE of 50 is an N0 of 20,000 (Schlesinger)."""
    found = Prospects(1000, 0.02, 2.8284, 1.0, 2.0)
    assert found.mean * found.n0 == pytest.approx(found.deviation * sqrt(found.n0))
    assert found.score * found.n0 == pytest.approx(1e6)
    assert found.score == pytest.approx(50, rel=1e-3)
    assert found.n0 == pytest.approx(20_000, rel=1e-3)


def test_figures_at_the_ends_of_the_interval_enclose_those_of_the_mean() -> None:
    found = Prospects(10**6, 0.02, 2.8284, 1.0, 2.0)
    low, high = found.ends
    assert (low.mean, high.mean) == found.interval95
    assert low.score < found.score < high.score
    assert high.n0 < found.n0 < low.n0
    assert high.bankroll_for(0.01) < found.bankroll_for(0.01) < low.bankroll_for(0.01)
    assert high.ruin(500) < found.ruin(500) < low.ruin(500)
    assert high.trip_ruin(50, 1000) < found.trip_ruin(50, 1000) < low.trip_ruin(50, 1000)
    assert low.half_kelly_growth < found.half_kelly_growth < high.half_kelly_growth


def test_who_loses_is_ruined_and_has_no_score() -> None:
    loses = Prospects(1000, -0.004, 1.15, 1.0, 1.0)
    assert (loses.ruin(10_000), loses.score, loses.half_kelly_growth) == (1.0, 0.0, 0.0)
    assert loses.n0 == loses.bankroll_for(0.01) == float("inf")
    assert loses.trip_ruin(100, 10**9) == pytest.approx(1)


def ruined(mean: float, bankroll: int, rounds: int, players: int) -> float:
    """Play bets of one unit, won with the chance that gives this mean, and return the share of the bankrolls lost."""
    chance = np.random.default_rng(7)
    money, lost = np.full(players, bankroll), np.zeros(players, bool)
    for _ in range(rounds):
        money += np.where(chance.random(players) < (1 + mean) / 2, 1, -1)
        lost |= money <= 0
    return float(lost.mean())


@pytest.mark.parametrize("players", [20_000, pytest.param(10**6, marks=pytest.mark.soak)])
def test_a_trip_ruins_as_many_bankrolls_as_are_played_to_their_end(players: int) -> None:
    found = Prospects(1, 0.05, sqrt(1 - 0.05**2), 1.0, 1.0)
    for bankroll, rounds in ((20, 300), (20, 1500), (30, 600)):
        share = ruined(0.05, bankroll, rounds, players)
        error = 3 * sqrt(share * (1 - share) / players)
        assert found.trip_ruin(bankroll, rounds) == pytest.approx(share, abs=error + 0.002)


def test_the_risk_of_ruin_is_that_of_a_gambler_who_bets_one_unit() -> None:
    """((1 - m) / (1 + m)) ** bankroll, which bets of one unit have exactly (Huygens, 1657)."""
    for mean, bankroll in ((0.01, 100), (0.02, 30), (0.05, 20)):
        found = Prospects(1, mean, sqrt(1 - mean**2), 1.0, 1.0)
        assert found.ruin(bankroll) == pytest.approx(((1 - mean) / (1 + mean)) ** bankroll, rel=0.01)
        assert found.ruin(found.bankroll_for(0.01)) == pytest.approx(0.01)
        assert found.trip_ruin(bankroll, 10**8) == pytest.approx(found.ruin(bankroll))


def test_half_kelly_grows_three_quarters_as_fast_as_the_fastest_bets() -> None:
    """Against the growth of bets of a share f of the bankroll on a coin: p log(1 + f) + q log(1 - f)."""
    mean = 0.02

    def growth(share: float) -> float:
        return float((1 + mean) / 2 * np.log1p(share) + (1 - mean) / 2 * np.log1p(-share))

    found = Prospects(1, mean, sqrt(1 - mean**2), 1.0, 1.0)
    assert growth(mean) == max(growth(share) for share in (0.5 * mean, mean, 1.5 * mean))
    assert found.half_kelly_growth == pytest.approx(growth(mean / 2), rel=0.01)
