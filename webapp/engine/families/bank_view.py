"""What may be seen of a round of blackjack."""

from dataclasses import dataclass

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import Card
from webapp.engine.families.bank_hand import Hand
from webapp.engine.families.bank_settlement import outcome
from webapp.engine.families.bank_state import BankState, Phase
from webapp.engine.game import Result, View
from webapp.engine.twenty_one import is_soft, total


@dataclass(frozen=True, slots=True)
class HandView:
    """``outcome`` is None until the round is over, but for a hand that is lost or settled already.

    ``total`` counts every ace of a bust hand as 1.
    """

    cards: tuple[Card, ...]
    total: int
    soft: bool
    bet: int
    doubled: bool
    active: bool
    outcome: str | None


@dataclass(frozen=True, slots=True)
class BoxView:
    """``insurance`` is None where it was not asked, 0 where it was declined."""

    bet: int
    insurance: int | None
    hands: tuple[HandView, ...]
    payout: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class BankView(View):
    """A hole card that is not turned yet is None; ``dealer_total`` counts what lies open.

    ``even_money``: insurance is asked, for a natural. ``ran_out``: the shoe was empty, undecided hands stood.
    """

    phase: Phase
    dealer: tuple[Card | None, ...]
    dealer_total: int
    boxes: tuple[BoxView, ...]
    turn: tuple[int, int] | None
    even_money: bool
    ran_out: bool


def view_of(state: BankState, viewer: Seat | None, actions: tuple[Action, ...], result: Result | None) -> BankView:
    """``actions`` and ``result`` are those of the state."""
    over = state.phase is Phase.OVER
    shown = state.dealer if over else state.dealer[:1]
    return BankView(
        viewer=viewer,
        to_act=None if over else ALONE,
        actions=actions if viewer == ALONE else (),
        result=result,
        said=state.said,
        phase=state.phase,
        dealer=(*shown, *(None,) * (len(state.dealer) - len(shown))),
        dealer_total=total(shown),
        boxes=tuple(
            BoxView(
                box.bet,
                box.insurance,
                tuple(_hand_view(state, hand, (b, h)) for h, hand in enumerate(box.hands)),
                result.payouts[b] if result else None,
            )
            for b, box in enumerate(state.boxes)
        ),
        turn=None if over else state.turn,
        even_money=state.phase is Phase.INSURANCE and state.hand.is_natural(state.rules),
        ran_out=state.ran_out,
    )


def _hand_view(state: BankState, hand: Hand, place: tuple[int, int]) -> HandView:
    active = state.phase is not Phase.OVER and place == state.turn
    return HandView(
        hand.cards, hand.total, is_soft(hand.cards), hand.bet, hand.doubled, active, _known_outcome(state, hand)
    )


def _known_outcome(state: BankState, hand: Hand) -> str | None:
    if state.phase is Phase.OVER:
        return outcome(hand, state.dealer, state.rules)
    if hand.is_bust:
        return "BUST"
    if hand.surrendered:
        return "SURRENDER"
    paid = state.phase is Phase.PLAY and state.is_peeked and hand.is_natural(state.rules)
    return "BLACKJACK" if paid else None
