"""Playing the deal of a finished hand again: for practice, from the same packs and the same cut."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import IntegrityError

from webapp.engine.shuffling import is_word
from webapp.extensions import db
from webapp.models import AGAIN, DAILY, FIRST, DailyDeal, Hand, PracticeHand, TableRound
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import writing
from webapp.services.deals import practice_play
from webapp.services.records.stored_practice import Source, is_open_to, is_practice_key, seed_of
from webapp.services.solo.move_requests import Chosen
from webapp.services.solo.view.board import Board

_OPEN: Final = (
    select(PracticeHand)
    .where(PracticeHand.player_id == bindparam("player"), PracticeHand.game == bindparam("game"))
    .where(PracticeHand.status == "live", PracticeHand.kind != DAILY)
)
_FIRST_TRY: Final = select(PracticeHand.key).where(
    PracticeHand.player_id == bindparam("player"), PracticeHand.of_key == bindparam("hand"), PracticeHand.kind == FIRST
)


@dataclass(frozen=True, slots=True)
class Begun:
    """A practice hand, and whether it was begun just now."""

    board: Board
    is_new: bool


def play_again(player: str, key: str, chosen: Chosen | None = None) -> Begun:
    """Return a practice hand with the cards of a finished one: a new one, or the one that is open.

    ``chosen``: preferences that decide if cards that pay are marked.

    Raises:
        Refusal: ``hand-not-found``; ``practice-shared``: it is a round of a shared table; ``practice-sealed``: its
            shoe is still in use, and more of its cards would be seen.
    """
    try:
        with writing():
            return _begun(player, key, chosen)
    except IntegrityError:  # another request of the same player has inserted it since we looked
        with writing():
            return _begun(player, key, chosen)


def require_deal(key: str) -> None:
    """Refuse a hand that no new player could play again.

    Raises:
        Refusal: As ``play_again`` does.
    """
    source, _, _ = _deal_of("", key)
    seed_of(source)


def _begun(player: str, key: str, chosen: Chosen | None) -> Begun:
    practice_play.queue(player)
    source, number, like = _deal_of(player, key)
    seed_of(source)
    found = db.session.scalars(_OPEN, {"player": player, "game": like.game}).one_or_none()
    if found is not None:
        if (found.of_key or found.daily_key, found.number) == (source.key, number):
            return Begun(practice_play.board_of(found, practice_play.state_of(found)), is_new=False)
        _leave(found)
    row = PracticeHand(
        player_id=player,
        kind=_kind(player, source),
        of_key=source.key if isinstance(source, Hand) else None,
        daily_key=source.key if isinstance(source, DailyDeal) else None,
        number=number,
        game=like.game,
        variant=like.variant,
        offset=like.offset,
        cut=like.cut,
        stakes=like.stakes,
    )
    return Begun(practice_play.deal(row, source, chosen), is_new=True)


def _deal_of(player: str, key: str) -> tuple[Source, int, Hand | PracticeHand]:
    """Return what has the cards of a finished hand, the number of its round, and a row with its table and stakes."""
    if not is_word(key):
        raise Refusal("hand-not-found")
    if not is_practice_key(key):
        return _hand(key), 1, _hand(key)
    row = db.session.get(PracticeHand, key)
    if row is None or not is_open_to(row, player):
        raise Refusal("hand-not-found")
    if row.of_key:
        return _hand(row.of_key), 1, _hand(row.of_key)
    source = db.session.get_one(DailyDeal, row.daily_key)
    if source.revealed_seed is None:
        raise Refusal("practice-today", key)
    return source, row.number, row


def _hand(key: str) -> Hand:
    hand = db.session.get(Hand, key)
    if hand is not None and hand.finished_at is not None and hand.cut is not None:
        return hand
    round = db.session.get(TableRound, key)
    shared = round is not None and round.finished_at is not None and round.dealt
    raise Refusal("practice-shared" if shared else "hand-not-found", key)


def _kind(player: str, source: Source) -> str:
    """Return the kind of a try: FIRST, which counts among those of others, if the player has not played these cards."""
    if isinstance(source, DailyDeal) or source.player_id == player:
        return AGAIN
    known = db.session.scalars(_FIRST_TRY, {"player": player, "hand": source.key}).first()
    return FIRST if known is None else AGAIN


def _leave(row: PracticeHand) -> None:
    """End an open practice hand for another: one of a game is open at a time."""
    now = now_ms()
    left = update(PracticeHand).where(PracticeHand.key == row.key, PracticeHand.status == "live")
    db.session.execute(left.values(status="forfeited", finished_at=now, moved_at=now))
    db.session.flush()
