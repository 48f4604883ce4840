"""Players: created by their first action, and identified by the signed cookie alone."""

import base64
import hashlib
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select, update

from webapp.extensions import db
from webapp.models import Hand, Player
from webapp.services.core.clock import MINUTE, now_ms
from webapp.services.core.database import one_at_a_time, writing
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key

_NUMBERS: Final = 2**30
"""Numbers of sessions that are chosen from, few enough for a column of 32 bits with some to count up."""
_PLAYERS: Final = Player.metadata.tables["player"]
_SESSION: Final = select(_PLAYERS.c.session_number).where(_PLAYERS.c.id == bindparam("player"))
"""Of the table: every request asks, and what asks the model takes twice as long. bench: server"""
_SESSIONS: Final = select(Player.id, Player.session_number).where(Player.id.in_(bindparam("players", expanding=True)))
_ENDED: Final = (
    update(Player)
    .where(Player.id == bindparam("of"))
    .values(session_number=Player.session_number + 1)
    .returning(Player.session_number)
)
_REPLACED: Final = (
    update(Player)
    .where(Player.id == bindparam("of"), Player.session_number == bindparam("before"))
    .values(session_number=bindparam("after"))
)
_LOCKED: Final = select(Player.id).where(Player.id == bindparam("player")).with_for_update(key_share=True)


class PlayerSession(NamedTuple):
    """A session of a player, as a cookie names it. It has ended if the player's number is another one by now."""

    player: str
    number: int


def new_player(word: str = "") -> str:
    """Make a player and return the id.

    word: random word that only the browser knows. For a minute it leads to the same player: tabs of a new browser that
    begin at once have no cookie yet, and the answers to all of them bring one.
    """
    now, key = now_ms(), new_key(16)
    with writing() as session:
        if word:
            one_at_a_time(f"newcomer {word}")
            key = _key_of(word)
            known = session.get(Player, key)
            if known is not None:
                if known.session_number == 0 and abs(now - known.created_at) < MINUTE:
                    return key
                key = new_key(16)
        session.add(Player(id=key, name="", created_at=now))
    return key


def _key_of(word: str) -> str:
    digest = hashlib.sha256(f"tefuda newcomer {word}".encode()).digest()
    return base64.urlsafe_b64encode(digest)[:16].decode()


def lock(player: str) -> None:
    """Lock the player within ``writing``, so that of several requests each finds what the one before has left.

    Raises:
        Refusal: ``unknown-player``: the player came after the backup that was restored since.
    """
    if db.session.execute(_LOCKED, {"player": player}).one_or_none() is None:
        raise Refusal("unknown-player")


def is_known(player: str) -> bool:
    """Return False for a player who came after the backup that was restored since."""
    return db.session.get(Player, player) is not None


def session_number(player: str) -> int | None:
    """Return the number that a cookie must name to be this player's, None for a player that is not known."""
    return db.session.scalars(_SESSION, {"player": player}).one_or_none()


def session_numbers(known: Collection[str]) -> Mapping[str, int]:
    """Return the same of several players."""
    rows = db.session.execute(_SESSIONS, {"players": list(known)}) if known else ()
    return {row.id: row.session_number for row in rows}


def end_sessions(player: str) -> int:
    """Invalidate all cookies of a player, and return the session number for the next one.

    Raises:
        Refusal: ``unknown-player``.
    """
    with writing() as session:
        number = session.scalars(_ENDED, {"of": player}).one_or_none()
        if number is None:
            raise Refusal("unknown-player")
    return number


def end_other_sessions(player: str, number: int, once: str) -> int | None:
    """Invalidate all cookies of a player except the one of this response, and return its session number.

    The request may be repeated with the same number and word, and returns the same number: the first response may have
    been lost, and the browser then still has a cookie that is invalid by now. A copy of that cookie is of no use, since
    its holder does not know the word.

    Args:
        player: The id of the player.
        number: Session number in the cookie.
        once: Random word of the form; without it the request cannot be repeated.

    Returns:
        None if the cookie was invalid before this request.
    """
    word = f"{player}:{number}:{once or new_key(22)}"
    after = 1 + int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % _NUMBERS
    with writing() as session:
        session.execute(_REPLACED, {"of": player, "before": number, "after": after})
    return after if session_number(player) == after else None


def player_of(word: str) -> str:
    """Return the player with this id, or of the solo hand with this key.

    Raises:
        Refusal: ``unknown-player``.
    """
    player = db.session.scalar(select(Player.id).where(Player.id == word)) or db.session.scalar(
        select(Hand.player_id).where(Hand.key == word)
    )
    if player is None:
        raise Refusal("unknown-player")
    return player


def player_name(player: str | None) -> str:
    """Return the name of a player, empty if there is none."""
    row = db.session.get(Player, player) if player else None
    return row.name if row else ""


def rename(player: str, name: str) -> bool:
    """Change the name of a player. Return True if it was another one.

    Raises:
        Refusal: ``unknown-player``.
    """
    with writing() as session:
        row = session.get(Player, player)
        if row is None:
            raise Refusal("unknown-player")
        changed = row.name != name
        row.name = name
    return changed
