"""Kinds of decisions at draw poker: by what the hand is, and by how near it is to a flush and to a straight."""

from collections.abc import Iterable
from typing import Final

from webapp.engine.cards import SUITS, Card, Rank
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.poker.ranking import Category, rank

NEAR: Final = 4
"""Cards of a flush or a straight from which it is worth a thought."""
_ACE_LOW: Final = 1
_HAND: Final = range(1, 6)
_MADE: Final = tuple(category.name.lower().replace("_", "-") for category in Category)
_NEARNESS: Final = (*(f"{suited}-{run}" for suited in _HAND for run in _HAND), "near", "far")
KINDS: Final = frozenset(_MADE) | {
    f"{made}-{pays}-{nearness}" for made in _MADE for pays in ("pays", "no-pay") for nearness in _NEARNESS
}
"""All kinds that there are."""


def kinds_of(state: DrawState) -> tuple[str, ...]:
    """Return the kinds of an exchange: what pays, what is made, and what it could become; then without what pays."""
    if state.phase is not DrawPhase.EXCHANGE:
        return ()
    made = rank(state.hand).category.name.lower().replace("_", "-")
    nearness = f"{_most_suited(state.hand)}-{_longest_run(state.hand)}"
    pays = "pays" if state.worth else "no-pay"
    is_near = max(_most_suited(state.hand), _longest_run(state.hand)) >= NEAR
    return f"{made}-{pays}-{nearness}", f"{made}-{pays}-{'near' if is_near else 'far'}", made


def _most_suited(hand: Iterable[Card]) -> int:
    """Return how many cards are of one suit at most. A joker is of any."""
    cards = tuple(hand)
    jokers = sum(card.is_joker for card in cards)
    return jokers + max(sum(card.suit is suit for card in cards if not card.is_joker) for suit in SUITS)


def _longest_run(hand: Iterable[Card]) -> int:
    """Return how many cards are of one straight at most. A joker is any card, an ace is low too."""
    cards = tuple(hand)
    jokers = sum(card.is_joker for card in cards)
    ranks = {int(card.rank) for card in cards if not card.is_joker}
    if Rank.ACE in ranks:
        ranks.add(_ACE_LOW)
    return jokers + max(len(ranks & set(range(low, low + 5))) for low in range(_ACE_LOW, Rank.TEN + 1))
