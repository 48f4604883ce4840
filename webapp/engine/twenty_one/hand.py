"""A hand at twenty-one: its cards, its bet, and what was done with it."""

from dataclasses import dataclass, replace
from typing import Self

from webapp.engine.cards import Card
from webapp.engine.twenty_one.totals import is_bust, total


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
