"""Hands of blackjack, each with its own bet, and the boxes they lie on."""

from dataclasses import dataclass, replace
from typing import Self

from webapp.engine.cards import Card, Rank
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.twenty_one.hand import TwentyOneHand
from webapp.engine.twenty_one.totals import BEST, is_natural, value


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
