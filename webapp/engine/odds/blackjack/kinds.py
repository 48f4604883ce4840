"""Kinds of decisions at blackjack: by the total and whether it is soft or a pair, against the dealer's card."""

from typing import Final

from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState
from webapp.engine.twenty_one.hand import is_soft, total, value

WEAK: Final = range(2, 7)
"""Values of the dealer's cards with which a dealer is bust more often."""


_HANDS: Final = (
    *(f"hard-{points}" for points in range(4, 22)),
    *(f"soft-{points}" for points in range(12, 22)),
    *(f"pair-{points}" for points in range(1, 11)),
)
KINDS: Final = frozenset(f"{hand}-{up}" for hand in _HANDS for up in (*range(1, 11), "weak", "strong"))
"""All kinds that there are."""


def kinds_of(state: BlackjackState) -> tuple[str, ...]:
    """Return the kinds of a decision: against this card of the dealer, then against one as strong."""
    up = value(state.dealer[0])
    if state.phase is not BlackjackPhase.PLAY:
        return ()
    hand = _hand(state)
    return f"{hand}-{up}", f"{hand}-{'weak' if up in WEAK else 'strong'}"


def _hand(state: BlackjackState) -> str:
    cards = state.hand.cards
    if len(cards) == 2 and value(cards[0]) == value(cards[1]):
        return f"pair-{value(cards[0])}"
    return f"{'soft' if is_soft(cards) else 'hard'}-{total(cards)}"
