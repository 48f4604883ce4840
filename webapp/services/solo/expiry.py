"""Expiry: hands that end without having been played out, and shoes that nobody deals from any more.

Whatever had a cut is revealed, however it ends, unless it was sealed with a key that is missing.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import bindparam, literal_column, select

from webapp.extensions import db
from webapp.models import IS_PLAY, OPEN, Hand, Shoe
from webapp.services import purses
from webapp.services.core.clock import DAY, HOUR, now_ms, was_set_forward
from webapp.services.core.database import retried, writing
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import is_unreadable, seed_owner, unseal_seed
from webapp.services.solo.shoes import close_shoe, put_away

OVERDUE_AFTER: Final = DAY
LOST_AFTER: Final = 2 * DAY
"""Time after which a hand or shoe that no key opens is given up, counted from when that was first noticed. A wrong key
that is deployed for an hour must cost nobody a hand, however old it is, and a key that is gone for good must not keep a
player from the game for ever."""
LOOK_AGAIN: Final = HOUR
"""Time after which such a hand or shoe is looked at again: the key may be back."""
AT_ONCE: Final = 3
"""Overdue hands or shoes that one request closes at most."""

# Built once: everybody who sits down asks them.
_OVERDUE: Final = (
    select(Hand)
    .where(Hand.status == literal_column("'live'"), IS_PLAY, Hand.moved_at < bindparam("before"))
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
    """End a hand as ``forfeited`` or ``void``. Nothing is given back: that would be an undo button.

    One that was not cut stays sealed: a cut that is on its way may still ask for it (``undealt.py``).

    Raises:
        Refusal: ``box-broken``: no key opens it. Nothing was changed.
    """
    if hand.cut is not None:
        owner = seed_owner(hand)
        if not isinstance(owner, Shoe):
            hand.revealed_seed, hand.sealed_seed = unseal_seed(hand.sealed_seed, hand).hex(), None
        elif owner.revealed_seed is None:
            close_shoe(owner, now)
    _end(hand, status, now)


def void_hand(hand: Hand, now: int) -> None:
    """End a hand that cannot be continued, and give back all that was charged for it.

    No player can bring that about, so it is no undo button. If no key opens the hand, the sealed seed stays: should the
    key come back, the hand has its page and its proof.
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
        staked = purses.charged(hand) if status == "forfeited" else 0  # a void hand returns its stake
        purses.count_outcome(hand.player_id, hand.game, hand.variant, hand.outcome, staked)


def close_overdue(own: Hand | None = None, at_once: int = AT_ONCE) -> int:
    """Forfeit hands without a move for a day, a few at a time, inside the caller's transaction. Return their number.

    A hand that no key opens is void ``LOST_AFTER`` after that was first noticed. Nothing is forfeited while the time of
    day may be wrong.

    Args:
        own: open hand of the player who asks. It is looked at in any case, however many others are overdue.
    """
    if was_set_forward():
        return 0
    now = now_ms()
    hands = list(db.session.scalars(_OVERDUE, {"before": now - OVERDUE_AFTER, "most": at_once}))
    if own is not None and own not in hands and own.status == "live" and own.moved_at < now - OVERDUE_AFTER:
        hands.append(own)
    for hand in hands:
        try:
            end_hand(hand, "forfeited", now)
        except Refusal:
            if _waits_for_key(hand, now):
                hand.moved_at = _overdue_at(now + LOOK_AGAIN)
            else:
                void_hand(hand, now)
    return len(hands)


def _waits_for_key(owner: Hand | Shoe, now: int) -> bool:
    """Return True while a hand or shoe that no key opens is not given up yet; note when that was first noticed."""
    if owner.sealed_since is None:
        owner.sealed_since = now
    return now < owner.sealed_since + LOST_AFTER


def _overdue_at(then: int) -> int:
    """Return the ``moved_at`` with which something is overdue at a time, and not before."""
    return then - OVERDUE_AFTER


def close_overdue_shoes(at_once: int = AT_ONCE) -> int:
    """Close shoes that nothing was dealt from for a day, as ``close_overdue`` does with hands. Return their number.

    A hand in play keeps its shoe open until it is forfeited; one that was not dealt is void, as nothing is at stake. A
    shoe that no key opens is closed as well, ``LOST_AFTER`` after that was noticed. Call it last in a transaction: it
    waits for no row, and locks those it finds.
    """
    if was_set_forward():
        return 0
    now = now_ms()
    shoes = db.session.scalars(_OVERDUE_SHOES, {"before": now - OVERDUE_AFTER, "most": at_once}).all()
    for shoe in shoes:
        ready = select(Hand).where(Hand.shoe_key == shoe.key, Hand.status == "ready").with_for_update(skip_locked=True)
        for hand in db.session.scalars(ready):
            if hand.seq:
                end_hand(hand, "void", now)
            else:
                db.session.delete(hand)  # prepared, and never dealt
        db.session.flush()
        if db.session.scalars(select(Hand.key).where(Hand.shoe_key == shoe.key, Hand.status.in_(OPEN))).first():
            shoe.moved_at = now  # in use
        elif is_unreadable(shoe) and _waits_for_key(shoe, now):
            shoe.moved_at = _overdue_at(now + LOOK_AGAIN)
        else:
            put_away(shoe, now)
    return len(shoes)


def close_all_overdue() -> None:
    """Close all overdue hands and shoes, a few in each transaction. The timer does so."""
    for close in (close_overdue, close_overdue_shoes):
        while retried(partial(_in_transaction, close)) == AT_ONCE:
            pass


def _in_transaction(close: Callable[[], int]) -> int:
    with writing():
        return close()
