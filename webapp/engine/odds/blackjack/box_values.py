"""Values of the hands of a box, and of every action that is legal there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from webapp.engine.cards import Card, Rank
from webapp.engine.games.blackjack.hand import BlackjackHand
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.compositions import index_of, key_of
from webapp.engine.odds.blackjack.dealer.outcomes import DealerOutcomes
from webapp.engine.odds.blackjack.hand_values import HandValues, NaturalTakes
from webapp.engine.odds.blackjack.shares import Shares
from webapp.engine.odds.blackjack.splits.values import SplitValues
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
        """The dealer looks for a natural before anybody acts."""
        return self.rules.hole_card == "peek"

    @property
    def counted(self) -> float:
        """Chance of all that values speak of: where the dealer looks, a natural is left out."""
        return 1 - self.natural if self.peeks else 1.0


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
        hand, rules = self._hands[self._turn], self._rules
        alone = self._played + self._waiting
        worth = {STAND: alone + float(self._values.stand[0])}
        if hand.may_hit(rules):
            worth[HIT] = alone + float(self._values.hit[0])
        if hand.may_double(rules):
            worth[DOUBLE] = alone + float(self._values.double[0])
        if hand.may_split(rules, len(self._hands)):
            worth[SPLIT] = self._played + self._split(hand)
        if hand.may_surrender(rules):
            worth[SURRENDER] = alone - self._shares.surrender * self._known.counted
        return worth

    def _stake(self, hand: BlackjackHand) -> int:
        return 2 if hand.doubled else 1

    @cached_property
    def _values(self) -> HandValues:
        return self._of(self._hands[self._turn], self._takes)

    def _of(self, hand: BlackjackHand, takes: NaturalTakes) -> HandValues:
        return HandValues(self._rules, self._known.outcomes, key_of(map(index_of, hand.cards)), 0, takes)

    @property
    def _owes(self) -> bool:
        """A dealer's natural would still take the first bet of the box, which has lost none by a bust."""
        return self._rules.loses_first_bet_only and not self._busted

    @cached_property
    def _takes(self) -> NaturalTakes:
        """Bets that a dealer's natural takes from the hand in play."""
        if len(self._hands) == 1 or not self._rules.loses_first_bet_only:
            return NaturalTakes.of(self._rules)
        owed = self._unbroken if self._owes else 0.0
        return NaturalTakes(owed, owed, bust=True)

    @cached_property
    def _unbroken(self) -> float:
        """Chance that none of the hands that wait will be bust. It hardly depends on what is drawn before."""
        singles = self._singles
        natural = self._known.natural
        if not singles or not natural:
            return 1.0
        return self._split_values(singles[0].cards[0]).chance_of_no_bust(len(singles), self._splits_left) / natural

    @property
    def _splits_left(self) -> int:
        return self._left_after(len(self._hands))

    def _left_after(self, hands: int) -> int:
        """Return how often a box with so many hands, of a split, may be split again."""
        card = self._hands[0].cards[0]
        again = self._rules.resplit_aces or card.rank is not Rank.ACE
        return max(self._rules.max_hands - hands, 0) if again else 0

    @property
    def _singles(self) -> tuple[BlackjackHand, ...]:
        """Hands that wait for their second card."""
        return tuple(hand for hand in self._hands[self._turn + 1 :] if len(hand.cards) == 1)

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

    @cached_property
    def _waiting(self) -> float:
        """Value of the hands after the one in play."""
        worth = sum(self._of_dealt(hand) for hand in self._hands[self._turn + 1 :] if len(hand.cards) > 1)
        if singles := self._singles:
            values = self._split_values(singles[0].cards[0])
            worth += values.value(len(singles), self._splits_left, owes=False)
        return worth

    def _of_dealt(self, hand: BlackjackHand) -> float:
        """Return the value of a hand of split aces that has its second card, and waits for its turn."""
        takes = NaturalTakes.of(self._rules, from_split=True)
        values = self._of(hand, takes)
        plays = [float(values.stand[0])]
        if hand.may_hit(self._rules):
            plays.append(float(values.hit[0]))
        if hand.may_double(self._rules):
            plays.append(float(values.double[0]))
        if hand.may_split(self._rules, len(self._hands)):
            split = self._split_values(hand.cards[0])
            plays.append(split.value(2, self._left_after(len(self._hands) + 1), owes=False))
        return max(plays)

    def _split(self, hand: BlackjackHand) -> float:
        """Return the value of splitting the hand in play, with that of the hands that wait."""
        values = self._split_values(hand.cards[0])
        left = self._left_after(len(self._hands) + 1)
        dealt = sum(self._of_dealt(other) for other in self._hands[self._turn + 1 :] if len(other.cards) > 1)
        return dealt + values.value(2 + len(self._singles), left, owes=self._owes)

    def _split_values(self, card: Card) -> SplitValues:
        known = self._known
        pairing = known.unseen.of_rank(card) if self._rules.split_by == "rank" else None
        return SplitValues(self._rules, known.outcomes, index_of(card), 0, pairing)
