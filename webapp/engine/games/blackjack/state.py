"""A round of blackjack as a value."""

from dataclasses import dataclass, replace
from enum import StrEnum

from webapp.engine.cards import Card, Rank
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.hand import BlackjackHand, Box
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.shoe import reserve
from webapp.engine.label import Label
from webapp.engine.stock import Stock
from webapp.engine.twenty_one.totals import is_natural, value


class BlackjackPhase(StrEnum):
    """The decision that comes next."""

    INSURANCE = "insurance"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class BlackjackState:
    """A round. ``turn`` is (box, hand) in play. The dealer's first card is up; the second, if any, is the hole card."""

    setup: Setup
    rules: BlackjackRules
    phase: BlackjackPhase
    stock: Stock
    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...]
    turn: tuple[int, int] = (0, 0)
    said: tuple[Label, ...] = ()
    ran_out: bool = False

    @property
    def box(self) -> Box:
        """The box in play."""
        return self.boxes[self.turn[0]]

    @property
    def hand(self) -> BlackjackHand:
        """The hand in play."""
        return self.box.hands[self.turn[1]]

    @property
    def hands(self) -> tuple[BlackjackHand, ...]:
        """All hands, from first to last."""
        return tuple(hand for box in self.boxes for hand in box.hands)

    @property
    def left(self) -> int:
        """Cards that this round may still take."""
        return reserve(self.rules, len(self.boxes)) - self.stock.taken

    @property
    def dealer_has_natural(self) -> bool:
        """The dealer's two cards are a natural."""
        return self.rules.naturals and is_natural(self.dealer)

    @property
    def dealer_may_have_natural(self) -> bool:
        """The open card is an ace or a ten."""
        return self.rules.naturals and value(self.dealer[0]) in (1, 10)

    @property
    def is_peeked(self) -> bool:
        """True if it is certain, while the boxes play, that the dealer has no natural."""
        return self.rules.hole_card == "peek" or not self.dealer_may_have_natural

    def is_insurable(self, box: Box) -> bool:
        """Return whether insurance is offered to a box."""
        rules = self.rules
        return rules.insurance and rules.naturals and self.dealer[0].rank is Rank.ACE and box.insurable > 0

    def with_box(self, box: Box) -> "BlackjackState":
        """Return the state with the box in play replaced."""
        index = self.turn[0]
        return replace(self, boxes=(*self.boxes[:index], box, *self.boxes[index + 1 :]))

    def with_hand(self, *hands: BlackjackHand) -> "BlackjackState":
        """Return the state with the hand in play replaced."""
        return self.with_box(self.box.put(self.turn[1], *hands))

    def draw(self) -> tuple[Card, "BlackjackState"]:
        """Return the next card, and the state without it in the shoe."""
        (card,), stock = self.stock.take(1)
        return card, replace(self, stock=stock)

    def without_highlights(self) -> "BlackjackState":
        """Return the state with nothing said and no card new, as it is before an action."""
        boxes = (replace(box, hands=tuple(hand.without_highlights() for hand in box.hands)) for box in self.boxes)
        return replace(self, said=(), boxes=tuple(boxes))

    def with_messages(self, *labels: Label) -> "BlackjackState":
        """Return the state with more messages."""
        return replace(self, said=(*self.said, *labels))
