"""A round of blackjack as a value: hands, each with its own bet, and the boxes they lie on."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from webapp.engine.cards import Card, Rank, Stock
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.shoe import reserve
from webapp.engine.label import Label
from webapp.engine.twenty_one.hand import BEST, TwentyOneHand, is_natural, value


@dataclass(frozen=True, slots=True)
class BlackjackHand(TwentyOneHand):
    """A hand with its bet. ``fresh``: how many of its cards, the last ones, came with the latest action."""

    surrendered: bool = False
    fresh: int = 0

    def with_card(self, card: Card) -> Self:
        """Return the hand with one card more, which is new."""
        return replace(self, cards=(*self.cards, card), fresh=self.fresh + 1)

    def without_highlights(self) -> Self:
        """Return the hand with no card that is new."""
        return replace(self, fresh=0) if self.fresh else self

    def is_natural(self, rules: BlackjackRules) -> bool:
        """Return whether it is a natural; a ten on a split ace is 21, not a natural."""
        return rules.naturals and not self.split and is_natural(self.cards)

    def is_undecided(self, rules: BlackjackRules) -> bool:
        """Return whether the dealer's total decides it: not bust, not surrendered, not a natural."""
        return not (self.is_bust or self.surrendered or self.is_natural(rules))

    def is_done(self, rules: BlackjackRules, hands: int) -> bool:
        """Return whether nothing can be done to it any more. ``hands``: how many the box has."""
        if self.stood or self.doubled or not self.is_undecided(rules):
            return True
        if not self.may_hit(rules):
            return not self.may_split(rules, hands)
        return rules.auto_stand_21 and self.total == BEST

    def may_hit(self, rules: BlackjackRules) -> bool:
        """Return whether it may draw."""
        return rules.hit_split_aces or not self._is_of_split_aces

    def may_double(self, rules: BlackjackRules) -> bool:
        """Return whether it may be doubled."""
        if len(self.cards) != 2 or not self.may_hit(rules) or (self.split and not rules.double_after_split):
            return False
        return rules.may_double_total(self.total)

    def may_split(self, rules: BlackjackRules, hands: int) -> bool:
        """Return whether it may be split. ``hands``: how many the box has already."""
        if len(self.cards) != 2 or hands >= rules.max_hands or rules.split_by == "none":
            return False
        if self._is_of_split_aces and not rules.resplit_aces:
            return False
        a, b = self.cards
        return a.rank is b.rank or (rules.split_by == "value" and value(a) == value(b))

    def may_surrender(self, rules: BlackjackRules) -> bool:
        """Return whether it may be surrendered: as the first action only."""
        return rules.surrender == "late" and len(self.cards) == 2 and not self.split

    @property
    def _is_of_split_aces(self) -> bool:
        return self.split and self.cards[0].rank is Rank.ACE


@dataclass(frozen=True, slots=True)
class Box:
    """A place at the table. ``insurance`` is None until it is asked, 0 when declined."""

    bet: int
    hands: tuple[BlackjackHand, ...]
    insurance: int | None = None

    def put(self, index: int, *hands: BlackjackHand) -> "Box":
        """Return the box with the hand at an index replaced, by two when it is split."""
        return replace(self, hands=(*self.hands[:index], *hands, *self.hands[index + 1 :]))

    @property
    def insurable(self) -> int:
        """Cost of an insurance of this box: half the bet, rounded down, so that a bet of 1 has none."""
        return self.bet // 2

    @property
    def committed(self) -> int:
        """Chips that lie here, the insurance included."""
        return sum(hand.bet for hand in self.hands) + (self.insurance or 0)


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
