"""The order in which the cards of the latest action come to the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

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
