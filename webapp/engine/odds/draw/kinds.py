"""Kinds of decisions at draw poker: by what the hand is, and by how near it is to a flush and to a straight."""

from collections.abc import Iterable
from typing import Final

from webapp.engine.cards import SUITS, Card, Rank
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.poker.ranking import Category

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
    wild = state.rules.pay_table.wild
    suited, run = _most_suited(state.hand, wild), _longest_run(state.hand, wild)
    made, nearness = state.ranked.category.name.lower().replace("_", "-"), f"{suited}-{run}"
    pays = "pays" if state.worth else "no-pay"
    near = "near" if max(suited, run) >= NEAR else "far"
    return f"{made}-{pays}-{nearness}", f"{made}-{pays}-{near}", made


def _most_suited(hand: Iterable[Card], wild: Rank) -> int:
    """Return how many cards are of one suit at most. A wild card is of any."""
    cards = tuple(hand)
    tame = [card.suit for card in cards if card.rank is not wild]
    return len(cards) - len(tame) + max(tame.count(suit) for suit in SUITS)


def _longest_run(hand: Iterable[Card], wild: Rank) -> int:
    """Return how many cards are of one straight at most. A wild card is any card, an ace is low too."""
    cards = tuple(hand)
    tame = [int(card.rank) for card in cards if card.rank is not wild]
    ranks = {*tame, _ACE_LOW} if Rank.ACE in tame else set(tame)
    wilds = len(cards) - len(tame)
    return wilds + max(len(ranks & set(range(low, low + 5))) for low in range(_ACE_LOW, Rank.TEN + 1))
