"""Playing the deal of a finished hand or of a past day for practice, from the same packs and the same cut."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import IntegrityError

from webapp.engine.shuffling import SILENT, is_word
from webapp.extensions import db
from webapp.models import AGAIN, DAILY, FIRST, DailyDeal, Hand, PracticeHand, TableRound
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import writing
from webapp.services.deals import practice_play
from webapp.services.deals.daily_games import TABLES
from webapp.services.deals.day_view import deals_of
from webapp.services.deals.practice_play import Begun
from webapp.services.records.stored_hand import join_numbers
from webapp.services.records.stored_practice import Source, is_open_to, is_practice_key, seed_of
from webapp.services.solo.move_requests import Chosen

_OPEN: Final = (
    select(PracticeHand)
    .where(PracticeHand.player_id == bindparam("player"), PracticeHand.game == bindparam("game"))
    .where(PracticeHand.status == "live", PracticeHand.kind != DAILY)
)
_FIRST_TRY: Final = select(PracticeHand.key).where(
    PracticeHand.player_id == bindparam("player"), PracticeHand.of_key == bindparam("hand"), PracticeHand.kind == FIRST
)
_ROUND: Final = (
    select(PracticeHand.key)
    .where(PracticeHand.player_id == bindparam("player"), PracticeHand.daily_key == bindparam("deal"))
    .where(PracticeHand.number == bindparam("number"))
    .limit(1)
)
_Deal = tuple[Source, int, Hand | PracticeHand]
"""What has the cards of a hand, the number of its round, and a row with its table, its stakes and where it begins."""


def play_again(player: str, key: str, chosen: Chosen | None = None) -> Begun:
    """Return a practice hand with the cards of a finished one: a new one, or the one that is open.

    ``chosen``: preferences that decide if cards that pay are marked.

    Raises:
        Refusal: ``hand-not-found``; ``practice-shared``: it is a round of a shared table; ``practice-sealed``: its
            shoe is still in use, and more of its cards would be seen.
    """
    return _begun(player, lambda: _deal_of(player, key), chosen)


def play_day(player: str, day: str, code: str, after: str = "", chosen: Chosen | None = None) -> Begun:
    """Return a practice hand with the cards of a past day: a new one, or the one that is open.

    Args:
        after: Key of the player's finished round, whose next one is dealt from the same shoe; without it the first.
        chosen: As for ``play_again``.

    Raises:
        Refusal: As ``require_day`` does; ``hand-not-found``: there is no such round, or it was the last.
    """
    return _begun(player, lambda: _round_of_day(player, day, code, after), chosen)


def require_day(day: str, code: str) -> DailyDeal:
    """Return a past day's deal of a game, whose seed is no secret any more.

    Raises:
        Refusal: ``unknown-game``; ``daily-unknown``: there was none, or its day has not begun;
            ``practice-today``: others can still play it.
    """
    if code not in TABLES:
        raise Refusal("unknown-game", code)
    deal = next((deal for deal in deals_of(day) if deal.game == code), None)
    if deal is None:
        raise Refusal("daily-unknown", day)
    if deal.revealed_seed is None:
        raise Refusal("practice-today", deal.key)
    return deal


def require_deal(key: str) -> None:
    """Refuse a hand that no new player could play again.

    Raises:
        Refusal: As ``play_again`` does.
    """
    source, _, _ = _deal_of("", key)
    seed_of(source)


def _begun(player: str, deal: Callable[[], _Deal], chosen: Chosen | None) -> Begun:
    try:
        with writing():
            return _dealt(player, deal, chosen)
    except IntegrityError:  # another request of the same player has inserted it since we looked
        with writing():
            return _dealt(player, deal, chosen)


def _dealt(player: str, deal: Callable[[], _Deal], chosen: Chosen | None) -> Begun:
    practice_play.queue(player)
    source, number, like = deal()
    seed_of(source)
    found = db.session.scalars(_OPEN, {"player": player, "game": like.game}).one_or_none()
    if found is not None:
        if (found.of_key or found.daily_key, found.number, found.offset) == (source.key, number, like.offset):
            return Begun(practice_play.board_of(found, practice_play.state_of(found)), is_new=False)
        _leave(found)
    row = PracticeHand(
        player_id=player,
        kind=_kind(player, source, number),
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


def _round_of_day(player: str, day: str, code: str, after: str) -> _Deal:
    deal, number, offset = require_day(day, code), 1, 0
    if after:
        before = db.session.get(PracticeHand, after) if is_word(after) else None
        is_own = before is not None and (before.player_id, before.daily_key) == (player, deal.key)
        if before is None or not is_own or before.status != "done" or before.number >= TABLES[code].rounds:
            raise Refusal("hand-not-found")
        number, offset = before.number + 1, practice_play.end_of(before)
    stakes = join_numbers(TABLES[code].stakes)
    return deal, number, PracticeHand(game=code, variant=deal.variant, offset=offset, cut=SILENT, stakes=stakes)


def _deal_of(player: str, key: str) -> _Deal:
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


def _kind(player: str, source: Source, number: int) -> str:
    """Return the kind of a try: FIRST, which counts among those of others, if the player has not played these cards.

    Nothing counts the tries at a daily deal after its day.
    """
    if isinstance(source, Hand) and source.player_id == player:
        return AGAIN
    if isinstance(source, DailyDeal):
        known = db.session.scalars(_ROUND, {"player": player, "deal": source.key, "number": number}).first()
    else:
        known = db.session.scalars(_FIRST_TRY, {"player": player, "hand": source.key}).first()
    return FIRST if known is None else AGAIN


def _leave(row: PracticeHand) -> None:
    """End an open practice hand for another: one of a game is open at a time."""
    now = now_ms()
    left = update(PracticeHand).where(PracticeHand.key == row.key, PracticeHand.status == "live")
    db.session.execute(left.values(status="forfeited", finished_at=now, moved_at=now))
    db.session.flush()
