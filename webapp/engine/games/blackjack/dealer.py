"""The dealer's play at blackjack: drawn by the rules, never chosen."""

from dataclasses import replace

from webapp.engine.games.blackjack.state import BlackjackState
from webapp.engine.twenty_one.totals import is_soft, total


def dealer_plays(state: BlackjackState) -> BlackjackState:
    """Deal all cards that the dealer takes after all have acted. An empty shoe ends it."""
    while _wants_card(state):
        if state.left < 1:
            return replace(state, ran_out=True)
        card, stock = state.stock.take(1)
        state = replace(state, stock=stock, dealer=state.dealer + card)
    return state


def _wants_card(state: BlackjackState) -> bool:
    """Return whether the dealer draws: only while a hand is undecided, or for the second card that settles the rest."""
    if any(hand.is_undecided(state.rules) for hand in state.hands):
        return state.rules.dealer_draws(total(state.dealer), is_soft(state.dealer))
    return len(state.dealer) == 1 and _awaits_second_card(state)


def _awaits_second_card(state: BlackjackState) -> bool:
    """Return whether a natural or an insurance is not settled before the dealer's second card."""
    if any(box.insurance for box in state.boxes):
        return True
    return state.dealer_may_have_natural and any(hand.is_natural(state.rules) for hand in state.hands)
