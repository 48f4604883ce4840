"""Sitting down: returns the open hand of a game, or a new one, committed to before its cut is known."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from webapp.engine.games import SOLO
from webapp.extensions import db
from webapp.models import OPEN, Hand
from webapp.services import players, purses
from webapp.services.core.clock import now_ms
from webapp.services.core.database import retried, writing
from webapp.services.fairness.sealing import SealedSeeds, is_unreadable, seed_owner
from webapp.services.solo import prepared
from webapp.services.solo.board import Board, board_of
from webapp.services.solo.expiry import close_overdue, close_overdue_shoes, end_hand
from webapp.services.solo.reading import board, open_hand
from webapp.services.solo.rows import draw_from_shoe, update_if_unchanged


@dataclass(frozen=True, slots=True)
class Seated:
    """Result of sitting down. ``is_new``: this request sat down to the hand, which may have been prepared before."""

    board: Board
    is_new: bool


def sit(
    player: str,
    code: str,
    table: str,
    sealed_seeds: SealedSeeds,
    anew: bool = False,
) -> Seated:
    """Return a ready hand with its commitment, or the open hand of this game.

    Args:
        anew: begin a new run with a full purse. A purse that is too small for any bet begins one anyway.

    Raises:
        SetupError: There is no such variant.
    """
    SOLO[code].rules(table)
    # it refunds overdue hands of others
    return retried(lambda: _seated(player, code, table, sealed_seeds, anew))


def _seated(player: str, code: str, table: str, sealed_seeds: SealedSeeds, anew: bool) -> Seated:
    try:
        with writing():
            players.lock(player)
            hand = open_hand(player, code, lock=True)
            close_overdue(hand)
            if hand is not None and hand.status not in OPEN:
                hand = None
            if hand is not None and not _is_idle(hand, table, sealed_seeds):
                is_new = _numbered(hand, anew)
                return Seated(board(hand, sealed_seeds), is_new)
            number = None
            if hand is not None and prepared.is_prepared(hand):
                prepared.drop_prepared(hand)
            elif hand is not None:
                end_hand(hand, "void", now_ms())
                db.session.flush()
                number = _number_to_reuse(hand)
            hand = _new_hand(player, code, table, sealed_seeds, anew, number)
            close_overdue_shoes()
            return Seated(board_of(hand), is_new=True)
    except IntegrityError:
        # Another request of the same player has inserted a hand since we looked.
        hand = open_hand(player, code)
        if hand is None:
            raise
        return Seated(board(hand, sealed_seeds), is_new=False)


def _numbered(hand: Hand, anew: bool) -> bool:
    """Give a prepared hand its number, and return True if it was one."""
    if not prepared.is_prepared(hand):
        return False
    now = now_ms()
    update_if_unchanged(hand, seq=prepared.number_for(hand, SOLO[hand.game], now, anew), moved_at=now)
    if hand.shoe is not None:
        draw_from_shoe(hand.shoe, moved_at=now)
    return True


def _number_to_reuse(hand: Hand) -> int | None:
    """Replace the hand before this one if neither was dealt, and return the number that becomes free; None otherwise.

    So at most one of them is kept between two dealt hands, however often a player sits down at another table.
    """
    number = hand.seq or 0
    mine = (Hand.player_id == hand.player_id, Hand.game == hand.game)
    never_dealt = (Hand.status == "void", Hand.cut.is_(None))
    query = select(Hand).where(*mine, Hand.seq == number - 1, *never_dealt).with_for_update()
    earlier = db.session.scalars(query).one_or_none()
    if earlier is None:
        return None
    shoe = earlier.shoe
    db.session.delete(earlier)
    db.session.flush()
    if shoe is not None and shoe.closed_at is not None:
        prepared.drop_unused(shoe)
    hand.seq = number - 1
    db.session.flush()
    return number


def _new_hand(player: str, code: str, table: str, sealed_seeds: SealedSeeds, anew: bool, number: int | None) -> Hand:
    """Return a ready hand. ``number``: its number, if it is known."""
    game, now = SOLO[code], now_ms()
    deck = prepared.new_deck(player, game, table, sealed_seeds, now)
    seq = purses.begin_hand(player, code, game.rules(table).bets, now, anew, number)
    prepared.add_hand(player, game, table, deck, seq, now)
    return db.session.get_one(Hand, deck.key)


def _is_idle(hand: Hand, table: str, sealed_seeds: SealedSeeds) -> bool:
    """Return True if an open hand may be replaced.

    It was not dealt, so nothing is at stake; and another variant is wanted, or it cannot be dealt any more because the
    cookie has lost its sealed seed or no key opens its shoe.
    """
    if hand.status != "ready":
        return False
    owner = seed_owner(hand)
    return hand.variant != table or (
        owner.key not in sealed_seeds if owner.sealed_seed is None else is_unreadable(owner)
    )
