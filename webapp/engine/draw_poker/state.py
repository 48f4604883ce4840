"""A hand of draw poker as a value."""

from dataclasses import dataclass, replace
from enum import StrEnum

from webapp.engine.cards import Card, Stock
from webapp.engine.draw_poker.double_up import DoubleUpOutcome, DoubleUpRound
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.game import Setup
from webapp.engine.label import Label
from webapp.engine.poker.making import stand_ins
from webapp.engine.poker.ranking import Ranked


class DrawPhase(StrEnum):
    """The decision that comes next."""

    EXCHANGE = "exchange"
    ASK = "ask"
    PICK = "pick"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A hand that was drawn from the same hold beside the first one, with a pack of its own.

    ``dealt``: the cards that have left this pack, among them those that lie in the first hand already and are passed
    over.
    """

    hand: tuple[Card, ...]
    dealt: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DrawState:
    """A hand. ``held`` and ``fresh`` are positions from 1: those the last exchange held, and those it filled anew.

    ``lines``: the other hands that were drawn from the same hold; ``score`` is what all of them come to.
    """

    setup: Setup
    rules: DrawRules
    phase: DrawPhase
    hand: tuple[Card, ...]
    stock: Stock
    exchanges_left: int
    held: tuple[int, ...]
    fresh: tuple[int, ...]
    said: tuple[Label, ...]
    score: int = 0
    rounds: tuple[DoubleUpRound, ...] = ()
    lines: tuple[DrawnLine, ...] = ()

    @property
    def stake(self) -> int:
        """The factor of the pay table, for each hand."""
        return self.setup.stakes[0] if self.rules.bets else 1

    @property
    def all_stakes(self) -> int:
        """The factor of the pay table for all hands that are drawn from the hold together."""
        return sum(self.setup.stakes) if self.rules.bets else 1

    @property
    def hands(self) -> tuple["DrawState", ...]:
        """This state, and one for each line, with its hand in the place of the first."""
        return (self, *(replace(self, hand=line.hand) for line in self.lines))

    @property
    def best(self) -> "DrawState":
        """The one of ``hands`` that pays most, or is the strongest of those that pay alike; the first of equals."""
        return max(self.hands, key=lambda state: (state.worth, state.ranked)) if self.lines else self

    @property
    def worth(self) -> int:
        """Payout of the hand as it stands, without the other lines."""
        return self.stake * self.rules.pay_table.pays(self.hand)

    @property
    def ranked(self) -> Ranked:
        """The rank of the hand as it stands."""
        return self.rules.pay_table.rank(self.hand)

    @property
    def making(self) -> tuple[int, ...]:
        """Positions of the cards that pay, none where nothing is paid."""
        return self.rules.pay_table.making(self.hand) if self.worth else ()

    @property
    def stand_ins(self) -> tuple[str | None, ...]:
        """Letters of the card that each card stands for, None for one that is not wild."""
        cards = stand_ins(self.hand, self.rules.pay_table.wild)
        return tuple(str(card) if card else None for card in cards)

    @property
    def wins(self) -> int:
        """Rounds of the double-up that were won."""
        return sum(round.outcome is DoubleUpOutcome.WIN for round in self.rounds)
