"""Rows of a player's hands by their key; those of other players are not found."""

from typing import TypeAlias

from sqlalchemy import Select, bindparam, select
from sqlalchemy.sql.base import ExecutableOption

from webapp.engine.shuffling import is_word
from webapp.extensions import db
from webapp.models import Hand, Player
from webapp.services.core.errors import Refusal
from webapp.services.players import PlayerSession

Owner: TypeAlias = str | PlayerSession | None
"""Whose row it is: a player who is known to be signed in, or a session that the query checks; None finds none."""


class OwnedRows:
    """The statements for these rows, put together once: building one takes as long as running it.

    Args:
        together: What is loaded with a row, by the same query.
    """

    def __init__(self, *together: ExecutableOption) -> None:
        mine = select(Hand).options(*together)
        mine = mine.where(
            Hand.key == bindparam("key"), Hand.player_id == bindparam("player"), Hand.game == bindparam("game")
        )
        # a query less for each move. bench: server
        signed_in = mine.join(Player, Player.id == Hand.player_id).where(Player.session_number == bindparam("number"))
        self._queries: dict[tuple[bool, bool], Select[Hand]] = {
            (checks_session, lock): query.with_for_update(of=Hand) if lock else query
            for checks_session, query in ((False, mine), (True, signed_in))
            for lock in (False, True)
        }

    def find(self, owner: Owner, code: str, key: str, lock: bool = False) -> Hand:
        """Return the row of this player, in a game.

        Raises:
            Refusal: ``hand-not-found``; also if the session has ended.
        """
        asked: dict[str, object] = {"key": key, "game": code, "player": owner}
        if isinstance(owner, PlayerSession):
            asked |= {"player": owner.player, "number": owner.number}
        query = self._queries["number" in asked, lock]
        row = db.session.scalars(query, asked).one_or_none() if owner and is_word(key) else None
        if row is None:
            raise Refusal("hand-not-found")
        return row
