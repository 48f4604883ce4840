"""Counts of all hands of five of each kind, before anybody exchanges a card.

Counted over all 2,598,960 hands of 52 cards and all 2,869,685 hands of 53 (the tests count again).
"""

from collections.abc import Mapping
from typing import Final

from webapp.engine.poker.ranking import Category

NATURAL: Final[Mapping[Category, int]] = {
    Category.NOTHING: 1_302_540,
    Category.ONE_PAIR: 1_098_240,
    Category.TWO_PAIR: 123_552,
    Category.THREE_OF_A_KIND: 54_912,
    Category.STRAIGHT: 10_200,
    Category.FLUSH: 5_108,
    Category.FULL_HOUSE: 3_744,
    Category.FOUR_OF_A_KIND: 624,
    Category.STRAIGHT_FLUSH: 36,
    Category.ROYAL_FLUSH: 4,
}

WITH_JOKER: Final[Mapping[Category, int]] = {
    Category.JOKER: 169_848,
    Category.THREE_OF_A_KIND: 82_368,
    Category.STRAIGHT: 10_332,
    Category.FLUSH: 2_696,
    Category.FULL_HOUSE: 2_808,
    Category.FOUR_OF_A_KIND: 2_496,
    Category.STRAIGHT_FLUSH: 144,
    Category.ROYAL_FLUSH: 20,
    Category.FIVE_OF_A_KIND: 13,
}

WITH_DEUCES: Final[Mapping[Category, int]] = {
    Category.NOTHING: 799_680,
    Category.ONE_PAIR: 1_225_008,
    Category.TWO_PAIR: 95_040,
    Category.THREE_OF_A_KIND: 355_080,
    Category.STRAIGHT: 62_232,
    Category.FLUSH: 14_472,
    Category.FULL_HOUSE: 12_672,
    Category.FOUR_OF_A_KIND: 31_552,
    Category.STRAIGHT_FLUSH: 2_068,
    Category.ROYAL_FLUSH: 484,
    Category.FIVE_OF_A_KIND: 624,
    Category.FOUR_DEUCES: 48,
}
"""All hands of 52 cards where deuces are wild."""


def frequencies(jokers: int, deuces: bool = False) -> Mapping[str, float]:
    """Return the share of each category, by its name, among five cards dealt from a deck with no joker or one.

    ``deuces``: they are wild.
    """
    if deuces:
        return {kind.name: count / sum(WITH_DEUCES.values()) for kind, count in WITH_DEUCES.items()}
    holding = WITH_JOKER if jokers else {}
    counts = {kind: NATURAL.get(kind, 0) + holding.get(kind, 0) for kind in Category}
    all_hands = sum(counts.values())
    return {kind.name: count / all_hands for kind, count in counts.items() if count}
