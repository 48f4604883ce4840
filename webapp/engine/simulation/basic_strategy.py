"""Basic strategy, computed for the rules in force: for each total and dealer's card, what is expected to bring most.

The cards that are known, the player's two and the dealer's one, are taken out of the decks; from the rest, player and
dealer draw with the chances as they then stand. Hands of one total, 10-2 and 7-5 say, are weighed by how often they
come, so the table is the usual one that looks at totals. A hand from a split expects the same as its twin, and one more
split of the same cards for as long as the rules allow it. With one or two decks, or eight, a few calls that are all but
even may fall the other way than in a book that counts every card.

All pairs of cards are worked out side by side. Axes: w, the hand and the dealer's card, 55 x 10 of them in a row; a
value from 0, the ace, to 9, the ten.
"""

from functools import lru_cache
from itertools import product
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.simulation.strategies import HARD, NO_SPLIT, PAIRS, SOFT, UPCARDS, Row, Strategy

Array = Any

_PAIRS_OF_CARDS: Final = [(a, b) for a in range(10) for b in range(a, 10)]
_WORLDS: Final = np.array([(a, b, up) for (a, b), up in product(_PAIRS_OF_CARDS, range(10))])
_TENS: Final = np.array([4] * 9 + [16])
_SOFT: Final = 32
_BUST: Final = 22
_BONUS: Final = {"3:2": 1.5, "6:5": 1.2, "1:1": 1.0}


def _add(code: int, value: int) -> int:
    """As the kernel counts: the total, and 32 more if it is soft; all that is too much is one."""
    hard = (code & 31) - (10 if code & _SOFT else 0) + value + 1
    if hard <= 11 and (code & _SOFT or value == 0):
        return _SOFT + hard + 10
    return min(hard, _BUST)


def _order(codes: set[int]) -> list[int]:
    """So that every card leads to a code that came before: hard totals from above, but for soft ones in between."""
    hard = sorted((code for code in codes if code < _SOFT and code >= 11), reverse=True)
    soft = sorted((code for code in codes if code >= _SOFT), reverse=True)
    low = sorted((code for code in codes if code < 11), reverse=True)
    return [*hard, *soft, *low]


_CODES: Final = _order({*range(2, _BUST), *range(_SOFT + 11, _SOFT + 22)})


@lru_cache(maxsize=32)
def basic_strategy(rules: BlackjackRules) -> Strategy:
    worlds = _Worlds(rules)
    rows = {hand: _row_of_total(worlds, _code_of(hand)) for hand in (*HARD, *SOFT)}
    rows |= {hand: _row_of_pair(worlds, hand) for hand in PAIRS}
    return Strategy.of("basic", rows)


class _Worlds:
    """What each way of playing on is expected to bring, in bets, by code and world."""

    def __init__(self, rules: BlackjackRules) -> None:
        self.rules = rules
        a, b, up = _WORLDS.T
        left = np.tile(_TENS * rules.decks, (len(_WORLDS), 1)).astype(float)
        for each in (a, b, up):
            left[np.arange(len(_WORLDS)), each] -= 1
        left = left.clip(0)  # four of a kind of one deck may not be there: then it does not matter either
        self.weight = _weights(rules, a, b, up)
        self.chances = left / left.sum(axis=1, keepdims=True)
        finals, natural = self._dealer(up)
        self.stand = self._stands(finals, natural)
        self.hit: dict[int, Array] = {}
        best: dict[int, Array] = {_BUST: np.full(len(_WORLDS), -1.0)}
        for code in _CODES:
            self.hit[code] = self._after(best, code)
            stands_by_itself = code & 31 == 21 and (rules.auto_stand_21 or code & _SOFT)
            best[code] = self.stand[code] if stands_by_itself else np.maximum(self.stand[code], self.hit[code])
        self.best = best
        self.double = {code: self._doubled(code) for code in _CODES if code != _SOFT + 11}

    def _dealer(self, up: Array) -> tuple[Array, Array]:
        """Chances of the dealer's totals, 17 to 21 and too many, float[6, w], and of a natural, float[w].

        With a peek it is known that there is none.
        """
        rules, count = self.rules, len(_WORLDS)
        hole = self.chances.copy()
        natural = (
            np.where(up == 0, hole[:, 9], np.where(up == 9, hole[:, 0], 0.0)) if rules.naturals else np.zeros(count)
        )
        if rules.naturals:
            hole[up == 0, 9] = 0
            hole[up == 9, 0] = 0
            if rules.hole_card == "peek":
                hole /= hole.sum(axis=1, keepdims=True)
                natural = np.zeros(count)
        reached = {code: np.zeros(count) for code in (*_CODES, _BUST)}
        for first, value in product(range(10), range(10)):
            here = up == first
            reached[_add(_add(0, first), value)][here] += hole[here, value]
        for code in sorted(_CODES, key=lambda code: (code & 31) - (10 if code & _SOFT else 0)):
            if self._dealer_draws(code):
                for value in range(10):
                    reached[_add(code, value)] += reached[code] * self.chances[:, value]
                reached[code] = np.zeros(count)
        finals = [reached[total] + reached[_SOFT + total] for total in range(17, 22)]
        return np.array([*finals, reached[_BUST]]), natural

    def _dealer_draws(self, code: int) -> bool:
        return code & 31 < 17 or (code == _SOFT + 17 and self.rules.soft_17 == "hit")

    def _stands(self, finals: Array, natural: Array) -> dict[int, Array]:
        self.natural = natural
        stand = {}
        for code in _CODES:
            total = code & 31
            wins = finals[5] + sum((finals[n - 17] for n in range(17, min(total, 22))), np.zeros(len(_WORLDS)))
            loses = natural + sum((finals[n - 17] for n in range(max(17, total + 1), 22)), np.zeros(len(_WORLDS)))
            stand[code] = wins - loses
        return stand

    def _after(self, best: dict[int, Array], code: int) -> Array:
        return sum(
            (self.chances[:, value] * best[_add(code, value)] for value in range(10) if _add(code, value) in best),
            np.zeros(len(_WORLDS)),
        )

    def _doubled(self, code: int) -> Array:
        """With one card more and twice the bet; where only the first bet is lost to a natural, the other comes back."""
        outcome = {**self.stand, _BUST: np.full(len(_WORLDS), -1.0)}
        twice = 2 * self._after(outcome, code)
        if self.rules.lose == "original":
            survives = sum(
                (self.chances[:, value] for value in range(10) if _add(code, value) != _BUST), np.zeros(len(_WORLDS))
            )
            twice = twice + self.natural * survives
        return twice

    def may_double(self, code: int, split: bool = False) -> bool:
        least, most = {"any": (0, 21), "9-11": (9, 11), "10-11": (10, 11), "none": (99, 0)}[self.rules.double_on]
        return least <= code & 31 <= most and (self.rules.double_after_split or not split)

    def split(self, value: int) -> Array:
        """Of two cards of one value, split: twice what one of them expects, as float[w]."""
        rules = self.rules
        aces = value == 0
        one_card = aces and not rules.hit_split_aces
        again = rules.max_hands - 2 if not aces or rules.resplit_aces else 0
        alone = _add(0, value)
        plays = {}
        for card in range(10):
            code = _add(alone, card)
            if one_card:
                plays[card] = self.stand[code]
            else:
                plays[card] = self.best[code]
                if self.may_double(code, split=True):
                    plays[card] = np.maximum(plays[card], self.double[code])
        one = sum((self.chances[:, card] * plays[card] for card in range(10)), np.zeros(len(_WORLDS)))
        # a third and a fourth hand: half of the hands that come from the split may have them
        for _ in range(again):
            better = np.maximum(plays[value], 2 * one)
            one = one + self.chances[:, value] * (better - plays[value]) / 2
        two = 2 * one
        if rules.lose == "original":
            two = two + self.natural  # of two hands a natural takes one bet
        return two


def _weights(rules: BlackjackRules, a: Array, b: Array, up: Array) -> Array:
    """How often two cards come beside the dealer's, but for a factor."""
    left = np.tile(_TENS * rules.decks, (len(a), 1)).astype(float)
    places = np.arange(len(a))
    left[places, up] -= 1
    first = left[places, a].copy()
    left[places, a] -= 1
    return np.where(a == b, 1, 2) * first * left[places, b]


def _code_of(hand: str) -> int:
    return _SOFT + 11 + int(hand[1]) if hand in SOFT else int(hand)


def _members(code: int, up: int) -> Array:
    """Worlds whose two cards are this hand; pairs only where there is nothing else."""
    a, b, ups = _WORLDS.T
    codes = np.array([_add(_add(0, x), y) for x, y in zip(a, b, strict=True)])
    here = (codes == code) & (ups == up)
    unlike = here & (a != b)
    return unlike if unlike.any() else here


def _value(letter: str) -> int:
    return {"T": 9, "A": 0}.get(letter, ord(letter) - ord("1"))


def _row_of_total(worlds: _Worlds, code: int) -> Row:
    if code == 21:
        return ("S",) * len(UPCARDS)
    return tuple(_word(worlds, code, _members(code, _value(up))) for up in UPCARDS)


def _word(worlds: _Worlds, code: int, members: Array) -> str:
    weight = worlds.weight[members]
    expected = {
        "S": (worlds.stand[code][members] * weight).sum() / weight.sum(),
        "H": (worlds.hit[code][members] * weight).sum() / weight.sum(),
    }
    plain = max(expected, key=lambda word: expected[word])
    best, said = expected[plain], plain
    if worlds.may_double(code):
        double = (worlds.double[code][members] * weight).sum() / weight.sum()
        if double > best:
            best, said = double, f"D{plain.lower()}"
    if worlds.rules.surrender == "late" and best < -0.5:
        said = f"R{plain.lower()}"
    return said


def _row_of_pair(worlds: _Worlds, hand: str) -> Row:
    value = _value(hand[0])
    if worlds.rules.split_by == "none":
        return (NO_SPLIT,) * len(UPCARDS)
    split = worlds.split(value)
    return tuple(_word_of_pair(worlds, value, split, _value(up)) for up in UPCARDS)


def _word_of_pair(worlds: _Worlds, value: int, split: Array, up: int) -> str:
    code = _add(_add(0, value), value)
    a, b, ups = _WORLDS.T
    (world,) = np.flatnonzero((a == value) & (b == value) & (ups == up))
    others = [worlds.stand[code][world], worlds.hit[code][world]]
    if worlds.may_double(code):
        others.append(worlds.double[code][world])
    if split[world] <= max(others):
        return NO_SPLIT
    surrenders = worlds.rules.surrender == "late" and split[world] < -0.5
    return "Rp" if surrenders else "P"
