"""Hands that end without having been played out, and shoes that nobody deals from any more. What had a cut is revealed,
whichever way it ends; unless it was sealed with a key that the house does not have, any more or just now.
"""

from typing import Final

from sqlalchemy import bindparam, literal_column, select

from webapp.extensions import db
from webapp.models import OPEN, Hand, Shoe
from webapp.services import purses
from webapp.services.core.clock import DAY, now_ms
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import is_unreadable, seed_owner, unseal_seed
from webapp.services.solo.shoes import close_shoe, put_away

OVERDUE_AFTER: Final = DAY
LOST_AFTER: Final = 2 * DAY
"""What is overdue and opened by no key is waited for until it is so old: a wrong key deployed for an hour must wipe
nobody, and what was sealed with one that is dropped for good must not keep its player from the game for ever."""
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


def end_hand(hand: Hand, status: str, now: int) -> None:
    """End a hand as ``forfeited`` or ``void``. No refund comes with it: that would be an undo button.

    Refusal ``box-broken``, and nothing has changed, if no key opens it.
    """
    if hand.cut is not None:
        deck = seed_owner(hand)
        if isinstance(deck, Shoe):
            close_shoe(deck, now)
        else:
            hand.revealed_seed = unseal_seed(hand.sealed_seed, hand).hex()
    hand.sealed_seed = None
    _end(hand, status, now)


def void_hand(hand: Hand, now: int) -> None:
    """End a hand that the house cannot go on with, and give back all that was charged for it.

    No player can bring that about, so it is no undo button. If no key opens the hand, its seal stays where it is:
    should the key come back, the hand has its page and its proof.
    """
    try:
        end_hand(hand, "void", now)
    except Refusal:
        if hand.shoe is not None:
            put_away(hand.shoe, now)
        _end(hand, "void", now)
    purses.refund(hand, now)


def _end(hand: Hand, status: str, now: int) -> None:
    hand.status, hand.finished_at, hand.marks = status, now, ""
    if hand.cut is not None:
        hand.outcome = status.upper()


def close_overdue(mine: Hand | None = None, at_once: int = AT_ONCE) -> int:
    """Forfeit hands without a move for a day, a few at a time, inside the caller's transaction. How many there were.

    ``mine`` is that of whoever asks, if there is one: it is seen to at once, however many of others there are. A hand
    that no key opens is void, once it is ``LOST_AFTER`` old.
    """
    now = now_ms()
    hands = list(db.session.scalars(_OVERDUE, {"before": now - OVERDUE_AFTER, "most": at_once}))
    if mine is not None and mine not in hands and mine.status == "live" and mine.moved_at < now - OVERDUE_AFTER:
        hands.append(mine)
    for hand in hands:
        try:
            end_hand(hand, "forfeited", now)
        except Refusal:
            if now < hand.created_at + LOST_AFTER:
                hand.moved_at = _overdue_at(hand.created_at + LOST_AFTER)
            else:
                void_hand(hand, now)
    return len(hands)


def _overdue_at(then: int) -> int:
    """The ``moved_at`` of what is looked at again then and not before: in the meantime it is in nobody's way."""
    return then - OVERDUE_AFTER


def close_overdue_shoes(at_once: int = AT_ONCE) -> int:
    """Close shoes from which nothing was dealt for a day, as ``close_overdue`` does with hands. How many there were.

    A hand in play keeps its shoe open, until it is forfeited. One that was only sat down at is void: nothing is at
    stake. A shoe that no key opens is closed all the same, once it is ``LOST_AFTER`` old. Call it last: it never waits
    for another's row, and holds what it has found until the transaction ends.
    """
    now = now_ms()
    shoes = db.session.scalars(_OVERDUE_SHOES, {"before": now - OVERDUE_AFTER, "most": at_once}).all()
    for shoe in shoes:
        ready = select(Hand).where(Hand.shoe_key == shoe.key, Hand.status == "ready").with_for_update(skip_locked=True)
        for hand in db.session.scalars(ready):
            end_hand(hand, "void", now)
        db.session.flush()
        if db.session.scalars(select(Hand.key).where(Hand.shoe_key == shoe.key, Hand.status.in_(OPEN))).first():
            shoe.moved_at = now  # it is being played from
        elif now < shoe.opened_at + LOST_AFTER and is_unreadable(shoe):
            shoe.moved_at = _overdue_at(shoe.opened_at + LOST_AFTER)
        else:
            put_away(shoe, now)
    return len(shoes)
