"""Other players' hands with the same cards: their choices at each decision, and the average results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select

from webapp.engine.action import Action
from webapp.extensions import db
from webapp.models import FIRST, IS_DAILY, Hand
from webapp.services.core.clock import closes_at, now_ms
from webapp.services.records import lookup
from webapp.services.records.finished import Finished
from webapp.services.records.stored_hand import parse_moves

LEAST: Final = 5
"""Players of whom something is said together; of fewer nothing is, since it would be about each of them."""
MOST: Final = 2000
"""Hands that are counted, the first ones."""

_OF_HAND: Final = (
    select(Hand.moves, Hand.net)
    .where(Hand.of_key == bindparam("deal"), Hand.kind == FIRST, Hand.status == "done")
    .order_by(Hand.created_at)
    .limit(MOST)
)
_OF_DAY: Final = (
    select(Hand.moves, Hand.net)
    .where(Hand.daily_key == bindparam("deal"), Hand.number == bindparam("number"))
    .where(IS_DAILY, Hand.status == "done")
    .order_by(Hand.created_at)
    .limit(MOST)
)


class Played(NamedTuple):
    """One player's hand: the moves, and what was won or lost, or the score."""

    moves: tuple[Action, ...]
    net: int


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that ``count`` players chose at a decision, and what they won or lost on average in the end."""

    action: Action
    count: int
    share: float
    average: float


@dataclass(frozen=True, slots=True)
class CrowdDecision:
    """Actions of all players who came to a decision. ``step`` is that of the cards before it."""

    step: int
    count: int
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Crowd:
    """All players of the same cards, including the hand that is shown, if it counts."""

    count: int
    average: float
    decisions: tuple[CrowdDecision, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A finished hand beside the one whose cards it was dealt, or another one; and beside the crowd.

    ``original`` is None for a hand that was not dealt after another. ``common`` is the number of moves that both
    share, -1 if they began with other cards. ``crowd`` is None while there are too few.
    """

    original: Finished | None
    common: int
    crowd: Crowd | None


def side_by_side(hand: Finished) -> SideBySide:
    """Return a finished hand beside its original and beside all others with these cards."""
    if hand.seats:
        return SideBySide(None, 0, None)
    original = lookup.finished_hand(hand.of) if hand.of else None
    return SideBySide(
        original=original,
        common=_common(hand.moves, original.moves) if original else 0,
        crowd=crowd_of(_played(hand, original or hand), hand.moves),
    )


def beside(hand: Finished, other: Finished) -> SideBySide:
    """Return a finished hand beside another one of the same deal.

    After the first round of a shoe, other cards may have come to each.
    """
    begin_alike = hand.steps[0].view == other.steps[0].view
    return SideBySide(other, _common(hand.moves, other.moves) if begin_alike else -1, None)


def crowd_of(played: Sequence[Played], moves: Sequence[Action]) -> Crowd | None:
    """Return what a crowd did at the decisions that these moves led to; None if it is too small."""
    if len(played) < LEAST:
        return None
    decisions = []
    for step in range(len(moves)):
        there = [hand for hand in played if hand.moves[:step] == tuple(moves[:step]) and len(hand.moves) > step]
        if len(there) < LEAST:
            break
        decisions.append(_decision(step, there))
    return Crowd(len(played), sum(hand.net for hand in played) / len(played), tuple(decisions))


def _decision(step: int, there: list[Played]) -> CrowdDecision:
    nets: dict[Action, list[int]] = {}
    for hand in there:
        nets.setdefault(hand.moves[step], []).append(hand.net)
    choices = [
        Choice(action, len(each), len(each) / len(there), sum(each) / len(each)) for action, each in nets.items()
    ]
    return CrowdDecision(
        step, len(there), tuple(sorted(choices, key=lambda choice: (-choice.count, str(choice.action))))
    )


def _played(hand: Finished, original: Finished) -> list[Played]:
    """Return all that count: first tries and the hand that all of them were dealt after; or all tries of a day."""
    if hand.daily and not hand.of:
        if now_ms() < closes_at(hand.daily):
            return []  # the day's page tells it to whoever has played
        asked = {"deal": f"{hand.daily}-{hand.game.spec.code}", "number": hand.number}
        rows = db.session.execute(_OF_DAY, asked).all()
        return [Played(parse_moves(row.moves), row.net) for row in rows]
    rows = db.session.execute(_OF_HAND, {"deal": original.key}).all()
    others = [Played(parse_moves(row.moves), row.net) for row in rows]
    if original.status != "done":
        return others
    return [Played(original.moves, original.score if original.net is None else original.net), *others]


def _common(mine: Sequence[Action], theirs: Sequence[Action]) -> int:
    """Return the number of equal moves at the beginning of two hands."""
    count = 0
    for one, other in zip(mine, theirs, strict=False):
        if one != other:
            break
        count += 1
    return count
