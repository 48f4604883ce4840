"""The dealer's turn card by card, as a page shows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from webapp.engine.cards import Card
from webapp.engine.twenty_one.totals import BEST, hard_total, is_soft, total

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
    for count, place in enumerate(places, 1):
        if place is None or count == 1:
            continue
        shown = dealer[:count]
        reached = total(shown)
        does: Literal["draws", "stands", "bust", "blackjack"] | None = None
        if has_natural:
            does = "blackjack"
        elif count < len(dealer):
            does = "draws"
        elif reached > BEST:
            does = "bust"
        elif is_played:
            does = "stands"
        yield DealerStep(place, reached, is_soft(shown), hard_total(dealer[: count - 1]) > BEST - _HIGHEST, does)
