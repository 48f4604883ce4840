"""Bankrolls on their way through a trip, beside bankrolls that are played: on a coin, and from counted shoes."""

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest

from webapp.engine.simulation import kernel
from webapp.engine.simulation.bankroll_paths import QUANTILES, bankroll_paths
from webapp.engine.simulation.bet_ramp import BetRamp, Prospects
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.chunks import KernelRun
from webapp.engine.simulation.experiment import make_scenario
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


@pytest.mark.slow
def test_bankrolls_are_those_of_shoes_that_are_played_and_counted() -> None:
    """The rounds of a shoe hang together by its cards. That they count as independent makes no difference to speak of."""
    ramp, bankroll, trip, trips = BetRamp.parse("0:1,1:4,2:8,3:12"), 100, 300, 700
    scenario = replace(make_scenario("single", "basic"), counter=CardCounter(HI_LO))
    run = KernelRun(scenario, BET, key=5)
    size, last, state = run.tables.rules[kernel.SIZE], run.tables.rules[kernel.LAST], run.shoe.state
    net, money = np.zeros(1, np.int64), np.full(trips, float(bankroll))
    for number in range(trips):
        for _ in range(trip):
            fresh = state[kernel.AT] > last
            count = 0 if fresh else 52 * int(state[kernel.RUNNING]) // int(size - state[kernel.AT])
            run.play(1, round_nets=net)
            if money[number] > 0:
                money[number] = max(0.0, money[number] + ramp.units(count) * int(net[0]) / BET)
    end = bankroll_paths(Prospects.of(run.by_count(), BET, ramp), bankroll, trip)[-1]
    assert end.rounds == trip
    for share, most in zip(QUANTILES, end.quantiles, strict=True):
        error = 3.5 * sqrt(share * (1 - share) / trips)
        assert ((money <= most).mean() >= share - error - 0.01) and ((money < most).mean() <= share + error + 0.01)


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
