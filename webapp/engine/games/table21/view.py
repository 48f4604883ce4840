"""A round of Table 21 as each of its players sees it, and once it is finished, as everybody else does."""

from dataclasses import dataclass, field, replace

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card
from webapp.engine.game import CardGroup, Recap, Result, View
from webapp.engine.games.table21.settlement import gain, gains, hand_outcome
from webapp.engine.games.table21.state import Table21Hand, Table21State
from webapp.engine.label import Label
from webapp.engine.tier import Tier
from webapp.engine.twenty_one.hand import hard_total, is_soft, sure_verb, total


@dataclass(frozen=True, slots=True)
class Table21HandView:
    """The view of a hand.

    ``total`` counts what lies open, and every ace of a bust hand as 1. The banker's own hand has no ``outcome`` and no
    ``net``; a bust hand's outcome is known at once, all the rest when the round is over. In a round that is void every
    outcome is VOID, the banker's too, and every net 0. ``natural``: it is a blackjack, as far as it lies open.
    """

    cards: tuple[Card | None, ...]
    total: int
    soft: bool
    bet: int
    doubled: bool
    split: bool
    active: bool
    done: bool
    outcome: str | None
    net: int | None
    moves: tuple[str, ...]
    natural: bool


@dataclass(frozen=True, slots=True)
class Table21SeatView:
    """The view of a seat that plays.

    ``bank``: this seat banks. ``bet`` is what lies there; of the banker, all that may have to be paid.

    ``net``: the change in chips, at the end. ``place``: where the seat stands among those that play, from 0.
    """

    place: Seat
    bank: bool
    bet: int
    hands: tuple[Table21HandView, ...]
    net: int | None
    seat: Seat = field(metadata={"deprecated": "the `place`; a seat of a table has another number."})


@dataclass(frozen=True, kw_only=True, slots=True)
class Table21View(View):
    """The view of a round. The banker's second card is None until it is turned; it stays None if all players bust.

    ``bank``: the banker's place. ``turn``: (place, hand) in play. ``price``: what doubling or splitting it costs.
    ``void``: the round does not count.
    """

    to_act: Seat | None = field(metadata={"deprecated": "a place among those that play; the table has `acting`."})
    phase: str
    bank: Seat = field(metadata={"deprecated": "a place among those that play; the table has `banker`."})
    seats: tuple[Table21SeatView, ...]
    turn: tuple[Seat, int] | None = field(metadata={"deprecated": "place and hand; the hand in play is `active`."})
    price: int
    void: bool

    @property
    def sure_verb(self) -> str | None:
        """``hit`` or ``stand`` where it is certainly right for the player's hand that is in play; else None."""
        if self.turn is None or self.phase != "play":
            return None
        hand = self.seats[self.turn[0]].hands[self.turn[1]]
        return sure_verb(tuple(card for card in hand.cards if card), may_do_more=len(hand.cards) == 2)

    @property
    def open_cards(self) -> tuple[Card, ...]:
        return tuple(card for seat in self.seats for hand in seat.hands for card in hand.cards if card)


def view_of(state: Table21State, result: Result | None) -> Table21View:
    """Return the state as somebody may see it who plays none of the hands. ``result``: that of the state."""
    acting = state.turn[0] if state.turn else None
    nets: tuple[int | None, ...] = gains(state) if acting is None else (None,) * len(state.hands)
    seats = tuple(_seat(state, Seat(seat), net) for seat, net in enumerate(nets))
    return Table21View(
        viewer=None,
        to_act=acting,
        actions=(),
        result=result,
        said=state.said,
        tier=Tier.EVEN,
        phase="over" if acting is None else "bank" if acting == state.banker else "play",
        bank=state.banker,
        seats=seats,
        turn=state.turn,
        price=state.hand.bet if state.turn else 0,
        void=state.void,
    )


def seen_by(view: Table21View, viewer: Seat, actions: tuple[Action, ...]) -> Table21View:
    """Return the view of a player. ``view``: that of a visitor; ``actions``: the legal ones of the seat in turn.

    All players see the same cards: the banker's second one is hidden even from the banker.
    """
    own = next((seat for seat in view.seats if seat.place == viewer), None)
    return replace(
        view,
        viewer=viewer,
        actions=actions if viewer == view.to_act else (),
        tier=_tier_of(own) if own else Tier.EVEN,
    )


def _tier_of(seat: Table21SeatView) -> Tier:
    """Return the tier of a seat's win: EVEN if the seat lost chips in total, even if one of its hands has won."""
    if not seat.net or seat.net < 0:
        return Tier.EVEN
    return Tier.GREAT if any(hand.natural for hand in seat.hands) else Tier.GOOD


def _seat(state: Table21State, seat: Seat, net: int | None) -> Table21SeatView:
    bank = seat == state.banker
    row = state.hands[seat]
    return Table21SeatView(
        place=seat,
        seat=seat,
        bank=bank,
        bet=state.setup.stakes[seat] if bank else sum(hand.bet for hand in row),
        hands=tuple(_hand(state, hand, (seat, index)) for index, hand in enumerate(row)),
        net=net,
    )


def _hand(state: Table21State, hand: Table21Hand, place: tuple[Seat, int]) -> Table21HandView:
    bank, over = place[0] == state.banker, state.turn is None
    hidden = bank and not state.turned
    cards = hand.cards[:1] if hidden else hand.cards
    return Table21HandView(
        cards=(*cards, *(None,) * (len(hand.cards) - len(cards))),
        total=hard_total(cards) if hand.is_bust and not hidden else total(cards),
        soft=is_soft(cards),
        bet=hand.bet,
        doubled=hand.doubled,
        split=hand.split,
        active=place == state.turn,
        done=not hidden and hand.is_done,
        outcome=_outcome(state, hand, bank),
        net=None if bank or not over else 0 if state.void else gain(hand, state.banker_hand, state.rules),
        moves=hand.moves,
        natural=not hidden and hand.is_natural,
    )


def _outcome(state: Table21State, hand: Table21Hand, bank: bool) -> str | None:
    if state.turn is not None and not (hand.is_bust and not bank):
        return None
    if state.void:
        return "VOID"
    return None if bank else hand_outcome(hand, state.banker_hand)


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
