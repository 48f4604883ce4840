"""Unseen cards of a round of blackjack, dealt by chance, for decisions that are simulated."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Final

from webapp.engine.cards import STANDARD_DECK, Card
from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState
from webapp.engine.odds.question import Spot
from webapp.engine.odds.simulated import Shuffle
from webapp.engine.stock import Stock
from webapp.engine.twenty_one.totals import value

MOST: Final = 120
"""More cards than a round takes."""


def unseen_cards(spot: Spot[BlackjackState]) -> tuple[Card, ...]:
    """Return the whole shoe without the cards that lie open in this round."""
    state = spot.state
    open_cards = (state.dealer[0], *(card for hand in state.hands for card in hand.cards), *spot.others)
    shoe = Counter(dict.fromkeys(STANDARD_DECK, state.rules.decks))
    shoe.subtract(open_cards)
    return tuple(shoe.elements())


def dealt_by_chance(state: BlackjackState, unseen: Sequence[Card], shuffle: Shuffle) -> BlackjackState | None:
    """Return a state in which unseen cards come by chance; None if the dealer would have a natural, and has looked."""
    cards = shuffle(unseen, MOST)
    dealer = state.dealer[:1]
    if state.rules.hole_card == "peek":
        dealer, cards = (*dealer, cards[0]), cards[1:]
    taken = state.stock.taken
    state = replace(state, dealer=dealer, stock=Stock((*dealer[:1] * taken, *cards), taken))
    looked = state.phase is BlackjackPhase.PLAY and len(dealer) > 1
    return None if looked and state.dealer_has_natural else state


def likeness(state: BlackjackState) -> Hashable:
    """Return what states have in common that are played on alike: the other hands of a split make no difference."""
    hand, box = state.hand, state.box
    return (
        state.phase,
        state.turn,
        len(box.hands),
        *sorted(map(value, hand.cards)),
        hand.split,
        hand.may_split(state.rules, len(box.hands)),
        *(other.insurance for other in state.boxes),
    )
