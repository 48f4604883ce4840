"""Basic strategy, computed for the rules in force: the action with the highest expected value, by total and upcard.

The cards that are known are taken out of the decks; player and dealer draw from the rest with fixed probabilities. A
hand of a split is worth as much as its twin, and the same cards are split once more for as long as the rules allow it.

All deals are computed side by side. An array ``float[d]`` has a value for each of DEALS: 55 pairs of cards by 10
dealer's cards. Card values are 0, the ace, to 9, the ten.

Hands of the same total (10-2 and 7-5, say) are weighted by how often they are dealt, which gives the usual chart by
totals. With one, two or eight decks a few decisions whose values are almost equal may differ from those of a book that
counts every card.
"""

from functools import lru_cache
from itertools import product
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import DEALER_STANDS, BlackjackRules
from webapp.engine.simulation.strategy_chart import (
    HARD,
    NO_SPLIT,
    PAIRS,
    SOFT,
    SOFT_CODE,
    UPCARDS,
    Row,
    Strategy,
    add_card,
    code_of,
)

Array = Any

_BUST: Final = 22
"""The one code of all hands over 21."""


def with_card(code: int, value: int) -> int:
    """Return the code of a hand with one more card of a value from 0 to 9."""
    longer = add_card(code, value + 1)
    return longer if longer & 31 < _BUST else _BUST


def _total(code: int) -> int:
    return code & 31


_TWO_CARDS: Final = [(a, b) for a in range(10) for b in range(a, 10)]
DEALS: Final = np.array([(a, b, up) for (a, b), up in product(_TWO_CARDS, range(10))])
CODES_OF_DEALS: Final = np.array([with_card(with_card(0, a), b) for a, b, _ in DEALS.tolist()])
_CARDS_OF_A_DECK: Final = np.array([4] * 9 + [16])


def _in_order_of_computation(codes: set[int]) -> list[int]:
    """Sort codes so that every card leads to an earlier one: high hard totals, soft totals, low hard totals."""
    hard = sorted((code for code in codes if 11 <= code < SOFT_CODE), reverse=True)
    soft = sorted((code for code in codes if code >= SOFT_CODE), reverse=True)
    low = sorted((code for code in codes if code < 11), reverse=True)
    return [*hard, *soft, *low]


_CODES: Final = _in_order_of_computation({*range(2, _BUST), *range(SOFT_CODE + 11, SOFT_CODE + 22)})


class Values:
    """Expected values in bets of each way to play on: ``float[d]`` by code."""

    def __init__(self, rules: BlackjackRules) -> None:
        self.rules = rules
        a, b, up = DEALS.T
        left = np.tile(_CARDS_OF_A_DECK * rules.decks, (len(DEALS), 1)).astype(float)
        for values in (a, b, up):
            left[np.arange(len(DEALS)), values] -= 1
        left = left.clip(0)  # negative for deals that one deck cannot give, whose weight is 0
        self.weight = _weights(rules, a, b, up)
        self.odds = left / left.sum(axis=1, keepdims=True)
        totals, self.natural = self._dealer(up)
        self.stand = self._stand(totals)
        self.hit: dict[int, Array] = {}
        self.best: dict[int, Array] = {_BUST: np.full(len(DEALS), -1.0)}
        for code in _CODES:
            self.hit[code] = self._after_card(self.best, code)
            must_stand = _total(code) == 21 and (rules.auto_stand_21 or code & SOFT_CODE)
            self.best[code] = self.stand[code] if must_stand else np.maximum(self.stand[code], self.hit[code])
        self.double = {code: self._double(code) for code in _CODES if code != SOFT_CODE + 11}

    def _dealer(self, up: Array) -> tuple[Array, Array]:
        """Return the probabilities of the dealer's totals and of a natural.

        The totals are 17 to 21 and over 21, float[6, d]; the natural is float[d]. With a peek there is none.
        """
        rules, count = self.rules, len(DEALS)
        hole = self.odds.copy()
        natural = np.zeros(count)
        if rules.naturals:
            natural = np.where(up == 0, hole[:, 9], np.where(up == 9, hole[:, 0], 0.0))
            hole[up == 0, 9] = 0
            hole[up == 9, 0] = 0
            if rules.hole_card == "peek":
                hole /= hole.sum(axis=1, keepdims=True)
                natural = np.zeros(count)
        reached = {code: np.zeros(count) for code in (*_CODES, _BUST)}
        for first, value in product(range(10), range(10)):
            deals = up == first
            reached[with_card(with_card(0, first), value)][deals] += hole[deals, value]
        for code in sorted(_CODES, key=lambda code: _total(code) - (10 if code & SOFT_CODE else 0)):
            if rules.dealer_draws(_total(code), bool(code & SOFT_CODE)):
                for value in range(10):
                    reached[with_card(code, value)] += reached[code] * self.odds[:, value]
                reached[code] = np.zeros(count)
        totals = [reached[total] + reached[SOFT_CODE + total] for total in range(DEALER_STANDS, 22)]
        return np.array([*totals, reached[_BUST]]), natural

    def _stand(self, totals: Array) -> dict[int, Array]:
        nothing, lowest = np.zeros(len(DEALS)), DEALER_STANDS
        stand = {}
        for code in _CODES:
            total = _total(code)
            wins = totals[5] + sum((totals[n - lowest] for n in range(lowest, total)), nothing)
            loses = self.natural + sum((totals[n - lowest] for n in range(max(lowest, total + 1), 22)), nothing)
            stand[code] = wins - loses
        return stand

    def _after_card(self, values: dict[int, Array], code: int) -> Array:
        """Return the expected value of one card more, where ``values`` are those of the hands that may come of it."""
        return sum(
            (
                self.odds[:, value] * values[with_card(code, value)]
                for value in range(10)
                if with_card(code, value) in values
            ),
            np.zeros(len(DEALS)),
        )

    def _double(self, code: int) -> Array:
        """Return the value of one card more and twice the bet.

        Where a natural of the dealer takes only the first bet, the second comes back.
        """
        twice = 2 * self._after_card({**self.stand, _BUST: np.full(len(DEALS), -1.0)}, code)
        if self.rules.lose == "original":
            survives = sum(
                (self.odds[:, value] for value in range(10) if with_card(code, value) != _BUST), np.zeros(len(DEALS))
            )
            twice = twice + self.natural * survives
        return twice

    def may_double(self, code: int, split: bool = False) -> bool:
        """Return True if two cards of this code, of a split or not, may be doubled."""
        return self.rules.may_double_total(_total(code)) and (self.rules.double_after_split or not split)

    def split(self, value: int) -> Array:
        """Return the value of splitting two cards of one value."""
        rules = self.rules
        is_ace = value == 0
        one_card_only = is_ace and not rules.hit_split_aces
        resplits = rules.max_hands - 2 if not is_ace or rules.resplit_aces else 0
        single = with_card(0, value)
        plays = {}
        for card in range(10):
            code = with_card(single, card)
            if one_card_only:
                plays[card] = self.stand[code]
            else:
                plays[card] = self.best[code]
                if self.may_double(code, split=True):
                    plays[card] = np.maximum(plays[card], self.double[code])
        one = sum((self.odds[:, card] * plays[card] for card in range(10)), np.zeros(len(DEALS)))
        # third and fourth hand: on average half of the hands may be split again
        for _ in range(resplits):
            better = np.maximum(plays[value], 2 * one)
            one = one + self.odds[:, value] * (better - plays[value]) / 2
        two = 2 * one
        if rules.lose == "original":
            two = two + self.natural  # a dealer's natural takes only one of the two bets
        return two


def _weights(rules: BlackjackRules, a: Array, b: Array, up: Array) -> Array:
    """Return how often two cards are dealt beside the dealer's, up to a common factor."""
    left = np.tile(_CARDS_OF_A_DECK * rules.decks, (len(a), 1)).astype(float)
    places = np.arange(len(a))
    left[places, up] -= 1
    first = left[places, a].copy()
    left[places, a] -= 1
    return np.where(a == b, 1, 2) * first * left[places, b]


_WITHOUT_INFLUENCE: Final = frozenset({"penetration", "shuffle", "blackjack_pays", "insurance", "deal"})
"""Rules that no decision of the chart depends on."""


def basic_strategy(rules: BlackjackRules) -> Strategy:
    """Return the strategy with the highest expected value for these rules.

    Computing one takes a tenth of a second or so; the latest 256 are kept.
    """
    return _computed(_relevant(rules))


def _relevant(rules: BlackjackRules) -> BlackjackRules:
    """Return the rules with the default in place of everything that makes no difference to the strategy."""
    names = {*rules.in_force} - _WITHOUT_INFLUENCE
    fields: dict[str, Any] = {name: getattr(rules, name) for name in names}
    if fields["split_by"] == "rank":
        fields["split_by"] = "value"  # the chart has one line for all tens
    return BlackjackRules(naturals=rules.naturals, **fields)


@lru_cache(maxsize=256)
def _computed(rules: BlackjackRules) -> Strategy:
    return compute_strategy(rules)


def compute_strategy(rules: BlackjackRules) -> Strategy:
    """Compute what ``basic_strategy`` returns, without looking it up."""
    values = Values(rules)
    rows = {hand: _row_of_total(values, code_of(hand)) for hand in (*HARD, *SOFT)}
    rows |= {hand: _row_of_pair(values, hand) for hand in PAIRS}
    return Strategy.of("basic", rows)


def _deals_of(code: int, up: int) -> Array:
    """Return the deals with this code, bool[d]; pairs count only where no other two cards have the code."""
    a, b, ups = DEALS.T
    deals = (code == CODES_OF_DEALS) & (ups == up)
    unpaired = deals & (a != b)
    return unpaired if unpaired.any() else deals


def _value_of(letter: str) -> int:
    return {"T": 9, "A": 0}.get(letter, ord(letter) - ord("1"))


def _row_of_total(values: Values, code: int) -> Row:
    if code == 21:
        return ("S",) * len(UPCARDS)
    return tuple(_word_of_total(values, code, _deals_of(code, _value_of(up))) for up in UPCARDS)


def _word_of_total(values: Values, code: int, deals: Array) -> str:
    weight = values.weight[deals]

    def mean(value: Array) -> float:
        return float((value[deals] * weight).sum() / weight.sum())

    stand, hit = mean(values.stand[code]), mean(values.hit[code])
    plain, best = ("S", stand) if stand >= hit else ("H", hit)
    word = plain
    if values.may_double(code) and (double := mean(values.double[code])) > best:
        word, best = f"D{plain.lower()}", double
    if values.rules.surrender == "late" and best < -0.5:
        word = f"R{plain.lower()}"
    return word


def _row_of_pair(values: Values, hand: str) -> Row:
    value = _value_of(hand[0])
    if values.rules.split_by == "none":
        return (NO_SPLIT,) * len(UPCARDS)
    split = values.split(value)
    return tuple(_word_of_pair(values, value, split, _value_of(up)) for up in UPCARDS)


def _word_of_pair(values: Values, value: int, split: Array, up: int) -> str:
    code = with_card(with_card(0, value), value)
    a, b, ups = DEALS.T
    (deal,) = np.flatnonzero((a == value) & (b == value) & (ups == up))
    others = [values.stand[code][deal], values.hit[code][deal]]
    if values.may_double(code):
        others.append(values.double[code][deal])
    if split[deal] <= max(others):
        return NO_SPLIT
    surrenders = values.rules.surrender == "late" and split[deal] < -0.5
    return "Rp" if surrenders else "P"
