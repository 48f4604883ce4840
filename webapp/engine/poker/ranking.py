"""Ranking five cards: with or without a wild joker, or with wild deuces.

Every rank is a digit's place in base five, so the sum of five keys spells how often each rank occurs (a rank occurs at
most four times; wild cards have the highest place to themselves). The suits are bits, so one ``&`` over the hand says
whether all cards suit each other. Two tables, one for each answer, hold the rank of every possible sum.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce
from itertools import combinations, combinations_with_replacement
from operator import and_
from typing import Final

from webapp.engine.cards import RANKS, Card, Rank, Suit, format_cards
from webapp.engine.errors import SetupError
from webapp.engine.label import Label


class Category(IntEnum):
    """Kinds of hands, weak to strong."""

    NOTHING = 0
    ONE_PAIR = 1
    JOKER = 2
    """Holds the joker and makes nothing of two pair or better. By value a pair of its highest other card."""
    TWO_PAIR = 3
    THREE_OF_A_KIND = 4
    STRAIGHT = 5
    FLUSH = 6
    FULL_HOUSE = 7
    FOUR_OF_A_KIND = 8
    STRAIGHT_FLUSH = 9
    ROYAL_FLUSH = 10
    FIVE_OF_A_KIND = 11
    FOUR_DEUCES = 12
    """All four deuces where they are wild."""


@dataclass(frozen=True, slots=True, order=True)
class Ranked:
    """The rank of a hand. Comparable: by category, then by ``ranks``, the deciding ranks, most important first."""

    category: Category
    ranks: tuple[Rank, ...]


def rank(cards: Sequence[Card], wild: Rank = Rank.JOKER) -> Ranked:
    """Return the best rank of five cards of one deck, at most one of them a joker.

    ``wild``: the rank of the wild cards, which is that of the joker or the deuce.
    SetupError for another number of cards, and for ranks no deck holds. The caller must know that no card repeats.
    """
    try:
        if wild is Rank.TWO:
            total = sum(_KEY_WITH_DEUCES[card.rank] for card in cards)
            return (_SUITED_DEUCES if common_suits(cards, wild) else _UNSUITED_DEUCES)[total]
        a, b, c, d, e = cards
        total = _KEY[a.rank] + _KEY[b.rank] + _KEY[c.rank] + _KEY[d.rank] + _KEY[e.rank]
        if a.suit & b.suit & c.suit & d.suit & e.suit:
            return _SUITED[total]
        return _UNSUITED[total]
    except (ValueError, KeyError):
        raise SetupError(f"not five cards of one deck: {format_cards(cards)}") from None


def substitute(cards: Sequence[Card]) -> Ranked:
    """Return the rank of the best hand that up to four jokers can stand for among five cards."""
    return (_SUITED_TABLE if common_suits(cards) else _UNSUITED_TABLE)[_key(card.rank for card in cards)]


def common_suits(cards: Iterable[Card], wild: Rank = Rank.JOKER) -> int:
    """Return the suits that all cards have in common, as bits; a wild card is of any."""
    return reduce(and_, (card.suit for card in cards if card.rank is not wild), int(Suit.ANY))


def label(ranked: Ranked) -> Label:
    """Return the label of a hand with the ranks that are spoken: ``FULL_HOUSE`` high=queen, low=seven."""
    spoken = dict(zip(("high", "low"), ranked.ranks, strict=False))
    if ranked.category not in _SPOKEN_WITH_TWO:
        spoken.pop("low", None)
    if ranked.category in (Category.ROYAL_FLUSH, Category.FOUR_DEUCES):
        spoken.clear()
    return Label.of(ranked.category.name, **spoken)


_SPOKEN_WITH_TWO: Final = (Category.TWO_PAIR, Category.FULL_HOUSE)
_KEY: Final = (5**13, 0, *(5**place for place in range(13)))
_KEY_WITH_DEUCES: Final = tuple(_KEY[0] if place == Rank.TWO else key for place, key in enumerate(_KEY))
_HAND: Final = 5
_WHEEL: Final = (Rank.ACE, Rank.FIVE, Rank.FOUR, Rank.THREE, Rank.TWO)
_CATEGORY_OF_COUNTS: Final = {
    (5,): Category.FIVE_OF_A_KIND,
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.ONE_PAIR,
}


def _natural(ranks: Iterable[Rank], suited: bool) -> Ranked:
    """Rank five ranks without a joker."""
    by_count = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    order = tuple(rank for rank, _ in by_count)
    counts = tuple(count for _, count in by_count)
    if counts in _CATEGORY_OF_COUNTS:
        return Ranked(_CATEGORY_OF_COUNTS[counts], order)
    straight_to = Rank.FIVE if order == _WHEEL else order[0] if order[0] - order[4] == 4 else None
    if straight_to is None:
        return Ranked(Category.FLUSH if suited else Category.NOTHING, order)
    if not suited:
        return Ranked(Category.STRAIGHT, (straight_to,))
    royal = straight_to is Rank.ACE
    return Ranked(Category.ROYAL_FLUSH if royal else Category.STRAIGHT_FLUSH, (straight_to,))


def _key(ranks: Iterable[Rank]) -> int:
    return sum(_KEY[rank] for rank in ranks)


def _tables() -> tuple[dict[int, Ranked], dict[int, Ranked]]:
    """Return hands of one suit, and all others, by the sum of their keys, with up to four wild cards.

    A wild card stands for whatever makes the best hand; in a flush for a rank that is not there yet.
    """
    suited = {_key(ranks): _natural(ranks, suited=True) for ranks in combinations(RANKS, _HAND)}
    others = {_key(ranks): _natural(ranks, suited=False) for ranks in combinations_with_replacement(RANKS, _HAND)}
    for wilds in range(1, _HAND):
        for ranks in combinations_with_replacement(RANKS, _HAND - wilds):
            total = _key(ranks) + (wilds - 1) * _WILD
            others[total + _WILD] = max(others[total + _KEY[rank]] for rank in RANKS)
        for ranks in combinations(RANKS, _HAND - wilds):
            total = _key(ranks) + (wilds - 1) * _WILD
            flushes = (suited[total + _KEY[rank]] for rank in RANKS if rank not in ranks)
            suited[total + _WILD] = max(*flushes, others[total + _WILD])
    for rank in RANKS:
        del others[_key((rank,) * _HAND)]
    return suited, others


def _with_joker(table: dict[int, Ranked]) -> dict[int, Ranked]:
    """Return the hands with one wild card at most, in which a pair with the joker is a joker."""
    return {
        total: Ranked(Category.JOKER, hand.ranks) if total >= _WILD and hand.category < Category.JOKER else hand
        for total, hand in table.items()
        if total < 2 * _WILD
    }


def _with_deuces(table: dict[int, Ranked]) -> dict[int, Ranked]:
    """Return the hands in which four wild cards are four deuces."""
    return {
        total: Ranked(Category.FOUR_DEUCES, (Rank.TWO,)) if total >= 4 * _WILD else hand
        for total, hand in table.items()
    }


_WILD: Final = _KEY[Rank.JOKER]
_SUITED_TABLE, _UNSUITED_TABLE = _tables()
_SUITED: Final = _with_joker(_SUITED_TABLE)
_UNSUITED: Final = _with_joker(_UNSUITED_TABLE)
_SUITED_DEUCES: Final = _with_deuces(_SUITED_TABLE)
_UNSUITED_DEUCES: Final = _with_deuces(_UNSUITED_TABLE)
