"""Blackjack: one player with one to three boxes against the house.

A round is: bets, deal, insurance, peek, the boxes from first to last with each split hand in turn, the dealer,
settlement. Pack 0 is the shoe from where it stands: the round takes its cards from the front.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import Card, Rank
from webapp.engine.errors import SetupError
from webapp.engine.families.bank_hand import Box, Hand
from webapp.engine.families.bank_rules import Rules, parse_rules
from webapp.engine.families.bank_settlement import outcome, payout
from webapp.engine.game import Pack, Result, Setup, Spec, View, require_legal
from webapp.engine.label import Label
from webapp.engine.stock import Stock
from webapp.engine.twenty_one import hard_total, is_bust, is_natural, is_soft, total, value

HIT: Final = Action(ALONE, "hit")
STAND: Final = Action(ALONE, "stand")
DOUBLE: Final = Action(ALONE, "double")
SPLIT: Final = Action(ALONE, "split")
SURRENDER: Final = Action(ALONE, "surrender")
INSURE: Final = Action(ALONE, "insure")
DECLINE: Final = Action(ALONE, "decline")
DEALER_STANDS: Final = 17


class Phase(StrEnum):
    INSURANCE = "insurance"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class BankState:
    """``turn`` is (box, hand) of the hand in play. The dealer's first card is up; the second, if any, is the hole."""

    setup: Setup
    rules: Rules
    phase: Phase
    stock: Stock
    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...]
    turn: tuple[int, int] = (0, 0)
    said: tuple[Label, ...] = ()
    ran_out: bool = False

    @property
    def hand(self) -> Hand:
        return self.boxes[self.turn[0]].hands[self.turn[1]]

    @property
    def dealer_has_natural(self) -> bool:
        return self.rules.naturals and is_natural(self.dealer)

    def with_box(self, index: int, box: Box) -> "BankState":
        return replace(self, boxes=(*self.boxes[:index], box, *self.boxes[index + 1 :]))

    def with_hand(self, *hands: Hand) -> "BankState":
        """With the hand in play replaced."""
        box, hand = self.turn
        return self.with_box(box, self.boxes[box].put(hand, *hands))

    def draw(self) -> tuple[Card, "BankState"]:
        (card,), stock = self.stock.take(1)
        return card, replace(self, stock=stock)


@dataclass(frozen=True, slots=True)
class HandView:
    """``outcome`` is None until the round is over, but for a hand that is lost or settled already."""

    cards: tuple[Card, ...]
    total: int
    soft: bool
    bet: int
    doubled: bool
    active: bool
    outcome: str | None


@dataclass(frozen=True, slots=True)
class BoxView:
    bet: int
    insurance: int | None
    hands: tuple[HandView, ...]
    payout: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class BankView(View):
    """A hole card that is not turned yet is None; ``dealer_total`` counts what lies open."""

    phase: Phase
    dealer: tuple[Card | None, ...]
    dealer_total: int
    boxes: tuple[BoxView, ...]
    turn: tuple[int, int] | None
    ran_out: bool


class BankGame:
    """A Game. Its tables are presets, and presets with changes."""

    def __init__(self, code: str, presets: Mapping[str, Rules]) -> None:
        self.spec = Spec(code, tuple(presets))
        self._apply = {
            "hit": self._hit,
            "stand": self._stand,
            "double": self._double,
            "split": self._split,
            "surrender": self._surrender,
            "insure": self._insure,
            "decline": self._insure,
        }

    def rules(self, variant: str) -> Rules:
        return parse_rules(variant)

    def packs(self, variant: str) -> tuple[Pack, ...]:
        decks = self.rules(variant).decks
        return (Pack(decks=decks, needed=52 * decks),)

    def cut_card(self, variant: str) -> int | None:
        rules = self.rules(variant)
        return None if rules.fresh_deck else int(52 * rules.decks * rules.penetration)

    def start(self, setup: Setup) -> BankState:
        rules = self.rules(setup.variant)
        if not (rules.bets.allow(setup.stakes) if rules.bets else setup.stakes == ()):
            raise SetupError(f"stakes do not fit this table: {setup.stakes}")
        bets, stock = setup.stakes or (0,), Stock(setup.cards[0])
        first, stock = stock.take(len(bets))
        up, stock = stock.take(1)
        second, stock = stock.take(len(bets))
        hole, stock = stock.take(1 if rules.hole_card == "peek" else 0)
        boxes = tuple(Box(bet, (Hand(cards, bet),)) for bet, cards in _triples(bets, first, second))
        said = (
            Label.of("DEALER_SHOWS", card=up[0]),
            *(Label.of("YOU_HAVE", total=box.hands[0].total) for box in boxes),
        )
        state = BankState(setup, rules, Phase.INSURANCE, stock, boxes, (*up, *hole), said=said)
        return self._advance(state)

    def legal_actions(self, state: BankState) -> tuple[Action, ...]:
        match state.phase:
            case Phase.INSURANCE:
                return (INSURE, DECLINE)
            case Phase.PLAY:
                return self._plays(state)
            case Phase.OVER:
                return ()

    def apply(self, state: BankState, action: Action) -> BankState:
        require_legal(self, state, action)
        return self._advance(self._apply[action.verb](replace(state, said=()), action))

    def price(self, state: BankState, action: Action) -> int:
        if action == INSURE:
            return state.boxes[state.turn[0]].bet // 2
        return state.hand.bet if action in (DOUBLE, SPLIT) else 0

    def dealt(self, state: BankState) -> tuple[int, ...]:
        return (state.stock.taken,)

    def committed(self, state: BankState) -> tuple[int, ...]:
        return tuple(box.committed for box in state.boxes)

    def result(self, state: BankState) -> Result | None:
        if state.phase is not Phase.OVER:
            return None
        payouts = tuple(payout(box, state.dealer, state.rules) for box in state.boxes)
        codes = [outcome(hand, state.dealer, state.rules) for box in state.boxes for hand in box.hands]
        net = sum(payouts) - sum(self.committed(state))
        whole = codes[0] if len(codes) == 1 else "ROUND_WON" if net > 0 else "ROUND_LOST" if net < 0 else "ROUND_EVEN"
        return Result(payouts, (Label.of(whole, net=net), *(Label.of(code, net=0) for code in codes if len(codes) > 1)))

    def view(self, state: BankState, viewer: Seat | None) -> BankView:
        over = state.phase is Phase.OVER
        actions = self.legal_actions(state)
        result = self.result(state)
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
            ran_out=state.ran_out,
        )

    def emblem(self, state: BankState) -> tuple[Card, ...]:
        return state.boxes[0].hands[0].cards

    def frequencies(self) -> Mapping[str, float]:
        return {}

    def idle(self, state: BankState, seat: Seat) -> Action:
        return DECLINE if state.phase is Phase.INSURANCE else STAND

    def _plays(self, state: BankState) -> tuple[Action, ...]:
        hand, rules, left = state.hand, state.rules, len(state.stock)
        hands = len(state.boxes[state.turn[0]].hands)
        may = {
            HIT: hand.may_hit(rules) and left >= 1,
            STAND: True,
            DOUBLE: hand.may_double(rules) and left >= 1,
            SPLIT: hand.may_split(rules, hands) and left >= 2,
            SURRENDER: rules.surrender == "late" and len(hand.cards) == 2 and not hand.split,
        }
        return tuple(action for action, allowed in may.items() if allowed)

    def _hit(self, state: BankState, action: Action) -> BankState:
        card, state = state.draw()
        return _drawn(state.with_hand(state.hand.with_card(card)), card)

    def _stand(self, state: BankState, action: Action) -> BankState:
        return state.with_hand(replace(state.hand, stood=True))

    def _double(self, state: BankState, action: Action) -> BankState:
        card, state = state.draw()
        hand = replace(state.hand.with_card(card), bet=2 * state.hand.bet, doubled=True)
        return _drawn(state.with_hand(hand), card)

    def _split(self, state: BankState, action: Action) -> BankState:
        """The hand in play gets its second card at once, the other when its turn comes; split aces both at once."""
        hand = state.hand
        left, right = (replace(hand, cards=(card,), split=True) for card in hand.cards)
        card, state = state.draw()
        left = left.with_card(card)
        if right.cards[0].rank is Rank.ACE:
            second, state = state.draw()
            right = right.with_card(second)
        return _drawn(state.with_hand(left, right), card)

    def _surrender(self, state: BankState, action: Action) -> BankState:
        return state.with_hand(replace(state.hand, surrendered=True))

    def _insure(self, state: BankState, action: Action) -> BankState:
        box = state.boxes[state.turn[0]]
        return state.with_box(state.turn[0], replace(box, insurance=box.bet // 2 if action == INSURE else 0))

    def _advance(self, state: BankState) -> BankState:
        """Go on to whatever is asked next, or to the end."""
        if state.phase is Phase.INSURANCE:
            for index, box in enumerate(state.boxes):
                if box.insurance is None and _is_offered_insurance(state, box):
                    return replace(state, turn=(index, 0))
            if state.rules.hole_card == "peek" and state.dealer_has_natural:
                return self._finish(state)
            state = replace(state, phase=Phase.PLAY)
        for b, box in enumerate(state.boxes):
            for h in range(len(box.hands)):
                state = replace(state, turn=(b, h))
                state = _with_second_card(state)
                if not state.hand.is_done(state.rules):
                    return state if len(state.stock) else self._finish(replace(state, ran_out=True))
        return self._finish(state)

    def _finish(self, state: BankState) -> BankState:
        """The dealer turns the hole card, draws if there is anybody left to play against, and the round is over."""
        hands = [hand for box in state.boxes for hand in box.hands]
        rules = state.rules
        live = [hand for hand in hands if not hand.is_bust and not (hand.surrendered and rules.hole_card == "peek")]
        against = [hand for hand in live if not hand.is_natural(rules) and not hand.surrendered]
        if len(state.dealer) == 1 and live and (against or value(state.dealer[0]) in (1, 10)) and len(state.stock):
            card, state = state.draw()
            state = replace(state, dealer=(*state.dealer, card))
        while against and not state.dealer_has_natural and _draws(state) and len(state.stock):
            card, state = state.draw()
            state = replace(state, dealer=(*state.dealer, card))
        state = replace(state, phase=Phase.OVER, ran_out=state.ran_out or (bool(against) and _draws(state)))
        result = self.result(state)
        assert result is not None
        dealt = Label.of("DEALER_HAS", total=total(state.dealer), cards=state.dealer)
        return replace(state, said=(*state.said, dealt, result.labels[0]))


def _triples(
    bets: tuple[int, ...], first: tuple[Card, ...], second: tuple[Card, ...]
) -> tuple[tuple[int, tuple[Card, Card]], ...]:
    return tuple((bet, (a, b)) for bet, a, b in zip(bets, first, second, strict=True))


def _drawn(state: BankState, card: Card) -> BankState:
    hand = state.hand
    count = hard_total(hand.cards) if is_bust(hand.cards) else hand.total
    return replace(state, said=(Label.of("DREW", cards=(card,)), Label.of("YOU_HAVE", total=count)))


def _with_second_card(state: BankState) -> BankState:
    """A split hand whose turn has come gets its second card."""
    if len(state.hand.cards) > 1 or not len(state.stock):
        return state
    card, state = state.draw()
    return state.with_hand(state.hand.with_card(card))


def _is_offered_insurance(state: BankState, box: Box) -> bool:
    return state.rules.insurance and state.dealer[0].rank is Rank.ACE and box.bet >= 2


def _draws(state: BankState) -> bool:
    """To 16 always, at a soft 17 by the rules of the table."""
    count = total(state.dealer)
    soft = count == DEALER_STANDS and is_soft(state.dealer) and state.rules.soft_17 == "hit"
    return count < DEALER_STANDS or soft


def _hand_view(state: BankState, hand: Hand, place: tuple[int, int]) -> HandView:
    over = state.phase is Phase.OVER
    early = "BUST" if hand.is_bust else "SURRENDER" if hand.surrendered else None
    active = not over and place == state.turn
    count = hard_total(hand.cards) if hand.is_bust else hand.total
    told = outcome(hand, state.dealer, state.rules) if over else early
    return HandView(hand.cards, count, is_soft(hand.cards), hand.bet, hand.doubled, active, told)
