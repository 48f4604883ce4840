"""Ranking five cards, with or without a wild joker.

Every rank is a digit's place in base five, so the sum of five keys spells how often each rank occurs (a rank occurs at
most four times; the joker has the highest place to itself). The suits are bits, so one ``&`` over the hand says whether
all cards suit each other. Two tables, one for each answer, hold the rank of every possible sum.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations, combinations_with_replacement
from typing import Final

from webapp.engine.cards import RANKS, Card, Rank, format_cards
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


@dataclass(frozen=True, slots=True, order=True)
class Ranked:
    """The rank of a hand. Comparable: by category, then by ``ranks``, the deciding ranks, most important first."""

    category: Category
    ranks: tuple[Rank, ...]


def rank(cards: Sequence[Card]) -> Ranked:
    """Return the best rank of five cards of one deck, at most one of them a joker.

    SetupError for another number of cards, and for ranks no deck holds. The caller must know that no card repeats.
    """
    try:
        a, b, c, d, e = cards
        total = _KEY[a.rank] + _KEY[b.rank] + _KEY[c.rank] + _KEY[d.rank] + _KEY[e.rank]
        if a.suit & b.suit & c.suit & d.suit & e.suit:
            return _SUITED[total]
        return _UNSUITED[total]
    except (ValueError, KeyError):
        raise SetupError(f"not five cards of one deck: {format_cards(cards)}") from None


def label(ranked: Ranked) -> Label:
    """Return the label of a hand with the ranks that are spoken: ``FULL_HOUSE`` high=queen, low=seven."""
    spoken = dict(zip(("high", "low"), ranked.ranks, strict=False))
    if ranked.category not in _SPOKEN_WITH_TWO:
        spoken.pop("low", None)
    if ranked.category is Category.ROYAL_FLUSH:
        spoken.clear()
    return Label.of(ranked.category.name, **spoken)


_SPOKEN_WITH_TWO: Final = (Category.TWO_PAIR, Category.FULL_HOUSE)
_KEY: Final = (5**13, 0, *(5**place for place in range(13)))
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


def _table(suited: bool) -> dict[int, Ranked]:
    """Return all hands of one suit, or all others, by the sum of their keys."""
    choose = combinations if suited else combinations_with_replacement
    table = {_key(ranks): _natural(ranks, suited) for ranks in choose(RANKS, 5)}
    with_joker = {_key(ranks) + _KEY[Rank.JOKER]: _with_joker(ranks, suited, table) for ranks in choose(RANKS, 4)}
    return {total: hand for total, hand in table.items() if hand.category < Category.FIVE_OF_A_KIND} | with_joker


def _with_joker(ranks: tuple[Rank, ...], suited: bool, natural: dict[int, Ranked]) -> Ranked:
    """Return the best of what the joker can stand for. In a flush it stands for a rank that is not there yet."""
    total = _key(ranks)
    best = max(natural[total + _KEY[rank]] for rank in RANKS if not (suited and rank in ranks))
    return best if best.category > Category.JOKER else Ranked(Category.JOKER, best.ranks)


_SUITED: Final = _table(suited=True)
_UNSUITED: Final = _table(suited=False)
