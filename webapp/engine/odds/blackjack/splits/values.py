"""Values of all hands of a split together, those that are split again included.

All hands follow one policy, which looks at their own cards only. Cards that nobody has seen are alike in any order, so
the second cards of all hands may be thought to come first: they say how many hands there will be. Then each of the
hands is worth what a single one is, once as many cards of the pair are gone as were drawn. That another hand's second
card is *not* of the pair is counted by subtracting where it is.
"""

from functools import cached_property
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.compositions import TEN, VALUES, chances_of_draws, unit
from webapp.engine.odds.blackjack.dealer.outcomes import DealerOutcomes, natural_chance
from webapp.engine.odds.blackjack.hand_values import GAINS, NaturalTakes
from webapp.engine.odds.blackjack.splits.no_bust import HandsWithoutBust, WithNatural
from webapp.engine.odds.blackjack.splits.pairings import Pairing, pairings
from webapp.engine.odds.blackjack.splits.policy import SplitPolicy, split_policy
from webapp.engine.odds.blackjack.splits.shared_cards import Draws

Array = Any

_STAKES: Final = np.array([1.0, 2.0])
_SETTLED, _FREE = 0, 1


class _Hand(NamedTuple):
    """Values of one hand of a split, by its second card: any but one that pairs the first, or any at all.

    busts: bets that it loses by a bust while the dealer has a natural.
    """

    settled: float
    free: float
    settled_busts: float
    free_busts: float


class _Worth(NamedTuple):
    """Value of hands, and the bets that they lose by a bust while the dealer has a natural."""

    value: float
    busts: float


class SplitValues:
    """Values of hands that begin with a card of a pair.

    Args:
        rules: the rules of the table.
        outcomes: the dealer's, from the deck without what is seen.
        card: value of the pair's cards.
        removed: key of what is removed from the deck of ``outcomes`` before a hand of the split draws.
        pairing: how many unseen cards may be split with them again: those of the value, or only those of the rank.
    """

    def __init__(
        self, rules: BlackjackRules, outcomes: DealerOutcomes, card: int, removed: int, pairing: int | None = None
    ) -> None:
        self._rules, self._outcomes, self._card, self._removed = rules, outcomes, card, removed
        self._deck = outcomes.decks(np.array([removed]))[0]
        self._pairing = int(self._deck[card]) if pairing is None else pairing
        self._takes = NaturalTakes.of(rules, from_split=True)
        self._natural = float(outcomes.naturals(np.array([removed]))[0])
        self._hands: dict[int, _Hand] = {}

    @cached_property
    def policy(self) -> SplitPolicy:
        """The play of all hands."""
        return split_policy(self._rules, self._outcomes, self._card, self._removed)

    def value(self, opened: int, splits_left: int, *, owes: bool = True) -> float:
        """Return the value of hands that wait for their second card, split again or not, whichever is worth more.

        Args:
            opened: the number of hands.
            splits_left: how often the box may still be split.
            owes: the first bet of the box is not yet lost by a bust.
        """
        owes = owes and self._may_owe
        once = self._whole(opened, 0, owes=owes)
        if not splits_left or (owes and self._most(opened, splits_left) <= once):
            return once
        return max(once, self._whole(opened, splits_left, owes=owes))

    def most(self, opened: int, splits_left: int) -> float:
        """Return what ``value`` does not exceed; where nothing of a split is owed to a natural, that is the value."""
        if not self._may_owe:
            return self.value(opened, splits_left)
        return max(self._most(opened, splits) for splits in (0, splits_left))

    @property
    def _may_owe(self) -> bool:
        """A natural may come that takes the first bet of a box only."""
        return self._rules.loses_first_bet_only and self._natural > 0

    def chance_of_no_bust(self, opened: int, splits_left: int) -> float:
        """Return the chance that no hand is bust while the dealer has a natural."""
        return sum(
            count
            * self._chance_of_pairs(way.again)
            * self._without_bust.joint((_SETTLED,) * way.settled + (_FREE,) * way.free, way.again)
            for way, count in pairings(opened, splits_left).items()
        )

    def _whole(self, opened: int, splits_left: int, *, owes: bool) -> float:
        """Return the value with every pair split again for as long as it may be."""
        worth = self._worth(opened, splits_left)
        owed = self.chance_of_no_bust(opened, splits_left) if owes else 0.0
        return worth.value - worth.busts - owed

    def _most(self, opened: int, splits_left: int) -> float:
        """Return what that cannot exceed: a natural takes one bet at least, and what is bust."""
        worth = self._worth(opened, splits_left)
        return worth.value - max(worth.busts, self._natural)

    def _worth(self, opened: int, splits_left: int) -> _Worth:
        parts = [(count, self._of(pairing)) for pairing, count in pairings(opened, splits_left).items()]
        return _Worth(sum(count * worth.value for count, worth in parts), sum(count * w.busts for count, w in parts))

    def _of(self, pairing: Pairing) -> _Worth:
        again, settled, free = pairing
        value = busts = 0.0
        for more in range(settled + 1):
            chance = self._chance_of_pairs(again + more)
            if not chance:
                break
            hand, sign = self._hand(again + more), (-1) ** more * chance
            of_settled = sign * settled * (comb(settled - 1, more) if settled else 0)
            of_free = sign * free * comb(settled, more)
            value += of_settled * hand.settled + of_free * hand.free
            busts += of_settled * hand.settled_busts + of_free * hand.free_busts
        return _Worth(value, busts)

    def _chance_of_pairs(self, count: int) -> float:
        """Return the chance that cards which are drawn may all be split."""
        chance, left = 1.0, int(self._deck.sum())
        for drawn in range(count):
            chance *= max(self._pairing - drawn, 0) / max(left - drawn, 1)
        return chance

    def _hand(self, again: int) -> _Hand:
        if again not in self._hands:
            self._hands[again] = self._computed(again)
        return self._hands[again]

    def _computed(self, again: int) -> _Hand:
        """Compute what a hand is worth when ``again`` more cards of the pair are gone."""
        policy, takes = self.policy, self._takes
        gone = self._removed + again * unit(self._card)
        deck = self._outcomes.decks(np.array([gone]))[0]
        after = policy.drawn + gone
        plain = (self._outcomes.chances(after) * GAINS[policy.total]).sum(axis=1)
        natural = self._outcomes.naturals(after)
        reached = policy.orders * chances_of_draws(deck, policy.drawn)
        ends = np.array([plain - takes.single * natural, 2 * plain - takes.double * natural])
        counted = np.ones_like(natural) if takes.bust else 1 - natural
        second = self._second_cards(deck)
        value = (reached * ends).sum(axis=(1, 2)) - self._busts(reached, counted, second, natural=not takes.bust)
        busts = np.zeros(2)
        if self._rules.loses_first_bet_only and self._natural:
            everything = self._busts(reached, np.ones_like(natural), second, natural=False)
            busts = everything - self._busts(reached, 1 - natural, second, natural=True)
        share = self._share_of_pairs(again, deck)
        return _Hand(
            float(value[0] + (1 - share) * value[1]),
            float(value.sum()),
            float(busts[0] + (1 - share) * busts[1]),
            float(busts.sum()),
        )

    def _share_of_pairs(self, again: int, deck: Array) -> float:
        """Return the share of cards of the value that may be split: less than 1 for tens of one rank."""
        return max(self._pairing - again, 0) / max(int(deck[self._card]), 1)

    def _second_cards(self, deck: Array) -> tuple[Array, Array]:
        """Return the chances of second cards, and of a natural of the dealer after each."""
        decks = np.maximum(deck - np.eye(VALUES, dtype=np.int64), 0)
        return deck / max(int(deck.sum()), 1), natural_chance(self._rules, self._outcomes.up, decks)

    def _busts(self, reached: Array, counted: Array, second: tuple[Array, Array], *, natural: bool) -> Array:
        """Return the bets that are lost by a bust, by kind of second card, float[2].

        ``natural``: only while the dealer has none, and then ``counted`` are the chances of that on the hands that end.
        """
        chance = second[0] * (1 - second[1]) if natural else second[0]
        kinds = np.zeros((2, 2, VALUES))
        pairs = np.arange(VALUES) == self._card
        doubled = self.policy.doubled
        for kind, stake in np.ndindex(2, 2):
            kinds[kind, stake] = chance * (pairs == kind) * (doubled == stake)
        busts = kinds.sum(axis=2) - (reached * counted).sum(axis=2)
        return busts @ _STAKES

    @cached_property
    def _without_bust(self) -> HandsWithoutBust:
        kinds = self.policy.orders.sum(axis=1)
        share = self._share_of_pairs(0, self._deck)
        settled = Draws(self.policy.drawn, kinds[0] + (1 - share) * kinds[1])
        return HandsWithoutBust((settled, Draws(self.policy.drawn, kinds.sum(axis=0))), self._with_natural)

    def _with_natural(self, again: int) -> WithNatural:
        deck = self._outcomes.decks(np.array([self._removed + again * unit(self._card)]))[0]
        missing = TEN - self._outcomes.up
        return WithNatural(
            np.maximum(deck - np.eye(VALUES, dtype=np.int64)[missing], 0),
            float(natural_chance(self._rules, self._outcomes.up, deck[None])[0]),
        )
