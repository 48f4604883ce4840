"""Why an action at blackjack is worth what it is: the cards that are unseen, and how often standing wins."""

from typing import Final

import numpy as np

from webapp.engine.action import Action
from webapp.engine.cards import Rank
from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState
from webapp.engine.label import Label
from webapp.engine.odds.blackjack.box_values import DOUBLE, SPLIT, SURRENDER, Known
from webapp.engine.odds.blackjack.compositions import POINTS, TEN, total_of
from webapp.engine.odds.blackjack.dealer.sequences import BUST
from webapp.engine.odds.value import Decision, Reason
from webapp.engine.twenty_one.totals import BEST, hard_total, total

STRONG: Final = 18
"""Totals from here on beat, or equal, what the dealer makes when he is not bust more often than not."""
_LEAST: Final = 17
"""The dealer's lowest total."""


def reason_of(known: Known, state: BlackjackState, action: Action, decision: Decision) -> Reason:
    """Return the reason of an action."""
    unseen = known.unseen.counts
    if state.phase is BlackjackPhase.INSURANCE:
        return _reason("TENS", tens=int(unseen[TEN]), unseen=int(unseen.sum()))
    cards = state.hand.cards
    win, lose, dealer_bust = _standing(known, total(cards))
    stand = {"total": total(cards), "win": _percent(win), "lose": _percent(lose)}
    if action.verb == SURRENDER:
        other = max(option.value for option in decision.options if option.action != action)
        return _reason("SURRENDER", lost=_percent(-float(other) / (state.box.bet or 1)))
    if action.verb == SPLIT:
        return _reason("SPLIT", **stand, each=total(cards[:1]))
    hard, has_ace = hard_total(cards), any(card.rank is Rank.ACE for card in cards)
    if action.verb == DOUBLE:
        totals = [total_of(hard + points, has_ace or points == 1)[0] for points in POINTS.tolist()]
        strong = int(unseen[[STRONG <= made <= BEST for made in totals]].sum())
        return _reason("DOUBLE", strong=strong, unseen=int(unseen.sum()), bust=_percent(dealer_bust))
    bust = int(unseen[hard + POINTS > BEST].sum())
    return _reason("RISK" if bust else "NO_RISK", **stand, bust=bust, unseen=int(unseen.sum()))


def _standing(known: Known, own: int) -> tuple[float, float, float]:
    """Return how often a total that stands wins and loses, and how often the dealer is bust."""
    chances = known.outcomes.chances(np.zeros(1, np.int64))[0] / known.counted
    beaten = range(_LEAST, own)
    win = chances[BUST] + sum(chances[points - _LEAST] for points in beaten)
    push = chances[own - _LEAST] if own >= _LEAST else 0.0
    return float(win), float(1 - win - push), float(chances[BUST])


def _percent(chance: float) -> int:
    return round(100 * chance)


def _reason(code: str, **args: object) -> Reason:
    return Reason(Label.of(f"WHY_{code}", **args))  # type: ignore[arg-type]
