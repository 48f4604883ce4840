"""Hands of twenty-one that everybody who plays well plays alike: what a page may recommend without the odds."""

from collections.abc import Sequence
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.twenty_one.totals import is_soft, total

_CANNOT_BUST: Final = 11
_STANDS: Final = 18
_STANDS_SOFT: Final = 20


def sure_verb(cards: Sequence[Card], *, may_do_more: bool) -> str | None:
    """Return ``hit`` or ``stand`` if it is certainly right against every dealer; None if that depends.

    ``may_do_more``: the hand may also be doubled, split or surrendered. A review calls none of these worse than fine.
    """
    count, soft = total(cards), is_soft(cards)
    if not soft and count <= _CANNOT_BUST and not may_do_more:
        return "hit"
    if count >= (_STANDS_SOFT if soft else _STANDS) and not (may_do_more and _is_pair_of_nines(cards)):
        return "stand"
    return None


def _is_pair_of_nines(cards: Sequence[Card]) -> bool:
    return len(cards) == 2 and total(cards) == _STANDS and cards[0].rank == cards[1].rank
