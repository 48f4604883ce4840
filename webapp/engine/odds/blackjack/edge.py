"""The edge of a blackjack table: what the player wins on average for each bet, by best play from a full shoe."""

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import CHOICES, BlackjackRules
from webapp.engine.odds.blackjack.box_values import DOUBLE, HIT, STAND, SURRENDER
from webapp.engine.odds.blackjack.compositions import ACE, TEN, VALUES, Shares, all_hands, key_of
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes, Evaluate, evaluate_plainly
from webapp.engine.odds.blackjack.hand_values import HandValues, NaturalTakes
from webapp.engine.odds.blackjack.split_values import SplitValues
from webapp.engine.twenty_one.hand import BEST

Array = Any

WITHOUT_INFLUENCE: Final = frozenset({"penetration", "shuffle", "auto_stand_21", "deal"})
"""Rules on which the edge of one round from a full shoe does not depend: nobody draws to a total of 21."""


def edge(
    rules: BlackjackRules,
    bet: int | None = None,
    deck: Array | None = None,
    evaluate: Evaluate = evaluate_plainly,
) -> float:
    """Return what a player who always plays best wins on average for each bet; negative where the house wins.

    Args:
        rules: the rules of the table.
        bet: chips, for shares that are rounded to a chip; they are not rounded without it.
        deck: the cards of the shoe by value, int64[10]; all decks if it is None.
        evaluate: how the dealer's chances are computed.
    """
    cards = np.array([4] * TEN + [16]) * rules.decks if deck is None else np.asarray(deck, np.int64)
    shares = Shares.of(rules, bet)
    return sum(
        float(cards[up] / cards.sum()) * _against(rules, shares, cards, up, evaluate)
        for up in range(VALUES)
        if cards[up] > 0
    )


def _against(rules: BlackjackRules, shares: Shares, cards: Array, up: int, evaluate: Evaluate) -> float:
    """Return the average gain against one open card."""
    deck = cards - np.eye(VALUES, dtype=np.int64)[up]
    outcomes = DealerOutcomes(rules, up, deck, evaluate)
    values = HandValues(rules, outcomes, 0, 0, NaturalTakes.of(rules))
    counts_naturals = rules.hole_card == "peek"
    gain = 0.0
    for a, b in combinations_with_replacement(range(VALUES), 2):
        weight = chance_of_hand(deck, a, b)
        if not weight:
            continue
        place = all_hands().place[key_of((a, b))]
        naturals = float(values.natural[place])
        if rules.naturals and (a, b) == (ACE, TEN):
            gain += weight * shares.natural * (1 - naturals)
        else:
            gain += weight * _best(rules, shares, values, (a, b))
        if counts_naturals and (not rules.naturals or (a, b) != (ACE, TEN)):
            gain -= weight * naturals
        if rules.insurance and rules.naturals and up == ACE:
            gain += weight * shares.insurance * max(3 * naturals - 1, 0)
    return gain


def chance_of_hand(deck: Array, a: int, b: int) -> float:
    """Return the chance of two cards, in either order, from a deck, [10]."""
    left = float(deck.sum())
    ways = float(deck[a] * (deck[b] - 1) if a == b else 2 * deck[a] * deck[b])
    return max(ways, 0) / (left * (left - 1))


def values_of_plays(
    rules: BlackjackRules, shares: Shares, values: HandValues, cards: tuple[int, int]
) -> dict[str, float]:
    """Return the values of all actions on two cards, but that of a split."""
    place = all_hands().place[key_of(cards)]
    total = int(values.total[place])
    worth = {STAND: float(values.stand[place])}
    if total < BEST or not rules.auto_stand_21:
        worth[HIT] = float(values.hit[place])
    if rules.may_double_total(total):
        worth[DOUBLE] = float(values.double[place])
    if rules.surrender == "late":
        counted = 1 - float(values.natural[place]) if rules.hole_card == "peek" else 1.0
        worth[SURRENDER] = -shares.surrender * counted
    return worth


def _best(rules: BlackjackRules, shares: Shares, values: HandValues, cards: tuple[int, int]) -> float:
    """Return the value of the best action on two cards."""
    best = max(values_of_plays(rules, shares, values, cards).values())
    a, b = cards
    if a == b and rules.split_by != "none":
        return max(best, _split(rules, values, a, best))
    return best


def _split(rules: BlackjackRules, values: HandValues, card: int, other: float) -> float:
    """Return the value of splitting a pair, or a bound of it if that does not exceed what something else is worth.

    Of tens, one of equal rank is split, while the dealer shows another.
    """
    left = rules.max_hands - 2 if card != ACE or rules.resplit_aces else 0
    pairing = None
    if rules.split_by == "rank" and card == TEN:
        pairing = max(int(values.outcomes.deck[TEN]) // 4 - 2, 0)
    split = SplitValues(rules, values.outcomes, card, key_of((card, card)), pairing)
    most = split.most(2, left)
    return split.value(2, left) if most > other else most


def unusual_choices(rules: BlackjackRules) -> dict[str, dict[str, Any]]:
    """Return the rules that are in force, have an influence and differ from the usual choice, with that choice."""
    usual = BlackjackRules()
    return {
        name: {name: getattr(usual, name)}
        for name in rules.in_force
        if name in CHOICES and name not in WITHOUT_INFLUENCE and getattr(rules, name) != getattr(usual, name)
    }


def rule_prices(rules: BlackjackRules, evaluate: Evaluate = evaluate_plainly) -> dict[str, float]:
    """Return what each rule gives the player, in bets: the edge, less that with the usual choice in its place.

    Only rules that are in force and differ from the usual choice have a price. It is negative where they cost.
    """
    whole = edge(rules, evaluate=evaluate)
    return {
        name: whole - edge(replace(rules, **change), evaluate=evaluate)
        for name, change in unusual_choices(rules).items()
    }
