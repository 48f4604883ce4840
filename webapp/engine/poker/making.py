"""Cards that make a hand what it is, and the cards that wild ones stand for in it."""

from collections.abc import Sequence
from typing import Final

from webapp.engine.cards import JOKER, RANKS, SUITS, Card, Rank, Suit
from webapp.engine.poker.ranking import Category, rank, substitute

_RANKS_THAT_COUNT: Final = {
    Category.NOTHING: 0,
    Category.ONE_PAIR: 1,
    Category.JOKER: 1,
    Category.TWO_PAIR: 2,
    Category.THREE_OF_A_KIND: 1,
    Category.FOUR_OF_A_KIND: 1,
    Category.FOUR_DEUCES: 1,
}
"""Numbers of cards of the deciding ranks that make the hand; all five cards make one that is not here."""


ALL_CARDS: Final = (1, 2, 3, 4, 5)


def making(hand: Sequence[Card], wild: Rank = Rank.JOKER) -> tuple[int, ...]:
    """Return the positions, from 1, of the cards that make the category of a hand; none of a hand that is nothing.

    The others are kickers: with any other cards in their place the hand is at least of this category. A wild card pairs
    with the highest other card of a hand that makes nothing better.
    """
    ranked = rank(hand, wild)
    count = _RANKS_THAT_COUNT.get(ranked.category)
    if count is None:
        return ALL_CARDS
    ranks = ranked.ranks[:count]
    return tuple(place for place, card in enumerate(hand, 1) if card.rank is wild or card.rank in ranks)


def stand_ins(hand: Sequence[Card], wild: Rank = Rank.JOKER) -> tuple[Card | None, ...]:
    """Return for each card of a hand what it stands for: None for one that is not wild, and for four deuces.

    In its place that card gives the same hand. The rank follows from the hand. Where any suit would do it is the first
    of spades, hearts, diamonds and clubs whose card is not in the hand; the fifth of a kind is of spades.
    """
    found: list[Card | None] = [None] * len(hand)
    if rank(hand, wild).category is Category.FOUR_DEUCES:
        return tuple(found)
    laid = [JOKER if card.rank is wild else card for card in hand]
    ranked = substitute(laid)
    fifth = Card(ranked.ranks[0], Suit.SPADES)
    for place in [place for place, card in enumerate(laid) if card.is_joker]:
        for card in _CANDIDATES:
            if card not in laid and substitute((*laid[:place], card, *laid[place + 1 :])) == ranked:
                break
        else:
            card = fifth
        found[place] = laid[place] = card
    return tuple(found)


_CANDIDATES: Final = tuple(Card(each, suit) for each in reversed(RANKS) for suit in reversed(SUITS))
"""All cards, the ace of spades first: in the order in which wild cards take them."""
