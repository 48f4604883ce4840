"""Bankrolls on their way through a trip, beside bankrolls that are played: on a coin, and from counted shoes."""

import json
from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest

from webapp.engine.simulation.bankroll_paths import QUANTILES, TripPlan, bankroll_paths, path_rounds
from webapp.engine.simulation.bet_ramp import BetRamp, Prospects
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.chunks import KernelRun, chunk_key, play_chunk
from webapp.engine.simulation.counted_play import ramp_for
from webapp.engine.simulation.experiment import Experiment, make_scenario
from webapp.engine.simulation.played_trips import follow
from webapp.engine.simulation.statistics import Statistics
from webapp.engine.twenty_one.counting import HI_LO

PLAYERS = 40_000
BET = 10


def coin(mean: float) -> Prospects:
    return Prospects(1, mean, sqrt(1 - mean**2), 1.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(("mean", "bankroll"), [(0.05, 25), (-0.02, 40), (0.0, 200)])
def test_bankrolls_of_a_coin_are_those_of_players_who_toss_it(mean: float, bankroll: int) -> None:
    """After each toss bankrolls are two units apart: so much nobody can ask for."""
    chance, trip = np.random.default_rng(11), 600
    money = np.full(PLAYERS, float(bankroll))
    found = {point.rounds: point for point in bankroll_paths(coin(mean), bankroll, trip)}
    assert [min(found), max(found)] == [0, trip]
    for rounds in range(1, trip + 1):
        won = np.where(chance.random(PLAYERS) < (1 + mean) / 2, 1, -1)
        money = np.where(money > 0, money + won, 0)
        if rounds in found and rounds > 100:
            for share, most in zip(QUANTILES, found[rounds].quantiles, strict=True):
                below, up_to = (money < most - 1).mean(), (money <= most + 1).mean()
                assert below - 0.005 <= share <= up_to + 0.005, (rounds, share)


OVERSHOOT = 0.5826
"""-zeta(1/2) / sqrt(2 pi): David Siegmund, Sequential Analysis (1985), chapter 10."""
COUNTED = replace(make_scenario("single", "basic"), counter=CardCounter(HI_LO))


@pytest.mark.slow
@pytest.mark.parametrize("trips", [20_000, pytest.param(10**6, marks=pytest.mark.soak)])
def test_bankrolls_are_those_of_shoes_that_are_played_and_counted(trips: int) -> None:
    """The rounds of a shoe hang together by its cards. That they count as independent makes no difference to speak of.

    A bankroll that is played is lost at the end of a round, and that of a Brownian motion at any time: it is as if the
    former had more by OVERSHOOT standard deviations of a round. So what is computed is somewhat above what is played.
    """
    scenario = replace(make_scenario("vegas", "basic"), counter=CardCounter(HI_LO))
    ramp, bankroll, trip, at_a_time = ramp_for("1-12", HI_LO, scenario.rules), 200, 1_000, 2_000
    run, ends = KernelRun(scenario, BET, key=5), []
    units = np.array([ramp.units(count) for count in run.counts])
    for _ in range(trips // at_a_time):
        nets, places = run.play_each(at_a_time * trip)
        ends.append(follow(bankroll * BET, (nets * units[places]).reshape(-1, trip))[:, -1])
    found, money = Prospects.of(run.by_count(), BET, ramp), np.concatenate(ends) / BET
    lost, error = (money == 0).mean(), 3 * sqrt(0.08 * 0.92 / trips)
    assert lost - error < found.trip_ruin(bankroll, trip) < lost + error + 0.008, lost
    with_overshoot = found.trip_ruin(bankroll + OVERSHOOT * found.deviation, trip)
    assert with_overshoot == pytest.approx(lost, abs=error + 0.004), lost
    end = bankroll_paths(found, bankroll, trip)[-1]
    assert end.rounds == trip
    for share, most in zip(QUANTILES[1:], end.quantiles[1:], strict=True):
        assert (money <= most).mean() == pytest.approx(share, abs=error + 0.012), share


def test_trips_that_are_kept_are_those_of_one_who_plays_them_round_by_round() -> None:
    ramps = (BetRamp.parse("0:1,1:4,2:8,3:12"), BetRamp.parse("0:0,1:5"))
    plan = TripPlan(ramps, bankroll=40, rounds=150)
    asked = Experiment(COUNTED, 9_700, 7, BET, chunk=1_000, trips=plan)
    found = Statistics.empty(BET, 1)
    for number in range(asked.chunks):
        found += play_chunk(asked, number)
    plain = Statistics.empty(BET, 1)
    for number in range(asked.chunks):
        plain += play_chunk(replace(asked, trips=None), number)
    assert replace(found, trips=()) == plain, "the cards are the same"
    assert Statistics.from_json(json.loads(json.dumps(found.as_json()))) == found
    assert len(found.trips) == 16  # two in each of eight chunks
    lost = 0
    for number, trip in enumerate(found.trips):
        run = KernelRun(COUNTED, BET, chunk_key(7, number // 2))
        run.play(number % 2 * 150)
        nets, places = run.play_each(150)
        for ramp, line in zip(ramps, trip, strict=True):
            money, course = 40 * BET, [40 * BET]
            for rounds, (net, place) in enumerate(zip(nets.tolist(), places.tolist(), strict=True), 1):
                if money > 0:
                    money = max(0, money + ramp.units(run.counts[place]) * net)
                if rounds in path_rounds(150):
                    course.append(money)
            assert list(line) == course
            lost += not money
    assert 0 < lost < 32


@pytest.mark.parametrize(
    ("chunks", "rounds", "kept"),
    [
        (1, 250_000, [16]),
        (3, 250_000, [6, 6, 4]),
        (40, 250_000, [1] * 16),
        (2, 3_000, [3, 3]),
        (2, 900, [0, 0]),
        (1, 10**9, [16]),
    ],
)
def test_at_most_sixteen_trips_are_kept(chunks: int, rounds: int, kept: list[int]) -> None:
    plan = TripPlan((BetRamp.parse("0:1"),), 100, 1_000)
    found = [plan.trips_in(number, chunks, rounds) for number in range(chunks)]
    assert found == kept + [0] * (chunks - len(kept))
    assert TripPlan(plan.ramps, 100, 10**8).trips_in(0, 1, 10**9) == 0, "they would fill the memory"


def test_the_middle_one_at_half_kelly_grows_as_those_who_are_played() -> None:
    """They bet half of the share that lets a bankroll grow fastest, and never lose all of it."""
    mean, trip, chance = 0.05, 2000, np.random.default_rng(3)
    wins = chance.binomial(trip, (1 + mean) / 2, PLAYERS)
    ends = wins * log(1 + mean / 2) + (trip - wins) * log(1 - mean / 2)
    end = bankroll_paths(coin(mean), 1000, trip)[-1]
    assert log(end.half_kelly / 1000) == pytest.approx(float(np.median(ends)), abs=0.02)


def test_who_wins_nothing_bets_nothing_at_half_kelly_and_great_numbers_stay_numbers() -> None:
    assert {point.half_kelly for point in bankroll_paths(coin(-0.01), 100, 500)} == {100.0}
    far = bankroll_paths(coin(0.5), 10**9, 10**9)[-1]
    assert far.half_kelly < float("inf")
    assert far.quantiles == pytest.approx((10**9 + 0.5 * 10**9,) * 5, rel=0.001)


def test_a_trip_of_one_round_has_a_beginning_and_an_end() -> None:
    assert [point.rounds for point in bankroll_paths(coin(0.01), 10, 1)] == [0, 1]
