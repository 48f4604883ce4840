"""Links that sign another browser in as the same player: once, and within ten minutes."""

import hashlib
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select

from webapp.extensions import db
from webapp.models import PLAY, Hand, Player, Purse, SignInLink
from webapp.services import players
from webapp.services.core.clock import MINUTE, now_ms
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.players import PlayerSession
from webapp.services.tables.seating import table_of

LIFETIME: Final = 10 * MINUTE
WORD_LENGTH: Final = 22
"""Characters of a word, each one of 62."""


@dataclass(frozen=True, slots=True)
class Belongings:
    """What a browser reaches as a player. ``purses``: chips and hands begun, by game. ``in_play``: hands in play."""

    name: str
    purses: dict[str, tuple[int, int]]
    in_play: int
    is_seated: bool

    @property
    def hands(self) -> int:
        """Number of hands begun."""
        return sum(hands for _, hands in self.purses.values())


def belongings(player: str) -> Belongings:
    """Return what a player has."""
    purses = db.session.execute(
        select(Purse.game, Purse.balance, Purse.hands).where(Purse.player_id == player, Purse.hands > 0)
    )
    in_play = select(Hand.key).where(Hand.player_id == player, Hand.kind == PLAY, Hand.status == "live")
    return Belongings(
        players.player_name(player),
        {game: (balance, hands) for game, balance, hands in purses},
        len(db.session.scalars(in_play).all()),
        table_of(player) is not None,
    )


def make(session: PlayerSession, preferences: str) -> tuple[str, int]:
    """Return the word of a new link and the time at which it expires. The player's earlier link is void.

    ``preferences``: those of the browser, which go along.

    Raises:
        Refusal: ``unknown-player``.
    """
    word, expires_at = new_key(WORD_LENGTH), now_ms() + LIFETIME
    with writing() as database:
        players.lock(session.player)
        database.merge(
            SignInLink(
                player_id=session.player,
                word_hash=_hash(word),
                session_number=session.number,
                preferences=preferences,
                expires_at=expires_at,
                used_by=None,
            )
        )
    return word, expires_at


def find(word: str, player: str | None) -> SignInLink:
    """Return the link with this word, which can still be used; or that was made by this player, and used perhaps.

    Raises:
        Refusal: ``link-over``, ``link-used``.
    """
    return _usable(word, player=player)


def use(word: str, once: str, player: str | None) -> SignInLink:
    """Use a link, and return it. The same form may be sent again with its random word: an answer may get lost.

    The player who made it does not use it up.

    Raises:
        Refusal: ``link-over``, ``link-used``.
    """
    used_by = _hash(once or new_key(WORD_LENGTH))
    with writing():
        link = _usable(word, used_by, player)
        if link.player_id != player:
            link.used_by = used_by
    return link


def _usable(word: str, used_by: str = "", player: str | None = None) -> SignInLink:
    row = db.session.execute(
        select(SignInLink, Player.session_number)
        .join(Player, Player.id == SignInLink.player_id)
        .where(SignInLink.word_hash == _hash(word))
        .with_for_update(of=SignInLink)
    ).one_or_none()
    if row is None:
        raise Refusal("link-over")
    link: SignInLink = row[0]
    if now_ms() > link.expires_at or link.session_number != row[1]:
        raise Refusal("link-over")
    if link.used_by not in (None, used_by) and link.player_id != player:
        raise Refusal("link-used")
    return link


def delete_expired(now: int) -> None:
    """Delete the links that cannot be used any more."""
    with writing() as session:
        session.execute(delete(SignInLink).where(SignInLink.expires_at < now))


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()
