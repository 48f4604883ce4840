"""Runs of a purse that are over: their highest balance, and their number of hands."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, func, select

from webapp.engine.bets import Bets
from webapp.extensions import db
from webapp.models import LedgerEntry

_ENTRIES: Final = LedgerEntry.metadata.tables["ledger_entry"]
_E: Final = _ENTRIES.c
_OF_PURSE: Final = (_E.player_id == bindparam("player"), _E.game == bindparam("of"))
_FILLED: Final = select(func.max(_E.id)).where(*_OF_PURSE, _E.reason == "run").scalar_subquery()
_RUN: Final = select(
    func.coalesce(func.max(_E.balance_after), 0).label("peak"),
    (func.count(_E.hand_key.distinct()) + func.count(_E.round_key.distinct())).label("hands"),
).where(*_OF_PURSE, _E.id >= _FILLED)


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a purse: the most that was in it, and how many hands it paid for."""

    peak: int
    hands: int


def run_over(player: str | None, game: str, bets: Bets | None, purse: int, status: str | None = None) -> Run | None:
    """Return the run of a purse that is too small for any bet; None if it is not, or while a hand of it is open.

    ``status``: status of the hand on the table, if any.
    """
    if player is None or bets is None or status in ("ready", "live") or purse >= bets.least:
        return None
    row = db.session.execute(_RUN, {"player": player, "of": game}).one()
    return Run(row.peak, row.hands)
