"""Values of the hands of a box, and of every action that is legal there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from webapp.engine.cards import Rank
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.state import BlackjackHand
from webapp.engine.odds.blackjack.compositions import Shares, index_of, key_of
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes
from webapp.engine.odds.blackjack.hand_values import HandValues, NaturalTakes
from webapp.engine.odds.blackjack.split_cards import Draws
from webapp.engine.odds.blackjack.split_policy import DealtHand, dealt_hand
from webapp.engine.odds.blackjack.split_values import SplitValues
from webapp.engine.odds.blackjack.unseen import Unseen

HIT, STAND, DOUBLE, SPLIT, SURRENDER = "hit", "stand", "double", "split", "surrender"


@dataclass(frozen=True)
class Known:
    """Known facts when a box is played: the rules, the unseen cards, and the dealer's chances against them."""

    rules: BlackjackRules
    unseen: Unseen
    outcomes: DealerOutcomes

    @cached_property
    def natural(self) -> float:
        """Chance of a dealer's natural, before the dealer has looked."""
        return float(self.outcomes.naturals(np.zeros(1, np.int64))[0])

    @property
    def peeks(self) -> bool:
        """True if the dealer looks for a natural before anybody acts."""
        return self.rules.hole_card == "peek"

    @property
    def counted(self) -> float:
        """Probability of the cases that the values cover: without a natural if the dealer looks for one."""
        return 1 - self.natural if self.peeks else 1.0


class WaitingHands(NamedTuple):
    """Hands that wait for their turn, and how they are played.

    opened: those that wait for their second card. splits: how often these are split again at most, with every pair.
    dealt: those that have it.
    """

    opened: int
    splits: int
    dealt: tuple[DealtHand, ...]

    @property
    def draws(self) -> tuple[Draws, ...]:
        """Draws of the hands that have their second card."""
        return tuple(hand.draws for hand in self.dealt)


class BoxValues:
    """Values of a box in bets, a dealer's natural left out where the dealer looks.

    Args:
        known: what is known.
        hands: all hands of the box; those after ``turn`` wait.
        turn: the hand in play, or the number of hands when all are played.
        shares: what is paid beside even money.
    """

    def __init__(self, known: Known, hands: tuple[BlackjackHand, ...], turn: int, shares: Shares) -> None:
        self._known, self._hands, self._turn, self._shares = known, hands, turn, shares
        self._rules = known.rules
        self._busted = sum(self._stake(hand) for hand in hands if hand.is_bust)

    def best(self) -> float:
        """Return the value of the box under best play."""
        return max(self.actions.values()) if self._turn < len(self._hands) else self._played

    @cached_property
    def actions(self) -> Mapping[str, float]:
        """Values of all actions that the rules allow the hand in play."""
        hand, hands = self._hands[self._turn], len(self._hands)
        plans = [plan._replace(splits=splits) for plan in self._plans(hands) for splits in {0, plan.splits}]
        plays = [self._plays(hand, plan) for plan in plans]
        worth = {action: max(play[action] for play in plays) for action in plays[0]}
        if hand.may_split(self._rules, hands):
            worth[SPLIT] = max(self._split(plan) for plan in self._plans(hands + 1, opened=2))
        return worth

    def _plays(self, hand: BlackjackHand, plan: WaitingHands) -> dict[str, float]:
        """Return the values of all actions but a split."""
        values = self._values(plan)
        alone = self._played + self._waiting(plan)
        worth = {STAND: alone + float(values.stand[0])}
        if hand.may_hit(self._rules):
            worth[HIT] = alone + float(values.hit[0])
        if hand.may_double(self._rules):
            worth[DOUBLE] = alone + float(values.double[0])
        if hand.may_surrender(self._rules):
            worth[SURRENDER] = alone - self._shares.surrender * self._known.counted
        return worth

    def _stake(self, hand: BlackjackHand) -> int:
        return 2 if hand.doubled else 1

    def _values(self, plan: WaitingHands) -> HandValues:
        """Return the values of the hand in play."""
        if not self._owes or len(self._hands) == 1:
            return self._values_alone
        drawn, natural = self._values_alone.removed, self._values_alone.natural
        unbroken = self._split_values.chances_beside(drawn, plan.opened, plan.splits, plan.draws)
        owed = np.divide(unbroken, natural, out=np.zeros(len(natural)), where=natural > 0)
        return self._of(self._hands[self._turn], NaturalTakes(owed, owed, bust=True))

    @cached_property
    def _values_alone(self) -> HandValues:
        """Values of the hand in play where it owes nothing for the others."""
        of_several = len(self._hands) > 1 and self._rules.loses_first_bet_only
        takes = NaturalTakes(0, 0, bust=True) if of_several else NaturalTakes.of(self._rules)
        return self._of(self._hands[self._turn], takes)

    def _of(self, hand: BlackjackHand, takes: NaturalTakes) -> HandValues:
        return HandValues(self._rules, self._known.outcomes, key_of(map(index_of, hand.cards)), 0, takes)

    @property
    def _owes(self) -> bool:
        """A dealer's natural would still take the first bet of the box, which has lost none by a bust."""
        return self._rules.loses_first_bet_only and not self._busted and self._known.natural > 0

    def _left_after(self, hands: int) -> int:
        """Return how many more times a box that has been split into this number of hands may be split."""
        card = self._hands[0].cards[0]
        again = self._rules.resplit_aces or card.rank is not Rank.ACE
        return max(self._rules.max_hands - hands, 0) if again else 0

    def _plans(self, hands: int, opened: int = 0) -> list[WaitingHands]:
        """Return the ways to play the hands after the one in play, by how many of their pairs are split; all are last.

        Args:
            hands: the number of hands of the box once the hand in play is played.
            opened: hands that the hand in play was split into, which wait for their second card.
        """
        waiting, left = self._hands[self._turn + 1 :], self._left_after(hands)
        dealt = [hand for hand in waiting if len(hand.cards) > 1]
        pairs = [place for place, hand in enumerate(dealt) if hand.may_split(self._rules, hands)][:left]
        plans = []
        for split in range(len(pairs) + 1):
            rest = tuple(self._dealt(hand) for place, hand in enumerate(dealt) if place not in pairs[:split])
            wait = opened + len(waiting) - len(dealt) + 2 * split
            plans.append(WaitingHands(wait, left - split if wait else 0, rest))
        return plans

    @cached_property
    def _played(self) -> float:
        """Value of the hands before the one in play."""
        known, over = self._known, self._hands[: self._turn]
        worth = sum(self._of_played(hand) for hand in over)
        if len(self._hands) > 1 and self._rules.loses_first_bet_only:
            worth -= known.natural * self._busted
            if self._turn == len(self._hands) and not self._busted:
                worth -= known.natural
        return worth

    def _of_played(self, hand: BlackjackHand) -> float:
        known, rules = self._known, self._rules
        if hand.is_natural(rules):
            return self._shares.natural * (1 - known.natural)
        if hand.surrendered:
            return -self._shares.surrender * known.counted
        several = len(self._hands) > 1
        takes = NaturalTakes.of(rules, from_split=several)
        if hand.is_bust:
            return -self._stake(hand) * (1.0 if takes.bust else 1 - known.natural)
        values = self._of(hand, takes)
        return float((values.stand_doubled if hand.doubled else values.stand)[0])

    def _waiting(self, plan: WaitingHands) -> float:
        """Return the value of hands that wait, but for a first bet that they owe."""
        opened = self._split_values.without_first_bet(plan.opened, plan.splits) if plan.opened else 0.0
        return opened + self._of_dealt(plan)

    def _of_dealt(self, plan: WaitingHands) -> float:
        return sum(hand.value - hand.stake * self._busts_with_natural(hand) for hand in plan.dealt)

    def _busts_with_natural(self, hand: DealtHand) -> float:
        """Return the chance that a hand is bust while the dealer has a natural, where that costs more than one bet."""
        if not self._rules.loses_first_bet_only or not self._known.natural:
            return 0.0
        return self._known.natural - self._split_values.chance_of_no_bust(0, 0, (hand.draws,))

    def _dealt(self, hand: BlackjackHand) -> DealtHand:
        may_hit = hand.may_hit(self._rules)
        return dealt_hand(self._rules, self._known.outcomes, key_of(map(index_of, hand.cards)), may_hit=may_hit)

    def _split(self, plan: WaitingHands) -> float:
        """Return the value once the hand in play is split."""
        opened = self._split_values.value(plan.opened, plan.splits, owes=self._owes, others=plan.draws)
        return self._played + self._of_dealt(plan) + opened

    @cached_property
    def _split_values(self) -> SplitValues:
        known, card = self._known, self._hands[0].cards[0]
        pairing = known.unseen.of_rank(card) if self._rules.split_by == "rank" else None
        return SplitValues(self._rules, known.outcomes, index_of(card), 0, pairing)
