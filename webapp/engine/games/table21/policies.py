"""Policies: what is played for a seat whose player is away, out of time, or a bot."""

from collections.abc import Callable, Mapping
from typing import Final

from webapp.engine.cards import Rank
from webapp.engine.games.table21.rules import BANKER_STANDS
from webapp.engine.games.table21.state import Table21Hand, Table21State
from webapp.engine.twenty_one.hand import is_soft, value

POLICIES: Final = ("timid", "dealer", "basic")
CERTAIN: Final = 11
"""No card busts a total up to it."""


def choose_verb(state: Table21State, policy: str, may: frozenset[str]) -> str:
    """Return the verb for the hand in play. ``may``: the verbs that are legal and can be paid for; hit and stand are.

    The banker has one policy only: draw below 17, stand from 17 on.
    """
    assert state.turn is not None
    if state.turn[0] == state.banker:
        return "hit" if state.hand.total < BANKER_STANDS else "stand"
    wanted = _WANTED[policy](state.hand, value(state.banker_hand.cards[0]))
    return next(verb for verb in wanted if verb in may)


def _conservative(hand: Table21Hand, _up: int) -> tuple[str, ...]:
    """Draw only what no card can bust, by the displayed total, soft hands too."""
    return ("hit",) if hand.total <= CERTAIN else ("stand",)


def _dealer(hand: Table21Hand, _up: int) -> tuple[str, ...]:
    return ("hit",) if hand.total < BANKER_STANDS else ("stand",)


def _basic(hand: Table21Hand, up: int) -> tuple[str, ...]:
    """Return verbs by basic strategy, the best first: one deck, no peek, a banker who stands on soft 17.

    up: value of the banker's open card, the ace 1.
    """
    return (*_splits(hand, up), *(_soft(hand.total, up) if is_soft(hand.cards) else _hard(hand.total, up)))


def _splits(hand: Table21Hand, up: int) -> tuple[str, ...]:
    """Split less than in a casino: a split hand may not be doubled."""
    if not hand.may_split:
        return ()
    low, high = _SPLIT_AGAINST.get(hand.cards[0].rank, (0, 0))
    return ("split",) if low <= (11 if up == 1 else up) <= high and not (hand.total == 18 and up == 7) else ()


_SPLIT_AGAINST: Final[Mapping[Rank, tuple[int, int]]] = {
    Rank.ACE: (2, 10),
    Rank.EIGHT: (2, 9),
    Rank.NINE: (2, 9),
    Rank.SEVEN: (2, 7),
    Rank.SIX: (2, 6),
    Rank.THREE: (4, 7),
    Rank.TWO: (3, 7),
}


def _hard(total: int, up: int) -> tuple[str, ...]:
    weak = 2 <= up <= 6
    if total >= BANKER_STANDS or (total >= 13 and weak) or (total == 12 and 4 <= up <= 6):
        return ("stand",)
    doubles = (total == 11 and up != 1) or (total == 10 and 2 <= up <= 9) or (total == 9 and weak)
    return ("double", "hit") if doubles else ("hit",)


def _soft(total: int, up: int) -> tuple[str, ...]:
    if total >= 19:
        return ("stand",)
    if total == 18:
        return ("double", "stand") if 3 <= up <= 6 else ("stand",) if up in (2, 7, 8) else ("hit",)
    lowest = {17: 3, 16: 4, 15: 4}.get(total, 5)
    return ("double", "hit") if lowest <= up <= 6 else ("hit",)


_WANTED: Final[Mapping[str, Callable[[Table21Hand, int], tuple[str, ...]]]] = {
    "timid": _conservative,
    "dealer": _dealer,
    "basic": _basic,
}
