"""Who gets what at the end of a round of blackjack. Whole chips: halves and 3:2 are rounded down to a chip."""

from typing import Final

from webapp.engine.cards import Card
from webapp.engine.families.bank_hand import Box, Hand
from webapp.engine.families.bank_rules import Rules
from webapp.engine.twenty_one import is_bust, is_natural, total

_BONUS: Final = {"3:2": (3, 2), "6:5": (6, 5), "1:1": (1, 1)}


def outcome(hand: Hand, dealer: tuple[Card, ...], rules: Rules) -> str:
    """Code of what became of a hand: BLACKJACK WIN PUSH LOSE BUST SURRENDER DEALER_BUST DEALER_BLACKJACK."""
    dealer_natural = rules.naturals and is_natural(dealer)
    if hand.is_bust:
        return "BUST"
    if dealer_natural:
        return "PUSH" if hand.is_natural(rules) else "DEALER_BLACKJACK"
    if hand.surrendered:
        return "SURRENDER"
    if hand.is_natural(rules):
        return "BLACKJACK"
    if is_bust(dealer):
        return "DEALER_BUST"
    if hand.total == total(dealer):
        return "PUSH"
    return "WIN" if hand.total > total(dealer) else "LOSE"


def returned(hand: Hand, code: str, rules: Rules) -> int:
    """Chips that come back for a hand, its bet included."""
    won, of = _BONUS[rules.blackjack_pays]
    return {
        "BLACKJACK": hand.bet + hand.bet * won // of,
        "WIN": 2 * hand.bet,
        "DEALER_BUST": 2 * hand.bet,
        "PUSH": hand.bet,
        "SURRENDER": hand.bet // 2,
    }.get(code, 0)


def payout(box: Box, dealer: tuple[Card, ...], rules: Rules) -> int:
    """Chips that come back to a box, insurance included.

    Without a peek and with ``lose`` ``original``, a dealer's blackjack takes no more from a box than its first bet,
    or what was lost by busting if that is more.
    """
    codes = [outcome(hand, dealer, rules) for hand in box.hands]
    back = sum(returned(hand, code, rules) for hand, code in zip(box.hands, codes, strict=True))
    if "DEALER_BLACKJACK" in codes and rules.hole_card == "no_peek" and rules.lose == "original":
        bust = sum(hand.bet for hand, code in zip(box.hands, codes, strict=True) if code == "BUST")
        back = sum(hand.bet for hand in box.hands) - max(box.bet, bust)
    insured = 3 * (box.insurance or 0) if rules.naturals and is_natural(dealer) else 0
    return back + insured
