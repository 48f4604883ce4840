"""Values of a hand that is played on alone, and of every hand that it can become.

Where the dealer looks for a natural, a value counts nothing for the case that there is one. Chances of draws are then
plain shares of the unseen cards, and one division at the end gives what holds once the dealer has looked.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import DEALER_STANDS, BlackjackRules
from webapp.engine.odds.blackjack.compositions import VALUES, all_hands
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes
from webapp.engine.odds.blackjack.dealer_sequences import BUST, OUTCOMES
from webapp.engine.twenty_one.hand import BEST

Array = Any


def _gains() -> Array:
    """Return what a total wins against what the dealer ends with: float[22, 6]."""
    own = np.arange(BEST + 1)[:, None]
    dealer = np.arange(DEALER_STANDS, DEALER_STANDS + OUTCOMES)[None, :]
    gains = np.sign(own - dealer).astype(float)
    gains[:, BUST] = 1
    return gains


GAINS: Final = _gains()


@dataclass(frozen=True, slots=True)
class NaturalTakes:
    """Bets that a dealer's natural takes from a hand, if it is found only after the hand was played.

    single, double: bets taken from a hand that is not bust, by its stake: one figure, or one for each final hand.
    bust: True if a bust hand has lost its stake all the same.
    """

    single: float | Array
    double: float | Array
    bust: bool

    @classmethod
    def of(cls, rules: BlackjackRules, *, from_split: bool = False) -> "NaturalTakes":
        """Return what it takes by the rules.

        Where only the first bet of a box is lost, the box owes it whatever its hands of a split do.
        """
        if rules.hole_card == "peek" or (from_split and rules.loses_first_bet_only):
            return cls(0, 0, bust=False)
        return cls(1, 1 if rules.loses_first_bet_only else 2, bust=True)


class HandValues:
    """Values of a hand and of all that come of it by drawing, for one hand in play.

    Args:
        rules: the rules of the table.
        outcomes: the dealer's, from the deck without what is seen; ``start`` and ``gone`` are seen beside it.
        start: key of the hand.
        removed: key of the cards that are removed from the deck of ``outcomes`` while the hand is ``start``.
        takes: what a dealer's natural takes.
    """

    def __init__(
        self, rules: BlackjackRules, outcomes: DealerOutcomes, start: int, removed: int, takes: NaturalTakes
    ) -> None:
        hands = all_hands()
        self.rules, self.takes = rules, takes
        self.outcomes = outcomes
        first = hands.counts[hands.place[start]]
        self.places = np.flatnonzero((hands.counts >= first).all(axis=1))
        """Places of the hands that may come of it, itself first."""
        self.removed = hands.keys[self.places] - start + removed
        self.total = hands.total[self.places]
        self._hard = hands.hard[self.places]
        count = len(self.places)
        local = np.full(len(hands.keys) + 1, count)
        local[self.places] = np.arange(count)
        self.child = local[hands.child[self.places]]
        """Hands after a card, by their place among these: int64[n, 10]; n for all that are bust."""

    @cached_property
    def _decks(self) -> Array:
        return self.outcomes.decks(self.removed)

    @cached_property
    def draw(self) -> Array:
        """Chances of the next card, float[n, 10]."""
        decks = self._decks
        return decks / np.maximum(decks.sum(axis=1, keepdims=True), 1)

    @cached_property
    def natural(self) -> Array:
        """Chances of a dealer's natural, float[n]."""
        return self.outcomes.naturals(self.removed)

    @cached_property
    def _plain(self) -> Array:
        """Gain of standing with one bet if the dealer has no natural, float[n]."""
        return (self.outcomes.chances(self.removed) * GAINS[self.total]).sum(axis=1)

    @cached_property
    def stand(self) -> Array:
        """Values of standing with one bet, float[n]."""
        return self._plain - self.takes.single * self.natural

    @cached_property
    def stand_doubled(self) -> Array:
        """Values of standing with two bets, float[n]."""
        return 2 * self._plain - self.takes.double * self.natural

    @cached_property
    def _bust(self) -> Array:
        """Chances of a bust by the next card that costs the stake, float[n]."""
        busts = self.child == len(self.places)
        if self.takes.bust or not self.natural.any():
            return (self.draw * busts).sum(axis=1)
        # probability of a natural in a deck with one card less
        decks, left = self._decks, np.maximum(self._decks.sum(axis=1) - 1, 1)
        missing = 9 - self.outcomes.up  # the value that makes a natural: ten with an ace up, ace with a ten
        natural = np.repeat((decks[:, missing] / left)[:, None], VALUES, axis=1)
        natural[:, missing] = np.maximum(decks[:, missing] - 1, 0) / left
        return (self.draw * busts * (1 - natural)).sum(axis=1)

    def after_card(self, values: Array) -> Array:
        """Return what comes of one card more to each hand, where ``values`` are those of the hands: float[n]."""
        return (self.draw * np.append(values, 0.0)[self.child]).sum(axis=1)

    @cached_property
    def hit(self) -> Array:
        """Values of drawing, and of the best play after it, float[n]."""
        return self._played[1]

    @cached_property
    def best(self) -> Array:
        """Values of the best play without doubling, float[n]."""
        return self._played[0]

    @cached_property
    def double(self) -> Array:
        """Values of doubling, for all hands, float[n]."""
        return self.after_card(self.stand_doubled) - 2 * self._bust

    @cached_property
    def _played(self) -> tuple[Array, Array]:
        count = len(self.places)
        best, hit = np.zeros(count + 1), np.zeros(count)
        stands_by_itself = (self.total == BEST) & self.rules.auto_stand_21
        bounds = np.searchsorted(self._hard, np.arange(BEST + 2))
        for hard in range(BEST, -1, -1):
            hands = slice(bounds[hard], bounds[hard + 1])
            hit[hands] = (self.draw[hands] * best[self.child[hands]]).sum(axis=1) - self._bust[hands]
            best[:-1][hands] = np.where(
                stands_by_itself[hands], self.stand[hands], np.maximum(self.stand[hands], hit[hands])
            )
        return best[:-1], hit
