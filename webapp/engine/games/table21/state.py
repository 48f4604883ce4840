"""A round at a table with a bank among the players, as a value."""

from dataclasses import dataclass, replace

from webapp.engine.action import Seat
from webapp.engine.cards import Card
from webapp.engine.game import Setup
from webapp.engine.games.table21.hand import Table21Hand
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.label import Label
from webapp.engine.stock import Stock


@dataclass(frozen=True, slots=True)
class Table21State:
    """``hands`` has a row for each seat, the bank's too. ``turn`` is (seat, hand) in play, None when the round is over.

    ``turned``: whether the bank's second card lies open.
    """

    setup: Setup
    rules: Table21Rules
    bank: Seat
    stock: Stock
    hands: tuple[tuple[Table21Hand, ...], ...]
    turn: tuple[Seat, int] | None = None
    turned: bool = False
    said: tuple[Label, ...] = ()

    @property
    def order(self) -> tuple[Seat, ...]:
        """Who acts after whom: clockwise from the seat after the bank, the bank last."""
        count = len(self.hands)
        return tuple(Seat((self.bank + step) % count) for step in range(1, count + 1))

    @property
    def players(self) -> tuple[Seat, ...]:
        """All but the bank, in the order in which they act."""
        return self.order[:-1]

    @property
    def bank_hand(self) -> Table21Hand:
        return self.hands[self.bank][0]

    @property
    def is_banks_turn(self) -> bool:
        return self.turn is not None and self.turn[0] == self.bank

    @property
    def all_bust(self) -> bool:
        """Whether every hand of every player is: then there is nobody left to play against."""
        return all(hand.is_bust for seat in self.players for hand in self.hands[seat])

    @property
    def hand(self) -> Table21Hand:
        """The hand in play."""
        assert self.turn is not None
        return self.hands[self.turn[0]][self.turn[1]]

    def with_hand(self, *hands: Table21Hand) -> "Table21State":
        """With the hand in play replaced, by two when it is split."""
        assert self.turn is not None
        seat, index = self.turn
        row = (*self.hands[seat][:index], *hands, *self.hands[seat][index + 1 :])
        return replace(self, hands=(*self.hands[:seat], row, *self.hands[seat + 1 :]))

    def draw(self) -> tuple[Card, "Table21State"]:
        (card,), stock = self.stock.take(1)
        return card, replace(self, stock=stock)

    def saying(self, *labels: Label) -> "Table21State":
        """With something more to be said."""
        return replace(self, said=(*self.said, *labels))
