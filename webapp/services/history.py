"""What a player has played: careers, and the list of hands, newest first."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, func, literal, select, tuple_

from webapp.extensions import db
from webapp.models import Hand, Player, Purse
from webapp.services.finished import Summary, summary_of

PAGE: Final = 20


@dataclass(frozen=True, slots=True)
class Career:
    """A player's numbers in one game. ``outcomes``: how often each kind of hand was made, most frequent first."""

    game: str
    hands: int
    total: int
    best: int
    outcomes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """``before`` is the key after which the next page begins, None on the last one."""

    hands: tuple[Summary, ...]
    before: str | None


def name_of(player: str | None) -> str:
    row = db.session.get(Player, player) if player else None
    return row.name if row else ""


def latest(player: str | None, most: int) -> tuple[Summary, ...]:
    """The last finished hands of all games."""
    return _finished(player, most)


def page(player: str | None, before: str | None = None) -> Page:
    """A page of finished hands: the latest, or those that ended before the hand with the key ``before``."""
    hands = _finished(player, PAGE + 1, before)
    return Page(hands[:PAGE], hands[PAGE - 1].key if len(hands) > PAGE else None)


def careers(player: str | None) -> tuple[Career, ...]:
    """One a game the player has sat down to."""
    if player is None:
        return ()
    counted = db.session.execute(
        select(Hand.game, Hand.outcome, func.count())
        .where(Hand.player_id == player, Hand.reveal.is_not(None))
        .group_by(Hand.game, Hand.outcome)
        .order_by(func.count().desc(), Hand.outcome)
    ).all()
    purses = db.session.scalars(select(Purse).where(Purse.player_id == player).order_by(Purse.game))
    return tuple(
        Career(
            purse.game,
            sum(count for game, _, count in counted if game == purse.game),
            purse.balance,
            purse.best,
            tuple((outcome, count) for game, outcome, count in counted if game == purse.game and outcome),
        )
        for purse in purses
    )


def _finished(player: str | None, most: int, before: str | None = None) -> tuple[Summary, ...]:
    if player is None:
        return ()
    chosen: list[ColumnElement[bool]] = [Hand.player_id == player, Hand.reveal.is_not(None)]
    last = db.session.get(Hand, before) if before else None
    if last is not None:
        chosen.append(tuple_(Hand.finished_at, Hand.key) < tuple_(literal(last.finished_at), literal(last.key)))
    newest = select(Hand).where(*chosen).order_by(Hand.finished_at.desc(), Hand.key.desc()).limit(most)
    return tuple(summary_of(hand) for hand in db.session.scalars(newest))
