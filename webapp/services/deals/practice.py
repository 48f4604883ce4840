"""Playing the deal of a finished hand or of a past day for practice, from the same packs and the same cut."""

from collections.abc import Callable, Iterable
from typing import Final

from sqlalchemy import and_, bindparam, or_, select, update
from sqlalchemy.exc import IntegrityError

from webapp.engine.shuffling import is_word
from webapp.extensions import db
from webapp.models import AGAIN, FIRST, IS_OPEN_PRACTICE, PLAY, DailyDeal, Hand, TableRound
from webapp.services import players
from webapp.services.core.clock import now_ms
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.deals.daily import TABLES, round_of
from webapp.services.deals.day_view import deals_of
from webapp.services.fairness.sealing import seed_owner
from webapp.services.records.finished import Finished
from webapp.services.records.lookup import is_open_to
from webapp.services.solo.move_requests import Chosen
from webapp.services.solo.play import deal_same
from webapp.services.solo.reading import board
from webapp.services.solo.sit import Seated

_OPEN: Final = select(Hand).where(
    Hand.player_id == bindparam("player"), Hand.game == bindparam("game"), IS_OPEN_PRACTICE
)


def play_again(player: str, key: str, chosen: Chosen | None = None) -> Seated:
    """Return a practice hand with the cards of a finished one: a new one, or the one that is open.

    ``chosen``: preferences that decide if cards that pay are marked.

    Raises:
        Refusal: ``hand-not-found``; ``practice-shared``: it is a round of a shared table; ``practice-sealed``: its
            shoe is still in use, and more of its cards would be seen.
    """
    return _begun(player, lambda: _copy_of(player, key), chosen)


def play_day(player: str, day: str, code: str, after: str = "", chosen: Chosen | None = None) -> Seated:
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
    _copy_of("", key)


def has_had(player: str | None, hand: Finished) -> bool:
    """Return True if a player has had the cards of a finished hand: it is their own, or they have played its deal."""
    if player is None:
        return False
    if hand.daily:
        same = and_(Hand.daily_key == f"{hand.daily}-{hand.game.spec.code}", Hand.number == hand.number)
    else:
        deal = hand.of or hand.key
        same = or_(Hand.key == deal, Hand.of_key == deal)
    had = select(Hand.key).where(same, Hand.player_id == player, Hand.finished_at.is_not(None)).limit(1)
    return db.session.scalar(had) is not None


def own_of(player: str | None, hands: Iterable[Finished]) -> frozenset[str]:
    """Return the keys of those hands that a player has played."""
    if player is None:
        return frozenset()
    keys = [hand.key for hand in hands]
    return frozenset(db.session.scalars(select(Hand.key).where(Hand.key.in_(keys), Hand.player_id == player)))


def _begun(player: str, copy: Callable[[], Hand], chosen: Chosen | None) -> Seated:
    try:
        with writing():
            return _dealt(player, copy, chosen)
    except IntegrityError:  # another request of the same player has inserted it since we looked
        with writing():
            return _dealt(player, copy, chosen)


def _dealt(player: str, copy: Callable[[], Hand], chosen: Chosen | None) -> Seated:
    players.lock(player)
    hand = copy()
    found = db.session.scalars(_OPEN, {"player": player, "game": hand.game}).one_or_none()
    if found is not None:
        if _cards(found) == _cards(hand):
            return Seated(board(found, {}), is_new=False)
        _leave(found)
    hand.kind = _kind(hand)
    return Seated(deal_same(hand, chosen), is_new=True)


def _cards(hand: Hand) -> tuple[object, ...]:
    return hand.of_key, hand.daily_key, hand.number, hand.offset


def _round_of_day(player: str, day: str, code: str, after: str) -> Hand:
    deal = require_day(day, code)
    before = db.session.get(Hand, after) if after and is_word(after) else None
    if after:
        is_own = before is not None and (before.player_id, before.daily_key) == (player, deal.key)
        if before is None or not is_own or before.status != "done" or (before.number or 1) >= TABLES[code].rounds:
            raise Refusal("hand-not-found")
    return round_of(deal, player, before)


def _copy_of(player: str, key: str) -> Hand:
    """Return a practice hand with the cards of another hand, not stored yet."""
    like = db.session.get(Hand, key) if is_word(key) else None
    if like is None or not is_open_to(like, player):
        round = db.session.get(TableRound, key) if like is None and is_word(key) else None
        shared = round is not None and round.finished_at is not None and round.dealt
        raise Refusal("practice-shared" if shared else "hand-not-found", key)
    like = like.original or like
    if seed_owner(like).revealed_seed is None:
        raise Refusal("practice-sealed" if like.kind == PLAY else "practice-today", key)
    return Hand(
        player_id=player,
        of_key=like.key if like.kind == PLAY else None,
        daily_key=like.daily_key,
        number=like.number,
        **{name: getattr(like, name) for name in ("game", "variant", "commitment", "offset", "cut", "stakes")},
    )


def _kind(hand: Hand) -> str:
    """Return the kind of a try: FIRST, which counts among those of others, if the player has not played these cards.

    Nothing counts the tries at a daily deal after its day.
    """
    if hand.of_key and db.session.get_one(Hand, hand.of_key).player_id == hand.player_id:
        return AGAIN
    at_deal = (Hand.daily_key == hand.daily_key, Hand.number == hand.number)
    same = select(Hand.key).where(*(Hand.of_key == hand.of_key,) if hand.of_key else at_deal)
    return AGAIN if db.session.scalars(same.where(Hand.player_id == hand.player_id).limit(1)).first() else FIRST


def _leave(hand: Hand) -> None:
    """End an open practice hand for another: one of a game is open at a time."""
    now = now_ms()
    left = update(Hand).where(Hand.key == hand.key, Hand.status == "live")
    db.session.execute(left.values(status="forfeited", finished_at=now, moved_at=now))
    db.session.flush()
