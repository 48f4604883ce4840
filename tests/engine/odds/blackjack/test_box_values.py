"""Values of the hands of a split during play, against the plain recursion."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.engine.odds.blackjack.plain import PlainBlackjack
from webapp.engine.cards import Card, Rank, Suit
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.state import BlackjackHand
from webapp.engine.odds.blackjack.box_values import BoxValues, Known
from webapp.engine.odds.blackjack.compositions import Shares
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes

ORIGINAL = {"hole_card": "no_peek", "lose": "original"}
ALL = {"hole_card": "no_peek", "lose": "all"}

FEW = {
    8: (2, 0, 2, 0, 0, 0, 0, 4, 0, 10),
    9: (2, 3, 0, 0, 0, 0, 0, 0, 3, 12),
    2: (2, 4, 0, 0, 0, 2, 0, 0, 0, 12),
    1: (5, 0, 0, 2, 0, 0, 3, 0, 0, 8),
}
"""What may be left of two decks, by the card of the pair. Rounds of few different cards are soon told one by one."""


def full(decks, *seen):
    deck = np.array([4 * decks] * 9 + [16 * decks])
    np.subtract.at(deck, np.array(seen) - 1, 1)
    return tuple(map(int, deck))


def split_hand(cards) -> BlackjackHand:
    ranks = (Rank.ACE if card == 1 else Rank(card) for card in cards)
    return BlackjackHand(tuple(Card(rank, Suit.SPADES) for rank in ranks), 1, split=True)


def compare(rules, deck, up, hand, waits, waiting=1) -> None:
    """Compare both. ``deck``: ten counts, or eleven if only tens of equal rank are split."""
    plain = PlainBlackjack(rules, up, deck)
    left = rules.max_hands - waiting - 1 if waits[0] != 1 or rules.resplit_aces else 0
    expected = plain.in_play(tuple(sorted(hand)), waits, waiting, left)
    counts = np.array([*deck[:9], sum(deck[9:])])
    known = Known(
        rules,
        SimpleNamespace(counts=counts, of_rank=lambda _: deck[waits[0] - 1]),
        DealerOutcomes(rules, up - 1, counts),
    )
    hands = split_hand(hand), *[split_hand(waits)] * waiting
    found = BoxValues(known, hands, 0, Shares.of(rules, None)).actions
    for verb in found.keys() - {"split"}:
        assert found[verb] / known.counted == pytest.approx(expected[verb], abs=1e-9), verb


@pytest.mark.slow
@pytest.mark.parametrize("hand", [(8, 3), (9, 2), (2, 2)])
@pytest.mark.parametrize("up", [1, 10])
@pytest.mark.parametrize("waiting, max_hands", [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)])
def test_a_hand_in_play_and_those_that_wait_draw_from_one_deck(hand, up, waiting, max_hands) -> None:
    rules = BlackjackRules(decks=2, max_hands=max_hands, **ORIGINAL)
    compare(rules, FEW[hand[0]], up, hand, hand[:1], waiting)


@pytest.mark.parametrize("changes", [{}, ALL])
@pytest.mark.parametrize("waiting, max_hands", [(1, 4), (3, 4)])
def test_a_hand_in_play_where_a_natural_takes_nothing_or_all(changes, waiting, max_hands) -> None:
    compare(BlackjackRules(decks=2, max_hands=max_hands, **changes), FEW[8], 10, (8, 3), (8,), waiting)


@pytest.mark.slow
@pytest.mark.parametrize("changes", [ORIGINAL, ALL])
@pytest.mark.parametrize(
    "waits, max_hands",
    [
        *((waits, max_hands) for waits in [(1, 4), (1, 7)] for max_hands in (2, 3, 4)),
        *(((1, 1), max_hands) for max_hands in (2, 3)),
        pytest.param((1, 1), 4, marks=pytest.mark.soak),
    ],
)
def test_split_aces_wait_with_their_second_card(changes, waits, max_hands) -> None:
    rules = BlackjackRules(decks=2, max_hands=max_hands, hit_split_aces=True, resplit_aces=True, **changes)
    compare(rules, FEW[1], 10, (1, 4), waits)


@pytest.mark.parametrize("waiting, max_hands", [(1, 4), (2, 4)])
def test_tens_of_one_rank_are_split_again(waiting, max_hands) -> None:
    rules = BlackjackRules(decks=2, max_hands=max_hands, split_by="rank", **ORIGINAL)
    compare(rules, (3, 2, 3, 0, 0, 0, 0, 0, 0, 3, 5), 1, (10, 3), (10,), waiting)


@pytest.mark.slow
@pytest.mark.parametrize("lose", [ORIGINAL, ALL])
@pytest.mark.parametrize("hand, up", [((9, 7), 10), ((8, 9), 1), ((6, 10), 1)])
def test_a_plain_recursion_finds_the_same_worth_of_the_first_of_two_hands_of_a_few_cards(hand, up, lose) -> None:
    compare(BlackjackRules(decks=1, max_hands=2, **lose), (1,) * 9 + (6,), up, hand, hand[:1])


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("lose", [ORIGINAL, ALL])
@pytest.mark.parametrize("decks, hand, up", [(1, (9, 7), 10), (1, (8, 9), 1), (1, (6, 10), 1), (2, (9, 7), 10)])
def test_the_first_of_two_hands_of_whole_decks_is_worth_what_a_plain_recursion_finds(decks, hand, up, lose) -> None:
    compare(BlackjackRules(decks=decks, max_hands=2, **lose), full(decks, up, *hand, hand[0]), up, hand, hand[:1])
