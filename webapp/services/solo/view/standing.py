"""What a player has in a game: the chips of the purse, and the last hands."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, bindparam, select

from webapp.engine.bets import Bets
from webapp.extensions import db
from webapp.models import IS_PUBLIC, Purse
from webapp.services.records.lists.summary import FACTS, HANDS, Summary, summary_of, with_shoes
from webapp.services.records.stored_hand import parse_numbers

RECENT: Final = 5
"""Hands that are shown beside the board."""
_PURSES: Final = Purse.metadata.tables["purse"]
_P: Final = _PURSES.c
_H: Final = HANDS.c
_LAST: Final = (_H.player_id == _P.player_id) & (_H.game == _P.game) & (_H.seq > _P.hands - 2 * RECENT) & IS_PUBLIC
# put together once: building a statement takes as long as running it
_PURSE: Final = select(_P.balance, _P.best, _P.peak, _P.runs, _P.last_stakes, _P.hands).where(
    _P.player_id == bindparam("player"), _P.game == bindparam("game")
)
_PURSE_AND_LAST: Final = (
    _PURSE.add_columns(*FACTS)
    .select_from(with_shoes(_PURSES.outerjoin(HANDS, _LAST)))
    .order_by(_H.seq.desc())
    .limit(RECENT)
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's chips in a game: now, the most one hand ever paid, the most there ever were, and in how many runs.

    ``hands``: how many the player has begun, not counting those without chips.
    """

    purse: int = 0
    best: int = 0
    peak: int = 0
    runs: int = 0
    last_stakes: tuple[int, ...] = ()
    hands: int = 0


def standing_of(player: str | None, game: str, bets: Bets | None) -> Standing:
    """Return the chips of a player in a game; before the first hand those of a full purse."""
    purse = db.session.execute(_PURSE, {"player": player, "game": game}).one_or_none() if player else None
    return _standing(purse, bets)


def standing_and_last_hands(player: str | None, game: str, bets: Bets | None) -> tuple[Standing, tuple[Summary, ...]]:
    """Return the same, and the last hands, by one query."""
    rows = db.session.execute(_PURSE_AND_LAST, {"player": player, "game": game}).all() if player else ()
    if not rows or (bets and not rows[0].runs):
        return _standing(None, bets), ()
    return _standing(rows[0], bets), tuple(summary_of(row) for row in rows if row.key is not None)


def _standing(purse: Row[*tuple[Any, ...]] | None, bets: Bets | None) -> Standing:
    if purse is None or (bets and not purse.runs):
        return Standing(purse=bets.start if bets else 0, hands=purse.hands if purse else 0)
    return Standing(purse.balance, purse.best, purse.peak, purse.runs, parse_numbers(purse.last_stakes), purse.hands)
