"""What a player has in a game: the chips of the purse, the last hands and their wins, and the runs that are over."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, bindparam, func, select

from webapp.engine.bets import Bets
from webapp.engine.game import AnyGame, View
from webapp.engine.tier import Tier, tier_with_purse
from webapp.extensions import db
from webapp.models import IS_PUBLIC, LedgerEntry, Purse
from webapp.services.records.stored_hand import parse_numbers
from webapp.services.records.summary import FACTS, HANDS, Summary, summary_of, with_shoes


def tier_of(view: View | None, bets: Bets | None, purse: int, peak: int, staked: int) -> Tier:
    """Return how great a win the last action has brought: that of the hand, or of the purse that it has filled."""
    if view is None:
        return Tier.EVEN
    if bets is None or view.result is None:
        return view.tier
    return tier_with_purse(view.tier, bets.start, purse - sum(view.result.payouts) + staked, purse, peak)


def net_of(view: View | None, bets: Bets | None, staked: int) -> int:
    """Return what a finished hand has brought: its payouts, less the chips staked on it; 0 while it is played."""
    result = view.result if view else None
    return 0 if result is None else sum(result.payouts) - (staked if bets else 0)


def is_lost(game: AnyGame, view: View | None, pays: bool, staked: int) -> bool:
    """Return whether a hand is over and brought less than was put in, or nothing."""
    result = view.result if view else None
    if result is None:
        return False
    if pays:
        return sum(result.payouts) < max(staked, 1)
    return result.labels[0].code not in game.spec.won | game.spec.drawn


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
