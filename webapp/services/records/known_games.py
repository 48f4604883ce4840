"""The games that a player knows: the purse of each, and its last finished hand."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, bindparam, select

from webapp.extensions import db
from webapp.models import IS_PUBLIC, Purse
from webapp.services.records.summary import FACTS, HANDS, Summary, summary_of, with_shoes

_LATEST: Final = 5
"""Hands of a game that are looked at: the latest ones may be open, or have been given up before the deal."""

_PURSES: Final = Purse.metadata.tables["purse"]
_P: Final = _PURSES.c
_H: Final = HANDS.c
_LAST: Final = (_H.player_id == _P.player_id) & (_H.game == _P.game) & (_H.seq > _P.hands - _LATEST) & IS_PUBLIC
_KNOWN: Final = (
    select(_P.game.label("known"), _P.balance, *FACTS)
    .select_from(with_shoes(_PURSES.outerjoin(HANDS, _LAST)))
    .where(_P.player_id == bindparam("player"), _P.hands > 0)
    .order_by(_P.game, _H.seq)
)


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game of which the player has begun a hand. ``last`` is the last finished hand, None if none is recent."""

    game: str
    purse: int
    last: Summary | None


def known_games(player: str | None) -> dict[str, KnownGame]:
    """Return the games that a player knows, by their codes."""
    if player is None:
        return {}
    latest: dict[str, Row[*tuple[Any, ...]]] = {
        row.known: row for row in db.session.execute(_KNOWN, {"player": player})
    }
    return {game: KnownGame(game, row.balance, summary_of(row) if row.key else None) for game, row in latest.items()}
