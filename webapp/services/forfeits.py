"""Hands that end without having been played out, and shoes that nobody deals from any more. What had a cut is revealed,
whichever way it ends.
"""

import time
from typing import Final

from sqlalchemy import bindparam, literal_column, select

from webapp.extensions import db
from webapp.models import OPEN, Hand, Shoe
from webapp.services.refusal import Refusal
from webapp.services.sealing import deck_of, seed_in
from webapp.services.shoes import close_shoe

OVERDUE_AFTER: Final = 24 * 3600
AT_ONCE: Final = 3

# put together once: whoever sits down asks them
_OVERDUE: Final = (
    select(Hand)
    .where(Hand.status == literal_column("'live'"), Hand.moved_at < bindparam("before"))
    .order_by(Hand.moved_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_OVERDUE_SHOES: Final = (
    select(Shoe)
    .where(Shoe.closed_at.is_(None), Shoe.moved_at < bindparam("before"))
    .order_by(Shoe.moved_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)


def close(hand: Hand, status: str, now: int) -> None:
    """End a hand as ``forfeited`` or ``void``. No refund comes with it: that would be an undo button."""
    if hand.cut is not None:
        deck = deck_of(hand)
        if isinstance(deck, Shoe):
            close_shoe(deck, now)
        else:
            hand.reveal = seed_in(hand.spare, hand).hex()
        hand.outcome = status.upper()
    hand.status, hand.finished_at, hand.spare, hand.marks = status, now, None, ""


def close_overdue(at_once: int = AT_ONCE) -> int:
    """Forfeit hands without a move for a day, a few at a time, inside the caller's transaction. How many there were."""
    now = int(time.time())
    hands = db.session.scalars(_OVERDUE, {"before": now - OVERDUE_AFTER, "most": at_once}).all()
    for hand in hands:
        try:
            close(hand, "forfeited", now)
        except Refusal:
            # sealed with a key that is not here, any more or just now: nobody waits for it, and tomorrow we try again
            hand.moved_at = now
    return len(hands)


def close_overdue_shoes(at_once: int = AT_ONCE) -> int:
    """Close shoes from which nothing was dealt for a day, as ``close_overdue`` does with hands. How many there were.

    A hand in play keeps its shoe open, until it is forfeited. One that was only sat down at is void: nothing is at
    stake. Call it last: it never waits for another's row, and holds what it has found until the transaction ends.
    """
    now = int(time.time())
    shoes = db.session.scalars(_OVERDUE_SHOES, {"before": now - OVERDUE_AFTER, "most": at_once}).all()
    for shoe in shoes:
        ready = select(Hand).where(Hand.shoe_key == shoe.key, Hand.status == "ready").with_for_update(skip_locked=True)
        for hand in db.session.scalars(ready):
            close(hand, "void", now)
        db.session.flush()
        try:
            if db.session.scalars(select(Hand.key).where(Hand.shoe_key == shoe.key, Hand.status.in_(OPEN))).first():
                shoe.moved_at = now  # it is being played from
            else:
                close_shoe(shoe, now)
        except Refusal:
            shoe.moved_at = now
    return len(shoes)
