"""The question about a decision at blackjack, as text, from nothing but what the player sees."""

from collections.abc import Iterable
from typing import Final

from webapp.engine.cards import Card, format_cards
from webapp.engine.games.blackjack.hand import BlackjackHand
from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState
from webapp.engine.odds.question import Question

INSURANCE: Final = "insurance"
"""``Question.ask`` where insurance is asked."""
STOOD: Final = "-"
DOUBLED: Final = "+"
"""Behind the cards of a hand of a split, in ``Question.hands``."""


def question_of(state: BlackjackState) -> Question:
    """Return the question that a state answers. Other boxes are the cards that lie there, and no more."""
    b, h = state.turn
    box, rules = state.box, state.rules
    others = (card for i, other in enumerate(state.boxes) if i != b for hand in other.hands for card in hand.cards)
    return Question(
        state.setup.variant,
        cards=format_cards(box.hands[h].cards),
        dealer=format_cards(state.dealer[:1]),
        others=format_cards(others),
        bet=str(box.bet) if rules.bets and box.bet != rules.bets.least else "",
        ask=INSURANCE if state.phase is BlackjackPhase.INSURANCE else "",
        hands=",".join(map(_text, box.hands)) if len(box.hands) > 1 else "",
    )


def _text(hand: BlackjackHand) -> str:
    done = DOUBLED if hand.doubled else STOOD if hand.stood else ""
    return _joined(hand.cards) + done


def _joined(cards: Iterable[Card]) -> str:
    return "".join(map(str, cards))
