"""Counting to twenty-one: the ace is 11 unless that would bust."""

from collections.abc import Sequence
from typing import Final

from webapp.engine.cards import Card, Rank

BEST: Final = 21

_VALUES: Final = tuple(1 if rank == Rank.ACE else min(rank, 10) for rank in range(max(Rank) + 1))
"""By rank: cards are counted more often than anything else is done."""


def value(card: Card) -> int:
    """2 to 9 their number, ten and the courts 10, the ace 1: what more it may count is up to ``total``."""
    return _VALUES[card.rank]


def hard_total(cards: Sequence[Card]) -> int:
    """With every ace as 1: what a bust hand is said to be."""
    return sum([_VALUES[card.rank] for card in cards])


def total(cards: Sequence[Card]) -> int:
    """The best that the cards count to, or the least if all is too much."""
    hard = hard_total(cards)
    return hard + 10 if _may_soften(cards, hard) else hard


def is_soft(cards: Sequence[Card]) -> bool:
    """Whether an ace counts 11."""
    return _may_soften(cards, hard_total(cards))


def is_natural(cards: Sequence[Card]) -> bool:
    """Ace and ten as the first two cards. Whether the hand came from a split is for the caller to know."""
    return len(cards) == 2 and total(cards) == BEST


def is_bust(cards: Sequence[Card]) -> bool:
    return hard_total(cards) > BEST


def _may_soften(cards: Sequence[Card], hard: int) -> bool:
    return hard <= BEST - 10 and any(card.rank is Rank.ACE for card in cards)


def hi_lo(card: Card) -> int:
    """What a card adds to the running count of those who count: 2 to 6 one, tens and aces minus one."""
    return 1 if 2 <= value(card) <= 6 else -1 if value(card) in (1, 10) else 0
