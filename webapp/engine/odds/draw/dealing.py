"""Unseen cards of a hand of draw poker, dealt by chance, for decisions that are simulated."""

from collections.abc import Hashable, Sequence
from dataclasses import replace

from webapp.engine.cards import JOKER, STANDARD_DECK, Card
from webapp.engine.draw_poker.double_up import CARDS
from webapp.engine.draw_poker.rules import HAND
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.odds.simulated import Shuffle
from webapp.engine.stock import Stock


def unseen_cards(state: DrawState) -> tuple[Card, ...]:
    """Return the cards that can still come in the pack that is in play."""
    if state.phase is DrawPhase.EXCHANGE:
        dealt, deck = _dealt(state), (*STANDARD_DECK, *(JOKER,) * state.rules.jokers)
    else:
        dealt, deck = state.rounds[-1].cards[:1] if state.phase is DrawPhase.PICK else (), STANDARD_DECK
    return tuple(card for card in deck if card not in dealt)


def dealt_by_chance(state: DrawState, unseen: Sequence[Card], shuffle: Shuffle) -> DrawState:
    """Return a state in which unseen cards come by chance, and the double-up has shuffled packs."""
    double_up = state.rules.double_up
    packs = tuple(shuffle(STANDARD_DECK, CARDS) for _ in range(double_up.max_rounds)) if double_up else ()
    first = _dealt(state)
    if state.phase is DrawPhase.EXCHANGE:
        first = (*first, *shuffle(unseen, HAND * state.exchanges_left))
    state = replace(state, setup=replace(state.setup, cards=(first, *packs)), stock=Stock(first, state.stock.taken))
    if state.phase is not DrawPhase.PICK:
        return state
    *past, round = state.rounds
    cards = (*round.cards[:1], *shuffle(unseen, CARDS - 1))
    return replace(state, rounds=(*past, replace(round, cards=cards)))


def likeness(state: DrawState) -> Hashable:
    """Return what states have in common that are played on alike."""
    if state.phase is DrawPhase.EXCHANGE:
        return (state.hand, frozenset(_dealt(state)), state.exchanges_left)
    open_cards = state.rounds[-1].cards[:1] if state.phase is DrawPhase.PICK else ()
    return (state.phase, state.score, state.wins, len(state.rounds), *(card.rank for card in open_cards))


def _dealt(state: DrawState) -> tuple[Card, ...]:
    return state.setup.cards[0][: state.stock.taken]
