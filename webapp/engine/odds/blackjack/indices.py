"""Index numbers of blackjack: the count from which another action is better than that of basic strategy.

A player who knows only a count expects more of some cards in the rest of the shoe, and fewer of others. The expectation
is the regression of what is unseen on the count: the share that each card has in a full shoe, times

    1 + (m - m0) * (tag - m0) / v

where m is the mean tag of the unseen cards, m0 that of a full shoe, and v the variance of its tags. For half a shoe,
and tags as often above 0 as below, this is the exact conditional mean, by symmetry; elsewhere it is off by terms of
the square of the count.

Such a composition has counts that are no whole numbers. It is scaled to as many cards as the whole shoe has, before the
hand is dealt: a card whose tag is 0 tells as much of the rest as one out of the whole shoe does, however few are left.
Then the hand and the dealer's card are taken out; the count is that of a player who has counted them, too. From there
all actions are priced as every decision is (``HandValues``, ``SplitValues``), and not by effects of removal, so that
great counts are right as well. In this way a turn does not depend on the depth of the shoe.

Hands of one total (10-6 and 9-7) are averaged, weighted by how often they are dealt at that count.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import isnan, nan
from typing import Any, Final, NamedTuple

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.box_values import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from webapp.engine.odds.blackjack.compositions import ACE, TEN, VALUES, Shares, key_of
from webapp.engine.odds.blackjack.count_index import UPCARDS, CountIndices, Play, Turn
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes, Evaluate, evaluate_plainly
from webapp.engine.odds.blackjack.edge import chance_of_hand, values_of_plays
from webapp.engine.odds.blackjack.hand_values import HandValues, NaturalTakes
from webapp.engine.odds.blackjack.split_values import SplitValues
from webapp.engine.odds.value import Arrays
from webapp.engine.twenty_one.counting import DECK, HI_LO, CountingSystem

Array = Any
Cards = tuple[int, int]

VERBS: Final = (STAND, HIT, DOUBLE, SPLIT, SURRENDER)
"""Actions, in the order of ``ValuesByCount.worth``."""
RANGE: Final = 10
"""Hi-Lo counts up to which turns are looked for; those of other systems are as frequent."""
_DECKS: Final = 15
"""Compositions that are priced, an odd number. Values in between are interpolated: they are almost straight."""
_FINE: Final = 2001
_NEVER: Final = -99.0
_LEAST: Final = 1e-12
"""Hands that cannot be dealt at a count are weighted by this."""


class ValuesByCount(NamedTuple):
    """Values of the actions on two cards against a dealer's card, at several counts.

    count: float[n], once the three cards are seen, ascending. chance: float[n], of the two cards.
    worth: float[n, 5], by VERBS; _NEVER for what is not allowed.
    """

    count: Array
    chance: Array
    worth: Array


def index_arrays(rules: BlackjackRules, system: CountingSystem, evaluate: Evaluate = evaluate_plainly) -> Arrays:
    """Compute the index numbers of a table, as the description of the module says.

    basic: int64[p], the best action of each decision from a full shoe, by VERBS. turns: float[n, 4], the number of the
    decision, the count, and the actions below and above it. ends: float[3], the least and the greatest count, and that
    of insurance, NaN if there is none.
    """
    tags = np.array(system.tags, float)
    shoe = np.array(DECK, float) * rules.decks
    start, unit = per_deck(shoe, tags), (system.variance / HI_LO.variance) ** 0.5
    limits = start - RANGE * unit, start + RANGE * unit
    # three cards move a count by so much at most
    most = RANGE * unit + 3 * 52 * np.abs(tags - tags @ shoe / shoe.sum()).max() / (shoe.sum() - 3)
    decks = [deck_at(shoe, tags, start + count) for count in np.linspace(-most, most, _DECKS)]
    values = _values(rules, tags, decks, evaluate)
    fine = np.linspace(*limits, _FINE)
    basic, turns = [], []
    for number, (hand, up) in enumerate(_decisions(rules)):
        alike = [values[cards, up] for cards in _hands(rules)[hand]]
        basic.append(_basic(alike))
        turns += [(number, *turn) for turn in _turns(alike, fine)]
    ends = np.array([*limits, _insurance(rules, tags, shoe, fine)])
    return {"basic": np.array(basic), "turns": np.array(turns, float).reshape(-1, 4), "ends": ends}


def count_indices(rules: BlackjackRules, system: CountingSystem, arrays: Arrays) -> CountIndices:
    """Return the index numbers that ``index_arrays`` has computed for these rules and this system."""
    turns: dict[int, list[Turn]] = {}
    for number, count, below, above in arrays["turns"].tolist():
        turns.setdefault(int(number), []).append(Turn(count, VERBS[int(below)], VERBS[int(above)]))
    plays = tuple(
        Play(hand, UPCARDS[up - 1], VERBS[basic], tuple(turns.get(number, ())))
        for number, ((hand, up), basic) in enumerate(zip(_decisions(rules), arrays["basic"].tolist(), strict=True))
    )
    least, most, insurance = arrays["ends"].tolist()
    return CountIndices.of(rules, system, plays, None if isnan(insurance) else insurance, (least, most))


def _decisions(rules: BlackjackRules) -> list[tuple[str, int]]:
    """Return all hands of a chart with all cards of the dealer."""
    return list(product(_hands(rules), (*range(1, VALUES), ACE)))


def per_deck(deck: Array, tags: Array) -> float:
    """Return the count for each 52 cards, float[10], of which these are unseen: the fewer low ones, the higher."""
    return float(-52 * (deck @ tags) / deck.sum())


def deck_at(shoe: Array, tags: Array, count: float) -> Array:
    """Return what is expected at a count for each 52 cards, scaled to as many cards as the shoe has: float[10]."""
    share = shoe / shoe.sum()
    mean = share @ tags
    variance = share @ tags**2 - mean**2
    factor = 1 + (-count / 52 - mean) * (tags - mean) / variance
    return shoe * np.maximum(factor, 0)


def _hands(rules: BlackjackRules) -> dict[str, list[Cards]]:
    """Return the lines of a chart, with the two cards of each."""
    splits = rules.split_by != "none"
    hard: dict[int, list[Cards]] = {}
    for a, b in combinations_with_replacement(range(1, VALUES), 2):
        if a != b or not splits:
            hard.setdefault(a + b + 2, []).append((a, b))
    hands = {str(points): hard[points] for points in sorted(hard)}
    hands |= {f"A{b + 1}": [(ACE, b)] for b in range(1, TEN)}
    if splits:
        hands |= {2 * UPCARDS[value - 1]: [(value, value)] for value in (*range(1, VALUES), ACE)}
    return hands


def _values(
    rules: BlackjackRules, tags: Array, decks: list[Array], evaluate: Evaluate
) -> dict[tuple[Cards, int], ValuesByCount]:
    deals = [cards for alike in _hands(rules).values() for cards in alike]
    found: dict[tuple[Cards, int], list[tuple[float, float, list[float]]]] = {}
    for whole in decks:
        for up in range(VALUES):
            deck = np.maximum(whole - _one(up), 0)
            outcomes = DealerOutcomes(rules, up, deck, evaluate)
            values = HandValues(rules, outcomes, 0, 0, NaturalTakes.of(rules))
            for a, b in deals:
                count = per_deck(deck - _one(a) - _one(b), tags)
                worth = _worth(rules, values, (a, b))
                chance = max(chance_of_hand(deck, a, b), _LEAST)
                found.setdefault(((a, b), up), []).append((count, chance, worth))
    return {deal: ValuesByCount(*map(np.array, zip(*rows, strict=True))) for deal, rows in found.items()}


def _one(value: int) -> Array:
    return np.eye(VALUES)[value]


def _worth(rules: BlackjackRules, values: HandValues, cards: Cards) -> list[float]:
    worth = values_of_plays(rules, Shares.of(rules), values, cards)
    if cards[0] == cards[1] and rules.split_by != "none":
        worth[SPLIT] = _split(rules, values, cards[0])
    return [worth.get(verb, _NEVER) for verb in VERBS]


def _split(rules: BlackjackRules, values: HandValues, card: int) -> float:
    left = rules.max_hands - 2 if card != ACE or rules.resplit_aces else 0
    of_rank = rules.split_by == "rank" and card == TEN
    pairing = max(float(values.outcomes.deck[TEN]) / 4 - 2, 0) if of_rank else None
    return SplitValues(rules, values.outcomes, card, key_of((card, card)), pairing).value(2, left)


def _basic(deals: list[ValuesByCount]) -> int:
    """Return the best action from a full shoe, on hands that are played alike."""
    full = _DECKS // 2
    return int(np.sum([deal.worth[full] * deal.chance[full] for deal in deals], axis=0).argmax())


def _turns(deals: list[ValuesByCount], fine: Array) -> Iterator[tuple[float, int, int]]:
    """Yield the counts at which the best action changes, and the actions below and above."""
    chance = np.array([np.interp(fine, deal.count, deal.chance) for deal in deals])
    worth = np.array([[np.interp(fine, deal.count, values) for values in deal.worth.T] for deal in deals])
    averages = (worth * chance[:, None]).sum(axis=0) / chance.sum(axis=0)
    best = averages.argmax(axis=0)
    for place in np.flatnonzero(np.diff(best)):
        below, above = best[place], best[place + 1]
        ahead = averages[below, place : place + 2] - averages[above, place : place + 2]
        part = ahead[0] / (ahead[0] - ahead[1])
        yield float(fine[place] + part * (fine[place + 1] - fine[place])), int(below), int(above)


def _insurance(rules: BlackjackRules, tags: Array, shoe: Array, fine: Array) -> float:
    """Return the count from which more than a third of the cards are tens, with an ace of the dealer; NaN if none."""
    if not (rules.insurance and rules.naturals):
        return nan
    decks = [deck_at(shoe, tags, count) - _one(ACE) for count in fine]
    gains = np.array([3 * deck[TEN] / deck.sum() - 1 for deck in decks])
    pays = np.flatnonzero((gains[:-1] <= 0) & (gains[1:] > 0))
    return per_deck(decks[int(pays[0])], tags) if len(pays) else nan
