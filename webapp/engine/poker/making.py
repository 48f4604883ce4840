"""Cards that make a hand what it is, and the card that the joker stands for in it."""

from collections.abc import Sequence
from typing import Final

from webapp.engine.cards import RANKS, SUITS, Card, Suit
from webapp.engine.poker.ranking import Category, rank

_RANKS_THAT_COUNT: Final = {
    Category.NOTHING: 0,
    Category.ONE_PAIR: 1,
    Category.JOKER: 1,
    Category.TWO_PAIR: 2,
    Category.THREE_OF_A_KIND: 1,
    Category.FOUR_OF_A_KIND: 1,
}
"""Numbers of cards of the deciding ranks that make the hand; all five cards make one that is not here."""


def making(hand: Sequence[Card]) -> tuple[int, ...]:
    """Return the positions, from 1, of the cards that make the category of a hand; none of a hand that is nothing.

    The others are kickers: with any other cards in their place the hand is at least of this category. The joker pairs
    with the highest other card of a hand that makes nothing better.
    """
    ranked = rank(hand)
    count = _RANKS_THAT_COUNT.get(ranked.category)
    if count is None:
        return tuple(range(1, len(hand) + 1))
    ranks = ranked.ranks[:count]
    return tuple(place for place, card in enumerate(hand, 1) if ranks and (card.is_joker or card.rank in ranks))


def stands_for(hand: Sequence[Card]) -> Card | None:
    """Return the card that the joker of a hand stands for; None if it holds none.

    In its place that card gives the same hand. The rank follows from the hand. Where any suit would do it is the first
    of spades, hearts, diamonds and clubs whose card is not in the hand; the fifth of a kind is of spades.
    """
    place = next((place for place, card in enumerate(hand) if card.is_joker), None)
    if place is None:
        return None
    ranked = rank(hand)
    if ranked.category is Category.FIVE_OF_A_KIND:
        return Card(ranked.ranks[0], Suit.SPADES)
    wanted = (Category.ONE_PAIR, ranked.ranks) if ranked.category is Category.JOKER else (ranked.category, ranked.ranks)
    for card in _CANDIDATES:
        if card not in hand:
            natural = rank((*hand[:place], card, *hand[place + 1 :]))
            if (natural.category, natural.ranks) == wanted:
                return card
    raise AssertionError(f"nothing stands for the joker of {hand}")


_CANDIDATES: Final = tuple(Card(each, suit) for each in reversed(RANKS) for suit in reversed(SUITS))
"""All cards, the ace of spades first: in the order in which the joker takes them."""
