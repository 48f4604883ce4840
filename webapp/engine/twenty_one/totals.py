"""Counting to twenty-one: the ace is 11 unless that would bust."""

from collections.abc import Sequence
from typing import Final

from webapp.engine.cards import Card, Rank

BEST: Final = 21

_VALUES: Final = tuple(1 if rank == Rank.ACE else min(rank, 10) for rank in range(max(Rank) + 1))
"""Values by rank, because nothing is done more often than counting cards."""


def value(card: Card) -> int:
    """Return the value of a card: 2 to 9 their number, ten and the courts 10, the ace 1."""
    return _VALUES[card.rank]


def hard_total(cards: Sequence[Card]) -> int:
    """Return the total with every ace as 1, which is how a bust hand is shown."""
    return sum([_VALUES[card.rank] for card in cards])


def total(cards: Sequence[Card]) -> int:
    """Return the best total of 21 or less, or the lowest if there is none."""
    hard = hard_total(cards)
    return hard + 10 if _may_soften(cards, hard) else hard


def is_soft(cards: Sequence[Card]) -> bool:
    """Return True if an ace counts 11."""
    return _may_soften(cards, hard_total(cards))


def is_natural(cards: Sequence[Card]) -> bool:
    """Return True for two cards that are an ace and a ten. Callers exclude hands of a split."""
    return len(cards) == 2 and total(cards) == BEST


def is_bust(cards: Sequence[Card]) -> bool:
    """Return True if even the lowest total is above 21."""
    return hard_total(cards) > BEST


def _may_soften(cards: Sequence[Card], hard: int) -> bool:
    return hard <= BEST - 10 and any(card.rank is Rank.ACE for card in cards)


def hi_lo(card: Card) -> int:
    """Return what a card adds to a Hi-Lo count: 1 for 2 to 6, -1 for tens and aces, else 0."""
    return 1 if 2 <= value(card) <= 6 else -1 if value(card) in (1, 10) else 0
