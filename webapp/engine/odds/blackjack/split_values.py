"""Values of all hands of a split together, those that are split again included.

All hands follow one policy, which depends only on their own cards. The order of unseen cards does not matter, so the
second cards of all hands can be assumed to be dealt first: they determine the number of hands. Then each hand is worth
as much as a single one, with the cards of the pair that were drawn removed from the deck. The case that another hand's
second card is *not* of the pair is the difference of all cases and those in which it is.

If a dealer's natural that is found only later takes no more than the first bet of a box, a hand in play that is not
bust saves the box something only if another hand is bust. All hands draw from one deck, so they are not independent.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.compositions import TEN, VALUES, chances_of_draws, unit
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes, natural_chance
from webapp.engine.odds.blackjack.hand_values import GAINS, NaturalTakes
from webapp.engine.odds.blackjack.split_cards import Draws, HandsWithoutBust, WithNatural, chances_beside
from webapp.engine.odds.blackjack.split_policy import SplitPolicy, split_policy


class Pairing(NamedTuple):
    """One way in which the second cards of the hands of a split may fall.

    again: cards of the pair that come. settled: hands with another second card. free: hands that may not be split,
    whatever their second card is.
    """

    again: int
    settled: int
    free: int


@cache
def pairings(opened: int, splits_left: int) -> Counter[Pairing]:
    """Return in how many orders of second cards each way is reached, if every pair is split again.

    Args:
        opened: hands that wait for their second card.
        splits_left: how often the box may still be split.
    """
    if not splits_left or not opened:
        return Counter({Pairing(0, 0, opened): 1})
    ways: Counter[Pairing] = Counter()
    for end, count in pairings(opened - 1, splits_left).items():
        ways[end._replace(settled=end.settled + 1)] += count
    for end, count in pairings(opened + 1, splits_left - 1).items():
        ways[end._replace(again=end.again + 1)] += count
    return ways


Array = Any

_AT_ONCE: Final = 200_000
"""Pairs of compositions that are in memory at a time."""


class HandInPlay:
    """Draws of a hand in play, beside those of hands that wait.

    Args:
        drawn: int64[n], keys of the cards that it may draw, each of them once.
        waiting: the hands that wait.
    """

    def __init__(self, drawn: Array, waiting: HandsWithoutBust) -> None:
        self._drawn, self._waiting = drawn, waiting
        self._before_two: dict[tuple[tuple[int, ...], int], Draws] = {}

    def joint(self, hands: tuple[int, ...], again: int) -> Array:
        """Return the chances of each draw, in one order, with none of the others bust and a natural of the dealer.

        Args:
            hands: the kind of each of the hands that wait, in ascending order; three at most.
            again: cards of the pair that are gone.
        """
        natural = self._waiting.unseen(again)
        return natural.chance * self._beside(hands, again) if natural.chance else np.zeros(len(self._drawn))

    def _beside(self, hands: tuple[int, ...], again: int) -> Array:
        """Return the chances, given the natural."""
        deck = self._waiting.unseen(again).deck
        if not hands:
            return chances_of_draws(deck, self._drawn)
        if len(hands) <= 2:
            return chances_beside(deck, self._drawn, self._waiting.shared(hands, again), self._waiting.sizes(again))
        one, before = self._waiting.kinds[hands[0]], self._with_one(hands, again)
        return np.concatenate([_orders(before, keys) @ one.orders for keys in self._together_with(one)])

    def _with_one(self, hands: tuple[int, ...], again: int) -> Draws:
        """Return what the hand in play and the first of three draw, and in place of orders the chances of it."""
        known = (*self._waiting.alike(hands[:1]), *hands[1:]), again
        if known not in self._before_two:
            one = self._waiting.kinds[hands[0]]
            keys = np.unique(np.concatenate([np.unique(keys) for keys in self._together_with(one)]))
            group, sizes = self._waiting.shared(hands[1:], again), self._waiting.sizes(again)
            self._before_two[known] = Draws(keys, chances_beside(self._waiting.unseen(again).deck, keys, group, sizes))
        return self._before_two[known]

    def _together_with(self, one: Draws) -> Iterator[Array]:
        """Yield the keys of what both draw, some rows of this hand's draws after another: int64[rows, draws]."""
        rows = max(1, _AT_ONCE // len(one.keys))
        for start in range(0, len(self._drawn), rows):
            yield self._drawn[start : start + rows, None] + one.keys


def _orders(draws: Draws, keys: Array) -> Array:
    return draws.orders[np.searchsorted(draws.keys, keys)]


_STAKES: Final = np.array([1.0, 2.0])
_SETTLED, _FREE, _PAIRED = 0, 1, 2
"""Kinds of hands: the second card is of no pair; is any card; was of the pair, and is counted as gone."""


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
        self, rules: BlackjackRules, outcomes: DealerOutcomes, card: int, removed: int, pairing: float | None = None
    ) -> None:
        self._rules, self._outcomes, self._card, self._removed = rules, outcomes, card, removed
        self._deck = outcomes.decks(np.array([removed]))[0]
        self._pairing = float(self._deck[card]) if pairing is None else pairing
        self._takes = NaturalTakes.of(rules, from_split=True)
        self._natural = float(outcomes.naturals(np.array([removed]))[0])
        self._hands: dict[int, _Hand] = {}

    @cached_property
    def policy(self) -> SplitPolicy:
        """The play of all hands."""
        return split_policy(self._rules, self._outcomes, self._card, self._removed)

    def value(self, opened: int, splits_left: int, *, owes: bool = True, others: tuple[Draws, ...] = ()) -> float:
        """Return the value of hands that wait for their second card, split again or not, whichever is worth more.

        Args:
            opened: the number of hands.
            splits_left: how often the box may still be split.
            owes: the first bet of the box is not yet lost by a bust.
            others: draws of hands of the box that have their second card, and lose the first bet if they are bust.
        """
        owes = owes and self._may_owe
        once = self._whole(opened, 0, others, owes=owes)
        if not splits_left or (owes and not others and self._most(opened, splits_left) <= once):
            return once
        return max(once, self._whole(opened, splits_left, others, owes=owes))

    def most(self, opened: int, splits_left: int) -> float:
        """Return what ``value`` does not exceed; where nothing of a split is owed to a natural, that is the value."""
        if not self._may_owe:
            return self.value(opened, splits_left)
        return max(self._most(opened, splits) for splits in (0, splits_left))

    @property
    def _may_owe(self) -> bool:
        """A natural may come that takes the first bet of a box only."""
        return self._rules.loses_first_bet_only and self._natural > 0

    def without_first_bet(self, opened: int, splits_left: int) -> float:
        """Return the value with every pair split again for as long as it may be, if the first bet is no longer owed."""
        worth = self._worth(opened, splits_left)
        return worth.value - worth.busts

    def chance_of_no_bust(self, opened: int, splits_left: int, others: tuple[Draws, ...] = ()) -> float:
        """Return the chance that no hand is bust while the dealer has a natural, if every pair is split again."""
        hands = self._without_bust(others)
        return sum(chance * hands.joint(*ends) for chance, ends in self._ends(opened, splits_left, others))

    def chances_beside(self, drawn: Array, opened: int, splits_left: int, others: tuple[Draws, ...] = ()) -> Array:
        """Return the same chances once a hand in play has drawn cards: float[n]. ``drawn``: int64[n], their keys."""
        hand = HandInPlay(drawn, self._without_bust(others))
        joint = np.zeros(len(drawn))
        for chance, ends in self._ends(opened, splits_left, others):
            joint += chance * hand.joint(*ends)
        before = chances_of_draws(self._deck, drawn)
        return np.divide(joint, before, out=joint, where=before > 0)

    def _ends(
        self, opened: int, splits_left: int, others: tuple[Draws, ...]
    ) -> Iterator[tuple[float, tuple[tuple[int, ...], int]]]:
        """Yield the kinds of the hands there may be in the end, and cards of the pair that are gone, with a chance."""
        more_hands = tuple(range(_PAIRED + 1, _PAIRED + 1 + len(others)))
        all_pair = self._pairing == self._deck[self._card]
        for (again, settled, free), count in pairings(opened, splits_left).items():
            for paired in range(1 if all_pair else settled + 1):
                chance = count * (-1) ** paired * comb(settled, paired) * self._chance_of_pairs(again + paired)
                kind = _SETTLED if all_pair else _FREE
                kinds = (kind,) * (settled - paired) + (_FREE,) * free + (_PAIRED,) * paired + more_hands
                if chance:
                    yield chance, (kinds, again + paired)

    def _whole(self, opened: int, splits_left: int, others: tuple[Draws, ...], *, owes: bool) -> float:
        """Return the value with every pair split again for as long as it may be."""
        owed = self.chance_of_no_bust(opened, splits_left, others) if owes else 0.0
        return self.without_first_bet(opened, splits_left) - owed

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
        chance, left = 1.0, float(self._deck.sum())
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
        return max(self._pairing - again, 0) / max(float(deck[self._card]), 1)

    def _second_cards(self, deck: Array) -> tuple[Array, Array]:
        """Return the chances of second cards, and of a natural of the dealer after each."""
        decks = np.maximum(deck - np.eye(VALUES, dtype=np.int64), 0)
        return deck / max(float(deck.sum()), 1), natural_chance(self._rules, self._outcomes.up, decks)

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

    def _without_bust(self, others: tuple[Draws, ...]) -> HandsWithoutBust:
        if not others:
            return self._of_the_split
        return HandsWithoutBust((*self._of_the_split.kinds, *others), self._with_natural)

    @cached_property
    def _of_the_split(self) -> HandsWithoutBust:
        drawn, (settled, paired) = self.policy.drawn, self.policy.orders.sum(axis=1)
        ends = paired > 0
        kinds = (
            Draws(drawn, settled),
            Draws(drawn, settled + paired),
            Draws(drawn[ends] - unit(self._card), paired[ends]),
        )
        return HandsWithoutBust(kinds, self._with_natural)

    def _with_natural(self, again: int) -> WithNatural:
        deck = self._outcomes.decks(np.array([self._removed + again * unit(self._card)]))[0]
        missing = TEN - self._outcomes.up
        return WithNatural(
            np.maximum(deck - np.eye(VALUES, dtype=np.int64)[missing], 0),
            float(natural_chance(self._rules, self._outcomes.up, deck[None])[0]),
        )
