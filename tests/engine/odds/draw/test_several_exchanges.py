"""Several exchanges: the tables against enumeration of a short deck, and expected values against simulated play."""

from functools import cache
from itertools import combinations
from statistics import mean

import numpy as np
import pytest

from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.draw import several_exchanges, several_exchanges_kernel
from webapp.engine.odds.draw.final_hands import HandLines, set_number
from webapp.engine.odds.draw.spot import spot
from webapp.engine.odds.value import MemoryStore, NoOdds
from webapp.engine.poker.pay_tables import ARCADE

SHORT = 12
PIECE = 250_000
JOKER = GAMES["joker"]


class Plain:
    """The method written out for two exchanges from a short deck: every draw is enumerated."""

    def __init__(self, pays) -> None:
        self.pays = pays

    def last(self, hand, deck) -> float:
        """Return the value with one exchange left."""
        return max(
            self.average(hand, hold, deck, lambda final, _: self.pays[set_number(final)]) for hold in holds(hand)
        )

    def average(self, hand, hold, deck, value) -> float:
        rest = [card for card in deck if card not in hand]
        return mean(value((*hold, *drawn), deck) for drawn in combinations(rest, 5 - len(hold)))

    def first(self, hand, hold, thrown=()) -> float:
        """Return the value of a hold with two exchanges left."""
        deck = range(SHORT)
        plain, unseen = self.average(hand, hold, deck, self.last), SHORT - len(hand)

        def effects(out, together) -> float:
            single = (self.average(hand, hold, [card for card in deck if card != gone], self.last) for gone in out)
            return sum(value - plain for value in single) * (unseen - 1) / (unseen - together)

        now = {*hand} - {*hold}
        return plain + effects(now, len(now) + len(thrown)) + effects(thrown, len(thrown))


def holds(hand):
    return [tuple(card for place, card in enumerate(hand) if mask >> place & 1) for mask in range(32)]


@pytest.fixture(scope="module")
def short() -> tuple[np.ndarray, np.ndarray]:
    """Return pays by ranks only, so that suits are equivalent, and the tables of the short deck."""
    numbers, worth = combinations(range(SHORT), 5), {}
    pays = np.zeros(792)
    for hand in numbers:
        ranks = tuple(sorted(card // 4 for card in hand))
        pays[set_number(hand)] = worth.setdefault(ranks, len(worth) * 7 % 23)
    return pays, several_exchanges.build_with(several_exchanges_kernel.add_hands, pays, SHORT, 2)["levels"]


@pytest.mark.slow
@pytest.mark.parametrize("thrown", [(), (11,)])
def test_prices_are_those_of_the_method_in_so_many_words(short, thrown: tuple[int, ...]) -> None:
    pays, levels = short
    hand, prices, plain = (7, 0, 10, 5, 6), np.zeros(32), Plain(pays)
    several_exchanges_kernel.price_holds(
        levels, 2, np.array(hand), np.array(thrown), len(thrown), pays[set_number(hand)], SHORT, prices
    )
    for mask in (0b00001, 0b00110, 0b10011, 0b11110):
        hold = holds(hand)[mask]
        assert prices[mask] == pytest.approx(plain.first(hand, hold, thrown))


def test_early_exchanges_are_not_priced_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    with pytest.raises(NoOdds, match="need Numba"):
        several_exchanges.build(HandLines(ARCADE, 53), [0.0] * 12, 2)


def test_the_last_of_several_exchanges_is_exact_and_needs_no_numba(store: MemoryStore) -> None:
    state = spot(JOKER, "arcade", "Jk 3h 9d 9c 2s", "4c 5c 8h 2d 3d", exchanges=1)
    decision = odds_of(JOKER).decision(state, store)
    assert decision.method.exact
    assert str(decision.best.action) == "hold-1-3-4"


@cache
def arcade_with(exchanges: int) -> "Levels":
    """Return the tables of the arcade, built once for the tests that use them."""
    return Levels(exchanges)


class Levels:
    """The tables of the arcade with this many exchanges, and play by them."""

    def __init__(self, exchanges: int) -> None:
        self.pays = np.array([0.0, *(float(line.pays) for line in ARCADE.lines)])[HandLines(ARCADE, 53).all()]
        worth = [0.0, *(float(line.pays) for line in ARCADE.lines)]
        arrays = several_exchanges.build(HandLines(ARCADE, 53), worth, exchanges)
        self.levels, self.promised, self.exchanges = arrays["levels"], float(arrays["average"][0]), exchanges

    def earned(self, hands: int, policies: int = 1):
        """Return the mean payouts of the policies, advice first, the advantage of the advice, and standard errors.

        The hands are played in chunks of a quarter million, each with its own seed.
        """
        from tests.engine.odds.draw.simulated_play import play

        total = np.zeros((policies, 3))
        for piece in range(max(1, hands // PIECE)):
            seed = 1000 * self.exchanges + 2 * piece + 1
            total += play(self.levels, self.pays, 53, self.exchanges, min(hands, PIECE), seed, np.arange(policies))
        average, squares, squares_of_more = total.T / hands
        more = average[0] - average
        return average, ((squares - average**2) / hands) ** 0.5, more, ((squares_of_more - more**2) / hands) ** 0.5


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_two_exchanges_earn_what_they_promise() -> None:
    arcade = arcade_with(2)
    assert arcade.promised == pytest.approx(3.1487, abs=5e-5)
    (earned,), (error,), _, _ = arcade.earned(100_000)
    assert abs(earned - arcade.promised) < 3 * error


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("exchanges", [2, 3])
def test_ten_million_hands_earn_what_is_promised_and_no_other_policy_earns_more(exchanges: int) -> None:
    from tests.engine.odds.draw.simulated_play import POLICIES

    arcade = arcade_with(exchanges)
    earned, errors, more, errors_of_more = arcade.earned(10_000_000, POLICIES)
    allowed = 3 * errors[0] if exchanges == 2 else 0.005 * arcade.promised
    assert abs(earned[0] - arcade.promised) < allowed
    assert (more[1:] > -3 * errors_of_more[1:]).all()
