"""Values of hands, against an independent analyser and against the plain recursion."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.engine.odds.blackjack.plain import PlainBlackjack
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.compositions import all_hands, key_of
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes, evaluate_plainly
from webapp.engine.odds.blackjack.dealer_sequences import dealer_tree
from webapp.engine.odds.blackjack.hand_values import HandValues, NaturalTakes
from webapp.engine.odds.blackjack.split_values import SplitValues

SPOTS = json.loads(Path(__file__).with_name("spots.json").read_text())["spots"]
VALUES = "A23456789T"


def full(decks):
    return np.array([4 * decks] * 9 + [16 * decks])


def worth(rules, hand, up, deck):
    """Return the values of standing, hitting and doubling."""
    outcomes = DealerOutcomes(rules, up - 1, deck)
    values = HandValues(rules, outcomes, key_of(card - 1 for card in hand), 0, NaturalTakes.of(rules))
    counted = 1 - values.natural[0] if rules.hole_card == "peek" else 1
    return [float(found[0]) / counted for found in (values.stand, values.hit, values.double)]


def split_worth(rules, card, up, deck):
    outcomes = DealerOutcomes(rules, up - 1, deck)
    left = rules.max_hands - 2 if card != 1 or rules.resplit_aces else 0
    natural = float(outcomes.naturals(np.zeros(1, np.int64))[0]) if rules.hole_card == "peek" else 0
    return SplitValues(rules, outcomes, card - 1, 0).value(2, left) / (1 - natural)


def without(deck, *cards):
    deck = deck.copy()
    for card in cards:
        deck[card - 1] -= 1
    return deck


def test_there_are_as_many_hands_as_others_count() -> None:
    assert (all_hands().size >= 2).sum() == 3072


def test_hands_are_worth_what_an_independent_analyser_found() -> None:
    for spot in SPOTS:
        rules = BlackjackRules(decks=spot["decks"], soft_17=spot["soft_17"])
        hand, up = [VALUES.index(card) + 1 for card in spot["hand"]], VALUES.index(spot["dealer"]) + 1
        found = worth(rules, hand, up, without(full(rules.decks), up, *hand))
        assert found == pytest.approx([spot["stand"], spot["hit"], spot["double"]], abs=1e-6), spot


@pytest.mark.parametrize("decks, hand, up", [(1, (10, 6), 10), (1, (1, 7), 9), (2, (10, 5), 1), (2, (9, 7), 7)])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"soft_17": "hit"},
        {"hole_card": "no_peek", "lose": "original"},
        {"hole_card": "no_peek", "lose": "all"},
        {"naturals": False, "auto_stand_21": False},
    ],
)
def test_a_plain_recursion_finds_the_same_values(decks, hand, up, changes) -> None:
    rules = BlackjackRules(decks=decks, **changes)
    deck = without(full(decks), up, *hand)
    plain = PlainBlackjack(rules, up, deck)
    hand, deck_of_plain = tuple(sorted(hand)), tuple(map(int, deck))
    expected = [
        plain.stand(hand, deck_of_plain, 1, False),
        plain.hit(hand, deck_of_plain),
        plain.double(hand, deck_of_plain),
    ]
    assert worth(rules, hand, up, deck) == pytest.approx(expected, abs=1e-9)


PEEKS = [{}, {"hole_card": "no_peek", "lose": "original"}, {"hole_card": "no_peek", "lose": "all"}]


ONE_OF_EACH = np.array([1] * 9 + [6])


@pytest.mark.parametrize(
    "card, up, changes", [*((8, 10, look) for look in PEEKS), (9, 9, {}), (1, 10, PEEKS[1]), (10, 1, PEEKS[1])]
)
def test_a_plain_recursion_finds_the_same_values_of_two_hands_of_a_few_cards_of_all_ranks(card, up, changes) -> None:
    """Whole decks take seconds each and are left to the long tests."""
    rules = BlackjackRules(decks=1, max_hands=2, **changes)
    plain = PlainBlackjack(rules, up, map(int, ONE_OF_EACH))
    assert split_worth(rules, card, up, ONE_OF_EACH) == pytest.approx(plain.split(card), abs=1e-9)


def compare_whole_decks(decks, card, up, max_hands, changes):
    rules = BlackjackRules(decks=decks, max_hands=max_hands, resplit_aces=True, **changes)
    deck = without(full(decks), up, card, card)
    plain = PlainBlackjack(rules, up, map(int, deck))
    assert split_worth(rules, card, up, deck) == pytest.approx(plain.split(card), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("up, changes", [(1, {}), (10, PEEKS[1]), (10, PEEKS[2])])
def test_a_plain_recursion_finds_the_same_values_of_four_hands_of_aces_of_two_decks(up, changes) -> None:
    compare_whole_decks(2, 1, up, 4, changes)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "decks, card, up, max_hands, changes",
    [
        *((1, 8, 10, 2, look) for look in PEEKS),
        (1, 9, 9, 2, {}),
        (1, 1, 10, 2, PEEKS[1]),
        (1, 10, 1, 2, PEEKS[1]),
        (2, 9, 9, 2, {}),
        (2, 10, 1, 2, PEEKS[1]),
        (2, 8, 10, 2, PEEKS[1]),
        (2, 8, 10, 2, PEEKS[2]),
        (1, 10, 10, 3, {}),
        (1, 9, 10, 3, PEEKS[1]),
    ],
)
def test_a_plain_recursion_finds_the_same_values_of_more_hands_and_decks(decks, card, up, max_hands, changes) -> None:
    """Takes up to half a minute each, and two gigabytes."""
    compare_whole_decks(decks, card, up, max_hands, changes)


SMALL = {
    8: np.array([2, 0, 2, 0, 0, 0, 0, 4, 0, 10]),
    9: np.array([2, 3, 0, 0, 0, 0, 0, 0, 3, 12]),
    1: np.array([5, 0, 0, 2, 0, 0, 3, 0, 0, 8]),
    10: np.array([3, 2, 0, 0, 0, 0, 0, 0, 0, 9]),
}
"""What may be left of two decks. Rounds of few different cards are soon told one by one."""


@pytest.mark.parametrize("card", SMALL)
@pytest.mark.parametrize("up", [1, 7, 10])
@pytest.mark.parametrize("max_hands", [2, 3, 4])
@pytest.mark.parametrize("changes", [{}, {"hole_card": "no_peek", "lose": "all"}])
def test_pairs_are_split_again_as_a_plain_recursion_does(card, up, max_hands, changes) -> None:
    rules = BlackjackRules(decks=2, max_hands=max_hands, resplit_aces=True, **changes)
    plain = PlainBlackjack(rules, up, map(int, SMALL[card]))
    assert split_worth(rules, card, up, SMALL[card]) == pytest.approx(plain.split(card), abs=1e-9)


@pytest.mark.parametrize("card", SMALL)
@pytest.mark.parametrize("up", [1, 10])
@pytest.mark.parametrize("max_hands", [2, 3, 4])
def test_a_natural_takes_the_first_bet_only_as_in_a_plain_recursion(card, up, max_hands) -> None:
    rules = BlackjackRules(decks=2, max_hands=max_hands, hole_card="no_peek", lose="original")
    plain = PlainBlackjack(rules, up, map(int, SMALL[card]))
    assert split_worth(rules, card, up, SMALL[card]) == pytest.approx(plain.split(card), abs=1e-9)


def test_compiled_chances_are_the_plain_ones() -> None:
    compiled = pytest.importorskip("webapp.engine.odds.blackjack.dealer_compiled")
    rules = BlackjackRules(decks=2, soft_17="hit")
    for up in range(10):
        tree = dealer_tree(rules, up)
        decks = np.maximum(full(2) - all_hands().counts[::50], 0)
        assert compiled.evaluate_compiled(tree, decks) == pytest.approx(evaluate_plainly(tree, decks), abs=1e-14)
