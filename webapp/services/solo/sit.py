"""Sitting down: the open hand of a game, or a new one with its deck sealed before the cut is known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.exc import IntegrityError

from webapp.engine.games import SOLO
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import OPEN, Hand, Player, Shoe
from webapp.services import purses
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key, new_seed
from webapp.services.core.transaction import retried, writing
from webapp.services.fairness.sealing import SealedSeeds, is_unreadable, sealer, seed_owner
from webapp.services.solo.board import Board, board_of
from webapp.services.solo.expiry import close_overdue, close_overdue_shoes, end_hand
from webapp.services.solo.play import OPEN_HANDS, board, open_hand
from webapp.services.solo.shoes import shoe_for

_NEEDED: Final = OPEN_HANDS.with_only_columns(Hand.key).union_all(
    select(Shoe.key).where(Shoe.player_id == bindparam("player"), Shoe.closed_at.is_(None))
)
_QUEUE: Final = select(Player.id).where(Player.id == bindparam("player")).with_for_update(key_share=True)

RoomCheck = Callable[[str, str, tuple[str, ...]], None]
"""Raises a Refusal if a sealed seed, by its key, does not fit into the cookie beside those that are needed."""


@dataclass(frozen=True, slots=True)
class Seated:
    """``box`` is what the cookie must keep: (key, token). None when the player sat at an open hand or shoe already.

    ``needed`` are the keys of the open hands and shoes then: no other boxes are wanted any more.
    """

    board: Board
    box: tuple[str, str] | None
    is_new: bool
    needed: tuple[str, ...] = ()


def sit(
    player: str,
    code: str,
    table: str,
    boxes: SealedSeeds,
    anew: bool = False,
    require_room: RoomCheck = lambda _key, _token, _needed: None,
) -> Seated:
    """A ready hand with its commitment, or the hand of this game that is open. SetupError for a table unknown.

    ``anew`` begins a new run, with a fresh purse; so does sitting down with a purse that pays no bet any more.
    Nothing is done if ``require_room`` refuses a new sealed seed.
    """
    SOLO[code].rules(table)
    return retried(lambda: _seated(player, code, table, boxes, anew, require_room))  # refunds overdue hands


def _seated(
    player: str,
    code: str,
    table: str,
    boxes: SealedSeeds,
    anew: bool,
    require_room: RoomCheck,
) -> Seated:
    try:
        with writing():
            _queue(player)
            hand = open_hand(player, code, lock=True)
            close_overdue(hand)
            if hand is not None and hand.status not in OPEN:
                hand = None
            if hand is not None and not _is_idle(hand, table, boxes):
                return Seated(board(hand, boxes), None, is_new=False)
            if hand is not None:
                end_hand(hand, "void", now_ms())
                db.session.flush()
            hand, box = _new_hand(player, code, table, boxes, anew)
            close_overdue_shoes()
            needed = tuple(db.session.scalars(_NEEDED, {"player": player, "games": list(SOLO)}))
            if box is not None:
                require_room(*box, needed)
            return Seated(board_of(hand), box, is_new=True, needed=needed)
    except IntegrityError:
        # another request of the same player sat down between our look and our insert
        hand = open_hand(player, code)
        if hand is None:
            raise
        return Seated(board(hand, boxes), None, is_new=False)


def _new_hand(
    player: str, code: str, table: str, boxes: SealedSeeds, anew: bool
) -> tuple[Hand, tuple[str, str] | None]:
    """A ready hand, and the box of its deck if that is new."""
    game, now, key = SOLO[code], now_ms(), new_key()
    shoe: Shoe | None = None
    box: tuple[str, str] | None
    if game.cut_card(table) is None:
        seed = new_seed()
        committed, box = commitment(seed, key), (key, sealer().seal(key, player, seed))
    else:
        shoe, token = shoe_for(player, game, table, boxes, now)
        committed, box = shoe.commitment, (shoe.key, token) if token else None
    hand = Hand(
        key=key,
        player_id=player,
        game=code,
        variant=table,
        seq=purses.begin_hand(player, code, game.rules(table).bets, now, anew),
        status="ready",
        commitment=committed,
        shoe=shoe,
        offset=shoe.dealt if shoe else 0,
        stakes="",
        moves="",
        step=0,
        marks="",
        created_at=now,
        moved_at=now,
    )
    db.session.add(hand)
    return hand, box


def _queue(player: str) -> None:
    """Of a player's requests to sit down the later ones wait here, to find what the one before has left.

    Refusal ``unknown-player`` for one of another time: who came after the backup that was restored.
    """
    if db.session.execute(_QUEUE, {"player": player}).one_or_none() is None:
        raise Refusal("unknown-player")


def _is_idle(hand: Hand, table: str, boxes: SealedSeeds) -> bool:
    """Whether an open hand may make way: it was never dealt, so nothing is at stake, and it cannot be dealt any more
    because the cookie has lost its box or no key opens its shoe, or another table is wanted.
    """
    if hand.status != "ready":
        return False
    deck = seed_owner(hand)
    return hand.variant != table or (deck.key not in boxes if deck.sealed_seed is None else is_unreadable(deck))
