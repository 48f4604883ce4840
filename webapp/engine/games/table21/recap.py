"""A finished round of Table 21 for people who did not play it."""

from webapp.engine.action import Seat
from webapp.engine.game import CardGroup, Recap
from webapp.engine.games.table21.settlement import gain
from webapp.engine.games.table21.state import Table21State
from webapp.engine.label import Label


def recap_of(state: Table21State) -> Recap:
    """Return the banker's open cards, then the hands of the players in the order of their turns."""
    return Recap((_of_banker(state), *(group for seat in state.players for group in _of_player(state, seat))))


def _of_banker(state: Table21State) -> CardGroup:
    hand = state.banker_hand
    label = Label("BLACKJACK") if state.turned and hand.is_natural else None
    return CardGroup(hand.cards if state.turned else hand.cards[:1], label, seat=state.banker)


def _of_player(state: Table21State, seat: Seat) -> tuple[CardGroup, ...]:
    over = state.turn is None and not state.void
    return tuple(
        CardGroup(
            hand.cards,
            Label("BLACKJACK") if hand.is_natural else None,
            gain(hand, state.banker_hand, state.rules) if over else None,
            seat,
        )
        for hand in state.hands[seat]
    )
