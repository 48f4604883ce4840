"""Hands at twenty-one: their totals, their bets, and those that everybody who plays well plays alike."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

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


@dataclass(frozen=True, slots=True)
class TwentyOneHand:
    """A hand. ``bet`` is what lies on it now, doubled if it was doubled.

    ``moves``: the verbs that were played on it, a split among them for both halves.
    """

    cards: tuple[Card, ...]
    bet: int
    split: bool = False
    doubled: bool = False
    stood: bool = False
    moves: tuple[str, ...] = ()

    def with_card(self, card: Card) -> Self:
        """Return the hand with one card more."""
        return replace(self, cards=(*self.cards, card))

    def moved(self, verb: str) -> Self:
        """Return the hand with one more verb played on it."""
        return replace(self, moves=(*self.moves, verb))

    @property
    def total(self) -> int:
        """The best total."""
        return total(self.cards)

    @property
    def is_bust(self) -> bool:
        """Every total is too much."""
        return is_bust(self.cards)


_CANNOT_BUST: Final = 11
_STANDS: Final = 18
_STANDS_SOFT: Final = 20


def sure_verb(cards: Sequence[Card], *, may_do_more: bool) -> str | None:
    """Return ``hit`` or ``stand`` if it is certainly right against every dealer; None if that depends.

    ``may_do_more``: the hand may also be doubled, split or surrendered. A review calls none of these worse than fine.
    """
    count, soft = total(cards), is_soft(cards)
    if not soft and count <= _CANNOT_BUST and not may_do_more:
        return "hit"
    if count >= (_STANDS_SOFT if soft else _STANDS) and not (may_do_more and _is_pair_of_nines(cards)):
        return "stand"
    return None


def _is_pair_of_nines(cards: Sequence[Card]) -> bool:
    return len(cards) == 2 and total(cards) == _STANDS and cards[0].rank == cards[1].rank
