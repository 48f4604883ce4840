"""A round of blackjack as its player sees it, and once it is finished, as everybody else does."""

from dataclasses import dataclass, replace

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import Card
from webapp.engine.game import CardGroup, Recap, Result, View
from webapp.engine.games.blackjack.dealer import DealerStep, DealOrder, order_of_action, order_of_deal, steps_of
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.settlement import WON, hand_outcome, insured, returns
from webapp.engine.games.blackjack.state import BlackjackHand, BlackjackPhase, BlackjackState
from webapp.engine.label import Label
from webapp.engine.tier import Tier
from webapp.engine.twenty_one.hand import BEST, is_natural, is_soft, sure_verb, total, value


@dataclass(frozen=True, slots=True)
class BlackjackHandView:
    """The view of a hand. ``outcome`` is None until the round is over, unless the hand is lost or settled before.

    ``total`` counts every ace of a bust hand as 1. ``net`` is what it won or lost, known when the round is over.
    ``stands``: its turn is over, and it waits for the dealer. ``moves`` and ``fresh`` are those of the ``Hand``.
    """

    cards: tuple[Card, ...]
    total: int
    soft: bool
    bet: int
    doubled: bool
    active: bool
    stands: bool
    outcome: str | None
    net: int | None
    moves: tuple[str, ...]
    fresh: int


@dataclass(frozen=True, slots=True)
class BoxView:
    """The view of a box. ``insurance`` is None if it was not offered, 0 if it was declined.

    ``insurance_net`` is what came of it.
    """

    bet: int
    insurance: int | None
    insurance_net: int | None
    hands: tuple[BlackjackHandView, ...]
    payout: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class BlackjackView(View):
    """The view of a round. A hole card is None until it is turned; ``dealer_total`` counts the open cards.

    ``even_money``: insurance is asked, for a natural. ``ran_out``: the shoe was empty, undecided hands stood.
    ``price``: what it costs to insure, or to double or split, whatever is asked. ``peeked``: the dealer has looked, and
    has no blackjack. ``dealer_blackjack``: the dealer's cards lie open and are one.
    """

    phase: BlackjackPhase
    dealer: tuple[Card | None, ...]
    dealer_total: int
    dealer_soft: bool
    boxes: tuple[BoxView, ...]
    turn: tuple[int, int] | None
    even_money: bool
    price: int
    peeked: bool
    dealer_blackjack: bool
    ran_out: bool

    @property
    def open_cards(self) -> tuple[Card, ...]:
        """All that lie open, the dealer's first."""
        own = (card for box in self.boxes for hand in box.hands for card in hand.cards)
        return (*(card for card in self.dealer if card), *own)

    def sure_verb(self, rules: BlackjackRules) -> str | None:
        """Return ``hit`` or ``stand`` where it is certainly right for the hand in play; else None."""
        if self.phase is not BlackjackPhase.PLAY or self.turn is None:
            return None
        hand = self.boxes[self.turn[0]].hands[self.turn[1]]
        # that the purse cannot pay for more makes no difference: a review says what could have been done
        return sure_verb(hand.cards, may_do_more=len(hand.cards) == 2 and not rules.only_hit_and_stand)

    @property
    def deal_order(self) -> DealOrder:
        """The order in which the cards of the latest action come."""
        first = self.boxes[0].hands[0]
        if first.fresh == 2 and not first.moves:
            return order_of_deal(len(self.boxes), len(self.dealer))
        boxes = [[(len(hand.cards), hand.fresh) for hand in box.hands] for box in self.boxes]
        return order_of_action(boxes, len(self.dealer), self.phase is BlackjackPhase.OVER)

    @property
    def dealer_turn(self) -> tuple[DealerStep, ...]:
        """The dealer's cards one after another, once the round is over."""
        if self.phase is not BlackjackPhase.OVER:
            return ()
        outcomes = [hand.outcome or "" for box in self.boxes for hand in box.hands]
        dealer = tuple(card for card in self.dealer if card)
        return tuple(steps_of(dealer, self.deal_order.dealer, outcomes, self.dealer_blackjack, self.ran_out))

    def before_dealer(self, rules: BlackjackRules) -> "BlackjackView":
        """Return the view of a round that is over as it was before the dealer's turn. ``turn``: the last new hand."""
        (up, *_) = self.open_cards
        boxes = tuple(
            replace(box, hands=tuple(_open_hand(hand, rules) for hand in box.hands), insurance_net=None, payout=None)
            for box in self.boxes
        )
        new = [(b, h) for b, box in enumerate(boxes) for h, hand in enumerate(box.hands) if hand.fresh]
        may_be_natural = rules.naturals and value(up) in (1, 10)
        return replace(
            self,
            result=None,
            phase=BlackjackPhase.PLAY,
            dealer=(up,),
            dealer_total=total((up,)),
            dealer_soft=is_soft((up,)),
            boxes=boxes,
            turn=new[-1] if new else None,
            peeked=may_be_natural and rules.hole_card == "peek" and not self.deal_order.is_deal,
            dealer_blackjack=False,
        )


def _open_hand(hand: BlackjackHandView, rules: BlackjackRules) -> BlackjackHandView:
    """Return a hand whose turn is over, as it was before the dealer's. Its own cards alone may have decided it."""
    natural = rules.naturals and not hand.moves and is_natural(hand.cards)
    alone = "BUST" if hand.total > BEST else "SURRENDER" if "surrender" in hand.moves else None
    stands = bool(hand.moves) or hand.total == BEST  # else the dealer had a blackjack before anybody played
    return replace(hand, stands=stands, net=None, outcome=alone or ("BLACKJACK" if natural else None))


def view_of(
    state: BlackjackState, viewer: Seat | None, actions: tuple[Action, ...], result: Result | None
) -> BlackjackView:
    """Return the state as a viewer may see it. ``actions`` and ``result`` are those of the state."""
    over = state.phase is BlackjackPhase.OVER
    shown = state.dealer if over else state.dealer[:1]
    boxes = tuple(_box_view(state, b, result) for b in range(len(state.boxes)))
    return BlackjackView(
        viewer=viewer,
        to_act=None if over else ALONE,
        actions=actions if viewer == ALONE else (),
        result=result,
        said=state.said,
        tier=_tier_of(result, boxes),
        phase=state.phase,
        dealer=(*shown, *(None,) * (len(state.dealer) - len(shown))),
        dealer_total=total(shown),
        dealer_soft=is_soft(shown),
        boxes=boxes,
        turn=None if over else state.turn,
        even_money=state.phase is BlackjackPhase.INSURANCE and state.hand.is_natural(state.rules),
        price=0 if over else state.box.insurable if state.phase is BlackjackPhase.INSURANCE else state.hand.bet,
        peeked=state.phase is BlackjackPhase.PLAY and state.dealer_may_have_natural and state.is_peeked,
        dealer_blackjack=over and state.dealer_has_natural,
        ran_out=state.ran_out,
    )


def _tier_of(result: Result | None, boxes: tuple[BoxView, ...]) -> Tier:
    """Return the tier of a round's win: EVEN if the round lost chips in total, even if one of its boxes has won."""
    if result is None or result.labels[0].code not in WON:
        return Tier.EVEN
    natural = any(hand.outcome == "BLACKJACK" for box in boxes for hand in box.hands)
    return Tier.GREAT if natural else Tier.GOOD


def _box_view(state: BlackjackState, index: int, result: Result | None) -> BoxView:
    box = state.boxes[index]
    over = state.phase is BlackjackPhase.OVER
    back = returns(box, state.dealer, state.rules) if over else (None,) * len(box.hands)
    return BoxView(
        bet=box.bet,
        insurance=box.insurance,
        insurance_net=insured(box, state.dealer, state.rules) - box.insurance if over and box.insurance else None,
        hands=tuple(
            _hand_view(state, hand, (index, h), chips)
            for h, (hand, chips) in enumerate(zip(box.hands, back, strict=True))
        ),
        payout=result.payouts[index] if result else None,
    )


def _hand_view(
    state: BlackjackState, hand: BlackjackHand, place: tuple[int, int], back: int | None
) -> BlackjackHandView:
    """Return the view of a hand. ``back``: the chips it returns, once the round is over."""
    known = _known_outcome(state, hand)
    return BlackjackHandView(
        cards=hand.cards,
        total=hand.total,
        soft=is_soft(hand.cards),
        bet=hand.bet,
        doubled=hand.doubled,
        active=state.phase is not BlackjackPhase.OVER and place == state.turn,
        stands=known is None and state.phase is BlackjackPhase.PLAY and place < state.turn,
        outcome=known,
        net=None if back is None else back - hand.bet,
        moves=hand.moves,
        fresh=hand.fresh,
    )


def _known_outcome(state: BlackjackState, hand: BlackjackHand) -> str | None:
    if state.phase is BlackjackPhase.OVER:
        return hand_outcome(hand, state.dealer, state.rules)
    if hand.is_bust:
        return "BUST"
    if hand.surrendered:
        return "SURRENDER"
    paid = state.phase is BlackjackPhase.PLAY and state.is_peeked and hand.is_natural(state.rules)
    return "BLACKJACK" if paid else None


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
