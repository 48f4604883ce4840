"""A finished round of blackjack for people who did not play it."""

from webapp.engine.cards import Card
from webapp.engine.game import CardGroup, Recap, Result
from webapp.engine.games.blackjack.hand import BlackjackHand
from webapp.engine.games.blackjack.settlement import returns
from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState
from webapp.engine.label import Label
from webapp.engine.twenty_one.totals import total


def recap_of(state: BlackjackState, result: Result | None) -> Recap:
    """Return the hands from the first to the last, then the dealer's open cards; insurances are remarks."""
    nets = _nets(state)
    hands = tuple(
        CardGroup(hand.cards, _hand_label(hand, state), net) for hand, net in zip(state.hands, nets, strict=True)
    )
    shown = state.dealer if state.phase is BlackjackPhase.OVER else state.dealer[:1]
    dealer = CardGroup(shown, _dealer_label(shown, state))
    labels = result.labels if result else ()
    return Recap((*hands, dealer), tuple(label for label in labels if label.code.startswith("INSURANCE")))


def _nets(state: BlackjackState) -> tuple[int | None, ...]:
    """Return what each hand won or lost; None where nothing is staked, and where the round did not end."""
    if not state.rules.bets or state.phase is not BlackjackPhase.OVER:
        return (None,) * len(state.hands)
    back = (chips for box in state.boxes for chips in returns(box, state.dealer, state.rules))
    return tuple(chips - hand.bet for hand, chips in zip(state.hands, back, strict=True))


def _hand_label(hand: BlackjackHand, state: BlackjackState) -> Label:
    return Label("HAND_BLACKJACK") if hand.is_natural(state.rules) else Label.of("HAND_COUNTS", total=hand.total)


def _dealer_label(shown: tuple[Card, ...], state: BlackjackState) -> Label:
    is_natural = state.phase is BlackjackPhase.OVER and state.dealer_has_natural
    return Label("DEALER_COUNTS_BLACKJACK") if is_natural else Label.of("DEALER_COUNTS", total=total(shown))
