"""Held cards: what they are in the words of players, and those that everybody who plays well holds.

The rules below were found with the odds, and are tested with them: a review calls none of these holds worse than fine.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import SUITS, Card, Rank
from webapp.engine.label import Label
from webapp.engine.poker.making import making
from webapp.engine.poker.pay_tables import PayTable
from webapp.engine.poker.ranking import Category, Ranked, common_suits, label, rank

HAND: Final = 5
_ACE_LOW: Final = 1
_LEAST_TO_A_ROYAL: Final = 2
_LEAST: Final = 3
"""Fewer cards of one suit, or in a row, are only some cards."""


def is_made(hand: Sequence[Card], positions: Collection[int], wild: Rank = Rank.JOKER) -> bool:
    """Return True if the cards at these positions, from 1, make the hand what it is already."""
    made = making(hand, wild)
    only_joker = rank(hand, wild).category is Category.JOKER and len(positions) < 2
    return bool(made) and not only_joker and set(made) <= set(positions)


def held(hand: Sequence[Card], positions: Collection[int], wild: Rank = Rank.JOKER) -> Label:
    """Return what the cards of a hand at these positions, from 1, are when the others are exchanged."""
    kept = tuple(hand[position - 1] for position in sorted(positions))
    if not kept:
        return Label.of("HELD_NONE")
    ranked, made = rank(hand, wild), is_made(hand, positions, wild)
    if len(kept) == HAND or (made and len(kept) == len(making(hand, wild))):
        return label(ranked)
    return _draw_to(kept, wild) or (label(ranked) if made else Label.of("HELD_CARDS", cards=kept))


def _draw_to(kept: Sequence[Card], wild: Rank) -> Label | None:
    """Return what cards can become that are of one suit or in a row; None for other cards."""
    count, ranks = len(kept), [int(card.rank) for card in kept if card.rank is not wild]
    suited = bool(common_suits(kept, wild))
    ways = set(_straights(ranks)) if len(set(ranks)) == len(ranks) else set()
    if suited and ranks and count >= _LEAST_TO_A_ROYAL and min(ranks) >= Rank.TEN:
        return _to("ROYAL", count)
    if suited and ranks and ways and count >= _LEAST:
        return _to("STRAIGHT_FLUSH", count)
    if suited and ranks and count >= _LEAST:
        return _to("FLUSH", count)
    if ranks and ways and count >= _LEAST:
        return _to("STRAIGHT_OPEN" if count == HAND - 1 and len(ways) > 1 else "STRAIGHT", count)
    return None


def _to(what: str, count: int) -> Label:
    return Label.of(f"HELD_{what}", count=count)


def _straights(ranks: Sequence[int]) -> Iterator[int]:
    """Yield the lowest rank of each straight that has all these ranks; an ace is low, too."""
    for low in range(_ACE_LOW, Rank.TEN + 1):
        straight = {Rank.ACE if rank == _ACE_LOW else rank for rank in range(low, low + HAND)}
        if straight.issuperset(ranks):
            yield low


@dataclass(frozen=True, slots=True)
class _Made:
    """A hand that pays: how many cards are of one suit, and how many of these could be in a royal flush.

    Wild cards are of all suits, and ``wilds`` in number. ``aces``: its deciding rank is the ace.
    """

    wilds: int
    most: int
    highest: int
    aces: bool

    @classmethod
    def of(cls, hand: Sequence[Card], ranked: Ranked, wild: Rank) -> "_Made":
        tame = [card for card in hand if card.rank is not wild]
        wilds, high = len(hand) - len(tame), [card for card in tame if card.rank >= Rank.TEN]
        return cls(wilds, wilds + _of_one_suit(tame), wilds + _of_one_suit(high), ranked.ranks[0] is Rank.ACE)


_Rule = Callable[[_Made], bool]
_Rules = Mapping[Category, _Rule]


def _always(_: _Made) -> bool:
    return True


def _without_aces(made: _Made) -> bool:
    return not made.aces


def _up_to_two_wilds(made: _Made) -> bool:
    return made.wilds <= 2


_WITH_ONE_EXCHANGE: Final[_Rules] = {
    Category.ONE_PAIR: lambda made: made.most < 4 and made.highest < 3,
    Category.TWO_PAIR: _always,
    Category.THREE_OF_A_KIND: lambda made: not made.wilds or made.most < 4,
    Category.STRAIGHT: lambda made: not made.wilds and made.most < 4,
    Category.FLUSH: lambda made: not made.wilds and made.highest < 4,
    Category.FULL_HOUSE: _always,
    Category.FOUR_OF_A_KIND: _always,
    Category.STRAIGHT_FLUSH: _always,
    Category.ROYAL_FLUSH: _always,
    Category.FIVE_OF_A_KIND: _always,
}
_WITH_BONUS: Final[_Rules] = {
    **_WITH_ONE_EXCHANGE,
    Category.TWO_PAIR: _without_aces,
    Category.FULL_HOUSE: _without_aces,
}
"""Where four aces pay much more than others, and two pair no more than the bet."""
_WITH_DEUCES: Final[_Rules] = {
    Category.THREE_OF_A_KIND: lambda made: made.wilds < 2 and made.most < 4,
    Category.STRAIGHT: lambda made: not made.wilds and made.most < 4,
    Category.FLUSH: lambda made: not made.wilds and made.highest < 4,
    Category.FULL_HOUSE: _always,
    Category.FOUR_OF_A_KIND: _up_to_two_wilds,
    Category.STRAIGHT_FLUSH: lambda made: made.wilds in (1, 2) or (not made.wilds and made.highest < 4),
    Category.FIVE_OF_A_KIND: _up_to_two_wilds,
    Category.ROYAL_FLUSH: _always,
    Category.FOUR_DEUCES: _always,
}
_AT_OWN_TABLES: Final[_Rules] = {Category.ROYAL_FLUSH: lambda made: not made.wilds}
_WITH_SEVERAL: Final[_Rules] = {
    Category.ONE_PAIR: lambda made: made.most < 3,
    Category.THREE_OF_A_KIND: lambda made: not made.wilds,
    Category.FOUR_OF_A_KIND: _always,
    Category.FIVE_OF_A_KIND: _always,
}


def sure_hold(pay_table: PayTable, hand: Sequence[Card], exchanges_left: int) -> tuple[int, ...]:
    """Return the positions, from 1, of the cards that make a hand which pays, if holding them is certainly right.

    It is empty where such a hand may have a better draw: to a flush or a straight flush, or with the joker.
    """
    ranked = pay_table.rank(hand)
    rule = _rules_of(pay_table, exchanges_left).get(ranked.category)
    return pay_table.making(hand) if rule and rule(_Made.of(hand, ranked, pay_table.wild)) else ()


def _rules_of(pay_table: PayTable, exchanges_left: int) -> _Rules:
    if exchanges_left > 1:
        return _WITH_SEVERAL
    if pay_table.is_own:
        return _AT_OWN_TABLES
    if pay_table.wild is Rank.TWO:
        return _WITH_DEUCES
    return _WITH_BONUS if pay_table.breaks_aces else _WITH_ONE_EXCHANGE


def _of_one_suit(cards: Iterable[Card]) -> int:
    known = tuple(cards)
    return max(sum(card.suit is suit for card in known) for suit in SUITS)
