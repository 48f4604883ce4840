"""Totals at twenty-one, and published figures about them, by enumeration."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import pytest

from webapp.engine.cards import RANKS, STANDARD_DECK, Card, Rank, Suit, parse_cards
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.twenty_one.hand import hard_total, is_bust, is_natural, is_soft, total, value

BY_VALUE = {value(Card(rank, Suit.CLUBS)): Card(rank, Suit.CLUBS) for rank in RANKS}


def by_trying_each_ace(cards):
    """Return all totals with each ace as 1 or 11."""
    totals = {0}
    for card in cards:
        worth = {1, 11} if card.rank is Rank.ACE else {value(card)}
        totals = {whole + more for whole in totals for more in worth}
    return totals


# ------------------------------------------------------------------------------------------ counting


@pytest.mark.parametrize(
    "card, worth",
    [*[(f"{n}c", n) for n in range(2, 10)], ("Tc", 10), ("Jc", 10), ("Qc", 10), ("Kc", 10), ("Ac", 1)],
)
def test_numbers_count_their_number_and_courts_ten(card, worth):
    assert value(*parse_cards(card)) == worth


@pytest.mark.parametrize(
    "cards, count, soft",
    [
        ("", 0, False),
        ("A", 11, True),
        ("A A", 12, True),
        ("A K", 21, True),
        ("A 6", 17, True),
        ("A 6 T", 17, False),
        ("A A 9", 21, True),
        ("A A 9 A", 12, False),
        ("A 5 5", 21, True),
        ("A A A A A A A A A A A", 21, True),
        ("A A A A A A A A A A A A", 12, False),
        ("T 7", 17, False),
        ("K Q A", 21, False),
        ("K Q 2", 22, False),
        ("K 9 A A A", 22, False),
    ],
)
def test_the_ace_is_eleven_unless_that_would_bust(cards, count, soft):
    hand = parse_cards("".join(f"{rank}h" for rank in cards.split()))
    assert (total(hand), is_soft(hand), is_bust(hand)) == (count, soft, count > 21)


def test_the_total_is_the_best_of_all_ways_to_count_the_aces():
    for n in range(6):
        for hand in combinations_with_replacement(BY_VALUE.values(), n):
            ways = by_trying_each_ace(hand)
            best = max((way for way in ways if way <= 21), default=min(ways))
            assert (total(hand), is_soft(hand)) == (best, best != min(ways))
            assert hard_total(hand) == min(ways)
            assert is_bust(hand) == (min(ways) > 21)


def test_the_total_of_a_bust_hand_has_every_ace_as_one():
    hand = parse_cards("Kh 9h Ah Ad Ac")
    assert total(hand) == hard_total(hand) == 22


def test_the_order_of_the_cards_does_not_count():
    hand = parse_cards("Ah 9d As Kc")
    assert total(hand) == total(hand[::-1]) == 21
    assert is_soft(hand) == is_soft(hand[::-1])


@pytest.mark.parametrize(
    "cards, natural",
    [("AhKd", True), ("ThAd", True), ("AhAd", False), ("7h7d7c", False), ("KhQd", False), ("Ah", False)],
)
def test_a_natural_is_an_ace_and_a_ten_as_the_first_two_cards(cards, natural):
    assert is_natural(parse_cards(cards)) is natural


# ------------------------------------------------------------------------------------------ published figures


def test_a_natural_is_dealt_from_one_deck_64_times_in_1326():
    naturals = sum(is_natural(pair) for pair in combinations(STANDARD_DECK, 2))
    assert (naturals, comb(52, 2)) == (64, 1326)
    assert round(100 * naturals / comb(52, 2), 4) == 4.8265


@pytest.mark.parametrize("decks, percent", [(1, 4.8265), (2, 4.7797), (6, 4.7489), (8, 4.7451)])
def test_naturals_of_bigger_shoes_are_as_rare_as_published(decks, percent):
    naturals = sum(is_natural(pair) for pair in combinations(STANDARD_DECK * decks, 2))
    assert round(100 * naturals / comb(52 * decks, 2), 4) == percent


# wizardofodds.com, Blackjack, Appendix 2B: "1 Deck - Dealer Stands on Soft 17", before any peek.
ONE_DECK = {
    1: {17: 0.126128, 18: 0.131003, 19: 0.129486, 20: 0.131553, 21: 0.0515646, "natural": 0.313726, "bust": 0.11654},
    2: {17: 0.138976, 18: 0.131762, 19: 0.131815, 20: 0.123948, 21: 0.120526, "bust": 0.352973},
    3: {17: 0.130313, 18: 0.130946, 19: 0.123761, 20: 0.123345, 21: 0.116047, "bust": 0.375588},
    4: {17: 0.130973, 18: 0.114163, 19: 0.120679, 20: 0.116286, 21: 0.115096, "bust": 0.402803},
    5: {17: 0.119687, 18: 0.123483, 19: 0.116909, 20: 0.104694, 21: 0.106321, "bust": 0.428905},
    6: {17: 0.166948, 18: 0.106454, 19: 0.107192, 20: 0.100705, 21: 0.0978785, "bust": 0.420823},
    7: {17: 0.372345, 18: 0.138583, 19: 0.0773344, 20: 0.0788967, 21: 0.072987, "bust": 0.259854},
    8: {17: 0.130857, 18: 0.362989, 19: 0.129445, 20: 0.0682898, 21: 0.0697914, "bust": 0.238627},
}


def endings(cards, deck, rules):
    """Return the probabilities of the dealer's final totals with these cards. ``deck``: number of cards by value."""
    if not rules.dealer_draws(total(cards), is_soft(cards)):
        return {"natural" if is_natural(cards) else "bust" if is_bust(cards) else total(cards): 1.0}
    found = Counter()
    for worth, left in enumerate(deck):
        if left:
            rest = (*deck[:worth], left - 1, *deck[worth + 1 :])
            for end, likely in endings((*cards, BY_VALUE[worth]), rest, rules).items():
                found[end] += likely * left / sum(deck)
    return found


@pytest.mark.parametrize("up", ONE_DECK)
def test_the_dealer_ends_from_one_deck_as_often_with_each_total_as_published(up):
    deck = [0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 16]
    deck[up] -= 1
    found = endings((BY_VALUE[up],), tuple(deck), BlackjackRules(soft_17="stand"))
    assert sum(found.values()) == pytest.approx(1)
    assert dict(found) == {end: pytest.approx(likely, abs=1e-6) for end, likely in ONE_DECK[up].items()}


# Without end, every card is drawn as if it were the first: the figures of the textbooks, dealer stands on soft 17.
ENDLESS = {
    2: {17: 0.139809, 18: 0.134907, 19: 0.129655, 20: 0.124026, 21: 0.117993, "bust": 0.353608},
    6: {17: 0.165438, 18: 0.106267, 19: 0.106267, 20: 0.101715, 21: 0.097163, "bust": 0.423150},
    10: {17: 0.111424, 18: 0.111424, 19: 0.111424, 20: 0.342194, 21: 0.034501, "natural": 0.076923, "bust": 0.212109},
    1: {17: 0.130789, 18: 0.130789, 19: 0.130789, 20: 0.130789, 21: 0.053866, "natural": 0.307692, "bust": 0.115286},
}


@cache
def endless(count, soft, cards, rules):
    """Return the same by total, for an infinite deck. ``cards``: number of cards so far, 3 for all above."""
    if count > 21:
        return {"bust": 1.0}
    hand = (BY_VALUE[1], *spelled(count - 11)) if soft else spelled(count)
    if cards > 1 and not rules.dealer_draws(total(hand), is_soft(hand)):
        return {"natural" if cards == 2 and count == 21 else count: 1.0}
    found = Counter()
    for worth in range(1, 11):
        after, ace = count + worth, soft
        if worth == 1 and after + 10 <= 21:
            after, ace = after + 10, True
        elif after > 21 and soft:
            after, ace = after - 10, False
        for end, likely in endless(after, ace, min(cards + 1, 3), rules).items():
            found[end] += likely * (4 if worth == 10 else 1) / 13
    return found


def spelled(count):
    """Return cards with this hard total, without an ace if that is possible."""
    cards = []
    while count > 0:
        worth = count if count <= 10 else 10 if count - 10 != 1 else 9
        cards.append(BY_VALUE[worth])
        count -= worth
    return tuple(cards)


@pytest.mark.parametrize("up", ENDLESS)
def test_the_dealer_ends_from_an_endless_pile_as_often_with_each_total_as_published(up):
    found = endless(11 if up == 1 else up, up == 1, 1, BlackjackRules(soft_17="stand"))
    assert dict(found) == {end: pytest.approx(likely, abs=1e-6) for end, likely in ENDLESS[up].items()}


def test_a_dealer_who_draws_to_a_soft_seventeen_has_fewer_seventeens_and_busts_more():
    stand, hit = (endless(11, True, 1, BlackjackRules(soft_17=rule)) for rule in ("stand", "hit"))
    assert hit[17] < stand[17]
    assert hit["bust"] > stand["bust"]
