"""A hand at a table with a bank among the players: its cards, what lies on it, and what was done with it."""

from dataclasses import dataclass, replace

from webapp.engine.cards import Card
from webapp.engine.twenty_one import BEST, is_bust, is_natural, total


@dataclass(frozen=True, slots=True)
class Hand:
    """``bet`` is what lies on it now, doubled if it was doubled; the bank's has none. ``moves``: the verbs played."""

    cards: tuple[Card, ...]
    bet: int
    split: bool = False
    doubled: bool = False
    stood: bool = False
    moves: tuple[str, ...] = ()

    def with_card(self, card: Card) -> "Hand":
        return replace(self, cards=(*self.cards, card))

    def moved(self, verb: str) -> "Hand":
        return replace(self, moves=(*self.moves, verb))

    @property
    def total(self) -> int:
        return total(self.cards)

    @property
    def is_bust(self) -> bool:
        return is_bust(self.cards)

    @property
    def is_natural(self) -> bool:
        """There is none after a split."""
        return not self.split and is_natural(self.cards)

    @property
    def is_done(self) -> bool:
        """21 stands by itself, and so does what was doubled."""
        return self.stood or self.doubled or self.total >= BEST

    @property
    def may_double(self) -> bool:
        """The first two cards of an unsplit hand only."""
        return len(self.cards) == 2 and not self.split

    @property
    def may_split(self) -> bool:
        """The first two cards, of equal rank, once."""
        return self.may_double and self.cards[0].rank is self.cards[1].rank
