"""Start + luck - cost = payout, for random hands of every game that has odds."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engine.action import ALONE
from webapp.engine.cards import JOKER, STANDARD_DECK
from webapp.engine.errors import SetupError
from webapp.engine.game import Setup
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.draw import several_exchanges, several_exchanges_kernel
from webapp.engine.odds.review import Ledger, ledger
from webapp.engine.odds.value import Arrays, MemoryStore

PRICED_AT_ONCE = [
    (game, variant)
    for game in (GAMES["poker"], GAMES["joker"])
    for variant in game.spec.variants
    if game.rules(variant).exchanges == 1
]


def random_setup(game, variant: str, chance: Random) -> Setup:
    rows = []
    for pack in game.packs(variant):
        cards = [*STANDARD_DECK, JOKER][: 52 + pack.jokers]
        rows.append(tuple(chance.sample(cards, pack.needed)))
    return Setup(variant, (chance.randint(1, 50),) if game.rules(variant).bets else (), tuple(rows))


def played(game, variant: str, chance: Random, store: MemoryStore) -> tuple[Ledger, int]:
    """Return the ledger of a random hand, and its payout minus the stake."""
    setup, actions = random_setup(game, variant, chance), []
    state = game.start(setup)
    while legal := game.legal_actions(state):
        actions.append(chance.choice(legal))
        state = game.apply(state, actions[-1])
    net = sum(game.result(state).payouts) - sum(game.committed(state))
    return ledger(game, odds_of(game), setup, actions, ALONE, store), net


@pytest.mark.parametrize("game, variant", PRICED_AT_ONCE, ids=lambda value: getattr(value, "spec", value))
@given(chance=st.randoms(use_true_random=False))
def test_start_and_luck_less_cost_is_the_payout_to_the_last_digit(
    game, variant: str, store: MemoryStore, chance: Random
) -> None:
    book, net = played(game, variant, chance, store)
    assert book.start + book.luck - book.cost == book.payout == net
    assert book.exact
    assert book.cost >= 0
    assert all(step.cost >= 0 for step in book.steps)
    assert isinstance(book.luck, Fraction)


@pytest.mark.soak
def test_the_sum_holds_to_the_last_digit_where_values_are_approximate(store: MemoryStore) -> None:
    chance = Random(6)
    for _ in range(50):
        book, net = played(GAMES["joker"], "arcade", chance, store)
        assert book.start + book.luck - book.cost == book.payout == net
        assert all(step.cost >= 0 for step in book.steps)
    assert not book.exact


def test_the_sum_holds_with_several_exchanges_whatever_the_tables_say(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uses made-up tables, since real ones take minutes to build; the sum must hold with any."""

    def made_up(_lines: object, _values: object, exchanges: int) -> Arrays:
        shape = (exchanges, several_exchanges_kernel.DECKS, several_exchanges_kernel.SETS)
        return {"levels": np.random.default_rng(7).random(shape), "average": np.array([3.0])}

    monkeypatch.setattr(several_exchanges, "build", made_up)
    monkeypatch.setattr(store, "_tables", dict(store._tables))  # restored after the test
    chance, costs = Random(8), []
    for _ in range(5):
        book, net = played(GAMES["joker"], "arcade", chance, store)
        assert book.start + book.luck - book.cost == book.payout == net
        assert all(step.cost >= 0 for step in book.steps)
        assert not book.exact
        costs.append(book.cost)
    assert any(costs)


def test_best_play_costs_nothing_and_all_the_rest_is_luck(store: MemoryStore) -> None:
    game, chance = GAMES["joker"], Random(5)
    for _ in range(20):
        setup = random_setup(game, "kings-or-better", chance)
        best = odds_of(game).decision(game.start(setup), store).best.action
        book = ledger(game, odds_of(game), setup, [best], ALONE, store)
        assert book.cost == 0
        assert book.start + book.luck == book.payout


def test_the_luck_of_all_deals_averages_to_nothing(store: MemoryStore) -> None:
    """The mean luck of many deals is within four standard errors of zero."""
    game, chance, odds = GAMES["poker"], Random(9), odds_of(GAMES["poker"])
    start = odds.start(Setup("quest", (), ()), ALONE, store)
    lucks = []
    for _ in range(2000):
        setup = Setup("quest", (), (tuple(chance.sample(STANDARD_DECK, 10)),))
        lucks.append(float(odds.value(game.start(setup), ALONE, store) - start))
    mean = sum(lucks) / len(lucks)
    error = (sum(luck * luck for luck in lucks) / len(lucks) / len(lucks)) ** 0.5
    assert abs(mean) < 4 * error


def test_a_hand_that_is_not_over_has_no_ledger(store: MemoryStore) -> None:
    game = GAMES["poker"]
    with pytest.raises(SetupError, match="not over"):
        ledger(game, odds_of(game), random_setup(game, "quest", Random(1)), [], ALONE, store)
