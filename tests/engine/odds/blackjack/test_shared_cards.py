"""Hands drawn from one deck together, against a count of all pairs of draws."""

import numpy as np
import pytest

from webapp.engine.odds.blackjack.compositions import chances_of_draws, counts_of, key_of
from webapp.engine.odds.blackjack.split_cards import Draws, SharedSums, Sizes, chance_together, parts_of

ONE = Draws(
    np.array([key_of(cards) for cards in [(9,), (0, 0, 9), (3, 3, 3), (7, 8), (0, 1, 2, 3)]]), np.arange(1.0, 6)
)
OTHER = Draws(
    np.array([key_of(cards) for cards in [(), (0,), (3, 3), (9, 9), (0, 0, 0, 7), (1, 8)]]), np.arange(2.0, 8)
)


@pytest.mark.parametrize("deck", [[4] * 9 + [16], [3, 1, 1, 4, 0, 0, 0, 1, 1, 2], [32] * 9 + [128]])
def test_a_chance_together_is_the_sum_over_every_pair_of_draws(deck: list[int]) -> None:
    cards = np.array(deck)
    together = (ONE.keys[:, None] + OTHER.keys).ravel()
    counted = (ONE.orders[:, None] * OTHER.orders).ravel() * chances_of_draws(cards, together)
    assert (counts_of(together) > cards).any() == (min(deck) < 32)
    sizes = Sizes.of(sum(deck))
    one, other = (
        SharedSums.of(draws, cards, sizes, parts_of(draws.keys)) for draws in (ONE.within(cards), OTHER.within(cards))
    )
    found = chance_together(cards, one, other, sizes)
    assert found == pytest.approx(counted.sum(), rel=1e-12)


@pytest.mark.parametrize("cards", [13, 45, 412])
def test_the_coordinates_of_sizes_give_the_numbers_of_their_table(cards: int) -> None:
    """Two hands from one deck that are not bust have 14 cards at most."""
    coordinates, signs = Sizes.of(cards)
    most = 15 if cards < 52 else len(coordinates)
    for n in range(min(most, cards + 1)):
        for m in range(min(most, cards - n + 1)):
            likelier = np.prod([(cards - i) / (cards - n - i) for i in range(m)])
            assert (coordinates[n] * coordinates[m]) @ signs == pytest.approx(likelier, rel=1e-9)
