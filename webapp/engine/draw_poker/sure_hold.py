"""Hands whose paying cards are held by everybody who plays well: what a page may recommend without the odds.

The rules below were found with the odds, and are tested with them: a review calls none of these holds worse than fine.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import SUITS, Card, Rank
from webapp.engine.poker.making import making
from webapp.engine.poker.ranking import Category, rank


@dataclass(frozen=True, slots=True)
class _Suits:
    """How many cards are of one suit, and how many of these could be in a royal flush. The joker is of all suits."""

    joker: bool
    most: int
    highest: int

    @classmethod
    def of(cls, hand: Sequence[Card]) -> "_Suits":
        joker = any(card.is_joker for card in hand)
        return cls(joker, _of_one_suit(hand), _of_one_suit(card for card in hand if card.rank >= Rank.TEN))


_Rule = Callable[[_Suits], bool]


def _always(_: _Suits) -> bool:
    return True


_WITH_ONE_EXCHANGE: Final[Mapping[Category, _Rule]] = {
    Category.ONE_PAIR: lambda suits: suits.most < 4 and suits.highest < 3,
    Category.TWO_PAIR: _always,
    Category.THREE_OF_A_KIND: lambda suits: not suits.joker or suits.most < 4,
    Category.STRAIGHT: lambda suits: not suits.joker and suits.most < 4,
    Category.FLUSH: lambda suits: not suits.joker and suits.highest < 4,
    Category.FULL_HOUSE: _always,
    Category.FOUR_OF_A_KIND: _always,
    Category.STRAIGHT_FLUSH: _always,
    Category.ROYAL_FLUSH: _always,
    Category.FIVE_OF_A_KIND: _always,
}
_WITH_SEVERAL: Final[Mapping[Category, _Rule]] = {
    Category.ONE_PAIR: lambda suits: suits.most < 3,
    Category.THREE_OF_A_KIND: lambda suits: not suits.joker,
    Category.FOUR_OF_A_KIND: _always,
    Category.FIVE_OF_A_KIND: _always,
}


def sure_hold(hand: Sequence[Card], exchanges_left: int) -> tuple[int, ...]:
    """Return the positions, from 1, of the cards that make a hand which pays, if holding them is certainly right.

    It is empty where such a hand may have a better draw: to a flush or a straight flush, or with the joker.
    """
    rule = (_WITH_ONE_EXCHANGE if exchanges_left == 1 else _WITH_SEVERAL).get(rank(hand).category)
    return making(hand) if rule and rule(_Suits.of(hand)) else ()


def _of_one_suit(cards: Iterable[Card]) -> int:
    known = tuple(cards)
    return max(sum(bool(card.suit & suit) for card in known) for suit in SUITS)
