"""Rows of hands that belong to a player, found by their key; a hand of anybody else is none at all."""

from typing import Generic, TypeVar

from sqlalchemy import Select, bindparam, select
from sqlalchemy.sql.base import ExecutableOption

from webapp.engine.shuffling import is_word
from webapp.extensions import db
from webapp.models import Hand, PracticeHand
from webapp.services.core.errors import Refusal

H = TypeVar("H", Hand, PracticeHand)


class OwnedRows(Generic[H]):
    """The rows of a model. The statements are put together once: building one takes as long as running it.

    Args:
        model: The model.
        together: What is loaded with a row, by the same query.
    """

    def __init__(self, model: type[H], *together: ExecutableOption) -> None:
        self._query: Select[H] = (
            select(model)
            .where(
                model.key == bindparam("key"), model.player_id == bindparam("player"), model.game == bindparam("game")
            )
            .options(*together)
        )
        self._locked: Select[H] = self._query.with_for_update(of=model)

    def find(self, player: str | None, code: str, key: str, lock: bool = False) -> H:
        """Return the row of this player, in a game.

        Raises:
            Refusal: ``hand-not-found``.
        """
        asked = {"key": key, "player": player, "game": code}
        query = self._locked if lock else self._query
        row: H | None = db.session.scalars(query, asked).one_or_none() if player and is_word(key) else None
        if row is None:
            raise Refusal("hand-not-found")
        return row
