"""The house edge of tables, against simulations of the lab with the best chart and a fresh shoe for each round."""

from dataclasses import replace

import pytest

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.edge import edge
from webapp.engine.simulation.basic_strategy import basic_strategy
from webapp.engine.simulation.chunks import play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.kernel import COMPILED

CHART = 1e-4
"""At most what a chart by totals loses against the play by all cards, with six decks or more."""

pytestmark = pytest.mark.skipif(not COMPILED, reason="the lab is slow without Numba")


def compare(rules: BlackjackRules, rounds: int) -> None:
    rules = replace(rules, fresh_deck=True)
    experiment = Experiment(Scenario(rules, basic_strategy(rules)), rounds, seed=19, chunk=rounds)
    (played,) = play_chunk(experiment, 0).results
    best, error = edge(rules), 3 * played.standard_error
    assert best - CHART - error < played.mean < best + error


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, {"hole_card": "no_peek", "lose": "original", "double_on": "9-11"}])
def test_the_lab_earns_the_edge_within_three_standard_errors(changes) -> None:
    compare(BlackjackRules(**changes), 1_000_000)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"soft_17": "hit", "surrender": "late", "resplit_aces": True},
        {"hole_card": "no_peek", "lose": "all"},
        {"hole_card": "no_peek", "lose": "original", "hit_split_aces": True},
    ],
)
def test_the_lab_earns_the_edge_over_a_hundred_million_rounds(changes) -> None:
    compare(BlackjackRules(decks=8, **changes), 100_000_000)
