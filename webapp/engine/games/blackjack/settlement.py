"""Settlement of a round of blackjack. Whole chips: halves and 3:2 are rounded down to a chip."""

from collections.abc import Sequence
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.game import Result
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.state import BlackjackHand, Box
from webapp.engine.label import Label
from webapp.engine.twenty_one.hand import is_bust, is_natural, total

WON: Final = frozenset({"BLACKJACK", "WIN", "DEALER_BUST", "ROUND_WON"})
DRAWN: Final = frozenset({"PUSH", "ROUND_EVEN"})
"""Codes of what came of a hand or a round; with all others it is lost."""


def hand_outcome(hand: BlackjackHand, dealer: tuple[Card, ...], rules: BlackjackRules) -> str:
    """Return the result of a hand: BLACKJACK WIN PUSH LOSE BUST SURRENDER DEALER_BUST DEALER_BLACKJACK."""
    if hand.is_bust:
        return "BUST"
    if hand.surrendered:
        return "SURRENDER"
    if rules.naturals and is_natural(dealer):
        return "PUSH" if hand.is_natural(rules) else "DEALER_BLACKJACK"
    if hand.is_natural(rules):
        return "BLACKJACK"
    if is_bust(dealer):
        return "DEALER_BUST"
    if hand.total == total(dealer):
        return "PUSH"
    return "WIN" if hand.total > total(dealer) else "LOSE"


def returns(box: Box, dealer: tuple[Card, ...], rules: BlackjackRules) -> tuple[int, ...]:
    """Return the chips that come back for each hand of a box, its bet included.

    Without a peek and with ``lose`` ``original``, a dealer's blackjack takes no more from a box than its first bet,
    and nothing more from one that has lost as much by busting.
    """
    codes = [hand_outcome(hand, dealer, rules) for hand in box.hands]
    back = [_returned(hand, code, rules) for hand, code in zip(box.hands, codes, strict=True)]
    if rules.loses_first_bet_only:
        owed = max(0, box.bet - sum(hand.bet for hand in box.hands if hand.is_bust))
        for index, (hand, code) in enumerate(zip(box.hands, codes, strict=True)):
            if code == "DEALER_BLACKJACK":
                back[index], owed = hand.bet - owed, 0
    return tuple(back)


def insured(box: Box, dealer: tuple[Card, ...], rules: BlackjackRules) -> int:
    """Return the chips that come back for the insurance, itself included: it pays 2:1 if the dealer has a natural."""
    return 3 * (box.insurance or 0) if rules.naturals and is_natural(dealer) else 0


def settle(boxes: Sequence[Box], dealer: tuple[Card, ...], rules: BlackjackRules) -> Result:
    """Return payouts per box. Every hand and insurance has a label with its ``net`` gain, several have one over all."""
    back = [returns(box, dealer, rules) for box in boxes]
    payouts = tuple(sum(chips) + insured(box, dealer, rules) for box, chips in zip(boxes, back, strict=True))
    parts = tuple(label for box, chips in zip(boxes, back, strict=True) for label in _labels(box, chips, dealer, rules))
    if len(parts) == 1:
        return Result(payouts, parts)
    net = sum(payouts) - sum(box.committed for box in boxes)
    balance = net if rules.bets else _games_won(boxes, dealer, rules)
    whole = "ROUND_WON" if balance > 0 else "ROUND_LOST" if balance < 0 else "ROUND_EVEN"
    return Result(payouts, (Label.of(whole, net=net), *parts))


def _labels(box: Box, returned: tuple[int, ...], dealer: tuple[Card, ...], rules: BlackjackRules) -> list[Label]:
    labels = [
        Label.of(hand_outcome(hand, dealer, rules), net=back - hand.bet)
        for hand, back in zip(box.hands, returned, strict=True)
    ]
    if box.insurance:
        back = insured(box, dealer, rules)
        labels.append(Label.of("INSURANCE_WON" if back else "INSURANCE_LOST", net=back - box.insurance))
    return labels


def _returned(hand: BlackjackHand, code: str, rules: BlackjackRules) -> int:
    return {
        "BLACKJACK": hand.bet + rules.blackjack_bonus(hand.bet),
        "WIN": 2 * hand.bet,
        "DEALER_BUST": 2 * hand.bet,
        "PUSH": hand.bet,
        "SURRENDER": hand.bet // 2,
    }.get(code, 0)


def _games_won(boxes: Sequence[Box], dealer: tuple[Card, ...], rules: BlackjackRules) -> int:
    """Return hands won less hands lost, where nothing is staked."""
    codes = [hand_outcome(hand, dealer, rules) for box in boxes for hand in box.hands]
    return sum(1 if code in WON else 0 if code in DRAWN else -1 for code in codes)
