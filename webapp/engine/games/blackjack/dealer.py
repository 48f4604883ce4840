"""The dealer of blackjack: play by the rules, its turn card by card, and the order in which cards come to the table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, Literal

from webapp.engine.cards import Card
from webapp.engine.games.blackjack.state import BlackjackState
from webapp.engine.twenty_one.hand import BEST, hard_total, is_soft, total


def dealer_plays(state: BlackjackState) -> BlackjackState:
    """Deal all cards that the dealer takes after all have acted. An empty shoe ends it."""
    while _wants_card(state):
        if state.left < 1:
            return replace(state, ran_out=True)
        card, stock = state.stock.take(1)
        state = replace(state, stock=stock, dealer=state.dealer + card)
    return state


def _wants_card(state: BlackjackState) -> bool:
    """Return whether the dealer draws: only while a hand is undecided, or for the second card that settles the rest."""
    if any(hand.is_undecided(state.rules) for hand in state.hands):
        return state.rules.dealer_draws(total(state.dealer), is_soft(state.dealer))
    return len(state.dealer) == 1 and _awaits_second_card(state)


def _awaits_second_card(state: BlackjackState) -> bool:
    """Return whether a natural or an insurance is not settled before the dealer's second card."""
    if any(box.insurance for box in state.boxes):
        return True
    return state.dealer_may_have_natural and any(hand.is_natural(state.rules) for hand in state.hands)


_PLAYED_AGAINST: Final = frozenset({"WIN", "LOSE", "PUSH", "DEALER_BUST"})
_HIGHEST: Final = 10
"""A card counts no more than this, as an ace counts 1 before it busts a hand."""


@dataclass(frozen=True, slots=True)
class DealerStep:
    """What the dealer has with one card more, and what follows from it.

    ``place``: the card's place among those of the latest action. ``risky``: it could have busted the dealer.
    ``does`` is None where nothing depends on the total, or the shoe is empty.
    """

    place: int
    total: int
    soft: bool
    risky: bool
    does: Literal["draws", "stands", "bust", "blackjack"] | None


def steps_of(
    dealer: Sequence[Card], places: Sequence[int | None], outcomes: Sequence[str], has_natural: bool, ran_out: bool
) -> Iterator[DealerStep]:
    """Yield a step for each card that the dealer turned or drew in a round that is over.

    Args:
        dealer: the dealer's cards
        places: of each card among the new ones, None for one that lay there open
        outcomes: of the hands
        has_natural: the cards are a blackjack
        ran_out: the shoe was empty
    """
    is_played = not _PLAYED_AGAINST.isdisjoint(outcomes) and not ran_out
    for number, place in enumerate(places, 1):
        if place is None or number == 1:
            continue
        shown = dealer[:number]
        reached = total(shown)
        does: Literal["draws", "stands", "bust", "blackjack"] | None = None
        if has_natural:
            does = "blackjack"
        elif number < len(dealer):
            does = "draws"
        elif reached > BEST:
            does = "bust"
        elif is_played:
            does = "stands"
        yield DealerStep(place, reached, is_soft(shown), hard_total(dealer[: number - 1]) > BEST - _HIGHEST, does)


_Places = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class DealOrder:
    """The place of each card among the new ones, counted from 0; None for a card that lay there before.

    ``boxes`` has a row for each hand of each box. ``dealer`` has a place for the hole card, too, when it is turned.
    ``end`` is the place after the last card. ``is_deal``: all cards are new, and nothing was done yet.
    """

    is_deal: bool
    boxes: tuple[tuple[_Places, ...], ...]
    dealer: _Places
    end: int


def order_of_deal(boxes: int, dealer: int) -> DealOrder:
    """Return the order of a deal: one card to each box and to the dealer, and then the same again.

    Args:
        boxes: how many are played
        dealer: how many cards the dealer has
    """
    return DealOrder(
        is_deal=True,
        boxes=tuple(((box, boxes + 1 + box),) for box in range(boxes)),
        dealer=(boxes, *range(2 * boxes + 1, 2 * boxes + dealer)),
        end=2 * boxes + dealer,
    )


def order_of_action(boxes: Sequence[Sequence[tuple[int, int]]], dealer: int, over: bool) -> DealOrder:
    """Return the order after an action: hand by hand, and the dealer's cards last, once they are turned.

    Args:
        boxes: for each hand of each box how many cards it has, and how many of them, the last ones, are new
        dealer: how many cards the dealer has
        over: whether the dealer has played
    """
    places = count()
    rows = tuple(
        tuple((*(None,) * (cards - new), *(next(places) for _ in range(new))) for cards, new in hands)
        for hands in boxes
    )
    drawn, later = next(places), dealer - 1
    turned = tuple(range(drawn, drawn + later)) if over else (None,) * later
    return DealOrder(is_deal=False, boxes=rows, dealer=(None, *turned), end=drawn + later)
