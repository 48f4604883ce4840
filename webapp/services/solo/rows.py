"""Rows of a player's hands: found by their key, and changed only if their step is still the one that was read.

A row is changed by one UPDATE of the changed columns. To flush the object instead costs four times as much, and every
move of every player would pay it.
"""

from typing import Final, TypeAlias

from sqlalchemy import Select, Update, bindparam, select, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.exc import StaleDataError
from sqlalchemy.sql.base import ExecutableOption

from webapp.engine.shuffling import is_word
from webapp.extensions import db
from webapp.models import Hand, Player, Shoe
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


_HANDS: Final = Hand.metadata.tables["hand"]
_SHOES: Final = Shoe.metadata.tables["shoe"]
_HAND: Final = update(_HANDS).where(
    _HANDS.c.key == bindparam("of"), _HANDS.c.step == bindparam("read"), _HANDS.c.finished_at.is_(None)
)
_SHOE: Final = update(_SHOES).where(_SHOES.c.key == bindparam("of"))


def update_if_unchanged(hand: Hand, **changes: object) -> None:
    """Change columns of the row and of ``hand`` at once.

    Raises:
        StaleDataError: The row has moved on, or the hand is over; nothing was changed.
    """
    _change(hand, _HAND, {"read": hand.step}, changes)


def draw_from_shoe(shoe: Shoe, **changes: object) -> None:
    """Change columns of the row and of ``shoe`` at once. The caller has locked the only open hand of the shoe.

    Raises:
        StaleDataError: There is no such row any more.
    """
    _change(shoe, _SHOE, {}, changes)


def _change(row: Hand | Shoe, statement: Update, read: dict[str, object], changes: dict[str, object]) -> None:
    done = db.session.connection().execute(statement, {"of": row.key, **read, **changes})
    if done.rowcount != 1:
        raise StaleDataError(f"{row.key} has changed")
    for name, value in changes.items():
        set_committed_value(row, name, value)
