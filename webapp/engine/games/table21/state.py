"""A round at a table where one of the players banks, as a value: its hands and what was done with them."""

from dataclasses import dataclass, replace

from webapp.engine.action import Seat
from webapp.engine.cards import Card, Stock
from webapp.engine.game import Setup
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.label import Label
from webapp.engine.twenty_one.hand import BEST, TwentyOneHand, is_natural


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


@dataclass(frozen=True, slots=True)
class Table21State:
    """A round. ``hands`` has a row for each seat, the banker's too.

    ``turn`` is (seat, hand) in play, None when it is over. ``turned``: the banker's second card lies open. ``void``:
    the round does not count, so nobody wins or loses, whatever the cards say.
    """

    setup: Setup
    rules: Table21Rules
    banker: Seat
    stock: Stock
    hands: tuple[tuple[Table21Hand, ...], ...]
    turn: tuple[Seat, int] | None = None
    turned: bool = False
    said: tuple[Label, ...] = ()
    void: bool = False

    @property
    def order(self) -> tuple[Seat, ...]:
        """All seats in the order in which they act: clockwise from the seat after the banker, who is last."""
        count = len(self.hands)
        return tuple(Seat((self.banker + step) % count) for step in range(1, count + 1))

    @property
    def players(self) -> tuple[Seat, ...]:
        """All but the banker, in the order in which they act."""
        return self.order[:-1]

    @property
    def banker_hand(self) -> Table21Hand:
        """The banker's only hand."""
        return self.hands[self.banker][0]

    @property
    def is_bankers_turn(self) -> bool:
        """The hand in play is the banker's."""
        return self.turn is not None and self.turn[0] == self.banker

    @property
    def all_bust(self) -> bool:
        """Every hand of every player is bust: then the banker has nobody to play against."""
        return all(hand.is_bust for seat in self.players for hand in self.hands[seat])

    @property
    def hand(self) -> Table21Hand:
        """The hand in play."""
        assert self.turn is not None
        return self.hands[self.turn[0]][self.turn[1]]

    def with_hand(self, *hands: Table21Hand) -> "Table21State":
        """Return the state with the hand in play replaced, by two when it is split."""
        assert self.turn is not None
        seat, index = self.turn
        row = (*self.hands[seat][:index], *hands, *self.hands[seat][index + 1 :])
        return replace(self, hands=(*self.hands[:seat], row, *self.hands[seat + 1 :]))

    def draw(self) -> tuple[Card, "Table21State"]:
        """Return the next card, and the state without it in the pack."""
        (card,), stock = self.stock.take(1)
        return card, replace(self, stock=stock)

    def with_messages(self, *labels: Label) -> "Table21State":
        """Return the state with more messages."""
        return replace(self, said=(*self.said, *labels))
