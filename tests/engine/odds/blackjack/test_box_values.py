"""Hands of a split while they are played, against the plain recursion."""

import pytest

from tests.engine.odds.blackjack.plain import PlainBlackjack, add, count
from webapp.engine.cards import parse_cards
from webapp.engine.games.blackjack.hand import BlackjackHand
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.box_values import BoxValues, Known
from webapp.engine.odds.blackjack.compositions import index_of
from webapp.engine.odds.blackjack.dealer.outcomes import DealerOutcomes
from webapp.engine.odds.blackjack.shares import Shares
from webapp.engine.odds.blackjack.unseen import Unseen


@pytest.mark.slow
@pytest.mark.parametrize(
    "first, up, error",
    [
        ("9h 7d", "Tc", 1e-4),
        pytest.param("8h 9d", "Ac", 5e-4, marks=pytest.mark.soak),
        pytest.param("6h Td", "Ac", 2e-3, marks=pytest.mark.soak),
    ],
)
@pytest.mark.parametrize("lose", ["original", "all"])
def test_the_first_hand_of_a_split_is_worth_almost_what_a_plain_recursion_finds(first, up, error, lose) -> None:
    """One deck, where it matters most that the hand in play takes cards from the one that waits."""
    rules = BlackjackRules(decks=1, max_hands=2, hole_card="no_peek", lose=lose)
    playing, waiting = BlackjackHand(parse_cards(first), 1, split=True), BlackjackHand(parse_cards(f"{first[0]}s"), 1)
    unseen = Unseen(1, parse_cards(f"{up} {first} {first[0]}s"))
    outcomes = DealerOutcomes(rules, index_of(parse_cards(up)[0]), unseen.counts)
    found = BoxValues(Known(rules, unseen, outcomes), (playing, waiting), 0, Shares.of(rules, None)).actions
    plain = PlainBlackjack(rules, index_of(parse_cards(up)[0]) + 1, map(int, unseen.counts))
    plain.card, plain.decisions = index_of(parse_cards(first)[0]) + 1, {}
    hand = tuple(sorted(index_of(card) + 1 for card in playing.cards))

    def after(ended, deck):
        return plain.whole((ended,), 1, 0, (plain.card,), deck)

    def drawn(stake):
        """With 16 and more, nobody draws a second time."""
        return sum(
            chance * after((count(add(hand, card)), stake), rest) for card, chance, rest in plain.next_cards(deck)
        )

    deck, exact = plain.deck, 1e-9
    error = error if lose == "original" else exact
    assert found["stand"] == pytest.approx(after((count(hand), 1), deck), abs=exact)
    assert found["hit"] == pytest.approx(drawn(1), abs=error)
    assert found["double"] == pytest.approx(drawn(2), abs=error)
