"""What held cards are, in the words of players: a hand that is made, or cards to one that may come."""

from collections.abc import Collection, Iterator, Sequence
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
