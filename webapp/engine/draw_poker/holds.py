"""Held cards: what they are in the words of players, and those that everybody who plays well holds.

The rules below were found with the odds, and are tested with them: a review calls none of these holds worse than fine.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import SUITS, Card, Rank
from webapp.engine.label import Label
from webapp.engine.poker.making import making
from webapp.engine.poker.ranking import Category, label, rank

HAND: Final = 5
_ACE_LOW: Final = 1
_LEAST_TO_A_ROYAL: Final = 2
_LEAST: Final = 3
"""Fewer cards of one suit, or in a row, are only some cards."""


def is_made(hand: Sequence[Card], positions: Collection[int]) -> bool:
    """Return True if the cards at these positions, from 1, make the hand what it is already."""
    made = making(hand)
    only_joker = rank(hand).category is Category.JOKER and len(positions) < 2
    return bool(made) and not only_joker and set(made) <= set(positions)


def held(hand: Sequence[Card], positions: Collection[int]) -> Label:
    """Return what the cards of a hand at these positions, from 1, are when the others are exchanged."""
    kept = tuple(hand[position - 1] for position in sorted(positions))
    if not kept:
        return Label.of("HELD_NONE")
    ranked = rank(hand)
    made = is_made(hand, positions)
    if len(kept) == HAND or (made and (ranked.category is not Category.JOKER or len(kept) == len(making(hand)))):
        return label(ranked)
    count, ranks = len(kept), [int(card.rank) for card in kept if not card.is_joker]
    suited = any(all(card.suit & suit for card in kept) for suit in SUITS)
    ways = set(_straights(ranks)) if len(set(ranks)) == len(ranks) else set()
    if suited and ranks and count >= _LEAST_TO_A_ROYAL and min(ranks) >= Rank.TEN:
        return _to("ROYAL", count)
    if suited and ranks and ways and count >= _LEAST:
        return _to("STRAIGHT_FLUSH", count)
    if suited and ranks and count >= _LEAST:
        return _to("FLUSH", count)
    if ranks and ways and count >= _LEAST:
        return _to("STRAIGHT_OPEN" if count == HAND - 1 and len(ways) > 1 else "STRAIGHT", count)
    return label(ranked) if made else Label.of("HELD_CARDS", cards=kept)


def _to(what: str, count: int) -> Label:
    return Label.of(f"HELD_{what}", count=count)


def _straights(ranks: Sequence[int]) -> Iterator[int]:
    """Yield the lowest rank of each straight that has all these ranks; an ace is low, too."""
    for low in range(_ACE_LOW, Rank.TEN + 1):
        straight = {Rank.ACE if rank == _ACE_LOW else rank for rank in range(low, low + HAND)}
        if straight.issuperset(ranks):
            yield low


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
