"""A hand at a table where one of the players banks."""

from dataclasses import dataclass

from webapp.engine.twenty_one.hand import TwentyOneHand
from webapp.engine.twenty_one.totals import BEST, is_natural


@dataclass(frozen=True, slots=True)
class Table21Hand(TwentyOneHand):
    """A hand of a player; the banker's has no ``bet``."""

    @property
    def is_natural(self) -> bool:
        """Ace and ten; never after a split."""
        return not self.split and is_natural(self.cards)

    @property
    def is_done(self) -> bool:
        """No action is left: the player stood or doubled, or the total is 21 or more."""
        return self.stood or self.doubled or self.total >= BEST

    @property
    def may_double(self) -> bool:
        """The first two cards of an unsplit hand only."""
        return len(self.cards) == 2 and not self.split

    @property
    def may_split(self) -> bool:
        """The first two cards, of equal rank, once."""
        return self.may_double and self.cards[0].rank is self.cards[1].rank
