"""The dealer's play at blackjack: drawn by the rules, never chosen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.state import BlackjackState
from webapp.engine.twenty_one.totals import is_soft, total

STANDS: Final = 17


def draws(cards: Sequence[Card], rules: BlackjackRules) -> bool:
    """To 16 always, at a soft 17 by the rules of the table."""
    count = total(cards)
    return count < STANDS or (count == STANDS and is_soft(cards) and rules.soft_17 == "hit")


def dealer_plays(state: BlackjackState) -> BlackjackState:
    """With all cards that the dealer takes after all have acted. An empty shoe ends it."""
    while _wants_card(state):
        if state.left < 1:
            return replace(state, ran_out=True)
        card, stock = state.stock.take(1)
        state = replace(state, stock=stock, dealer=state.dealer + card)
    return state


def _wants_card(state: BlackjackState) -> bool:
    """Only if there is anybody left to play against; a second card also for a natural or an insurance not settled."""
    if any(hand.is_undecided(state.rules) for hand in state.hands):
        return draws(state.dealer, state.rules)
    return len(state.dealer) == 1 and _awaits_second_card(state)


def _awaits_second_card(state: BlackjackState) -> bool:
    if any(box.insurance for box in state.boxes):
        return True
    return state.dealer_may_have_natural and any(hand.is_natural(state.rules) for hand in state.hands)
