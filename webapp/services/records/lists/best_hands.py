"""The finished hands of a player that paid most."""

from typing import Final

from sqlalchemy import bindparam, select

from webapp.extensions import db
from webapp.models import LedgerEntry
from webapp.services.records.lists.summary import FACTS, HANDS, Summary, summary_of, with_shoes

BEST: Final = 3
LOOKED_AT: Final = 3000
"""Latest entries of a purse's ledger among which the best are looked for: a page does not grow slow with its player."""

_L: Final = LedgerEntry.metadata.tables["ledger_entry"].c
_LATEST: Final = (
    select(_L.id, _L.hand_key, _L.amount, _L.reason)
    .where(_L.player_id == bindparam("player"), _L.game == bindparam("game"))
    .order_by(_L.id.desc())
    .limit(LOOKED_AT)
    .subquery()
)
_BEST: Final = (
    select(_LATEST.c.hand_key, _LATEST.c.amount)
    .where(_LATEST.c.reason == "payout", _LATEST.c.amount > 0, _LATEST.c.hand_key.is_not(None))
    .order_by(_LATEST.c.amount.desc(), _LATEST.c.id)
    .limit(BEST)
)
_HANDS: Final = select(*FACTS).select_from(with_shoes(HANDS)).where(HANDS.c.key.in_(bindparam("keys", expanding=True)))


def best_hands(player: str | None, game: str) -> tuple[Summary, ...]:
    """Return the hands of a game that paid this player most, the best first."""
    paid = {row.hand_key: row.amount for row in db.session.execute(_BEST, {"player": player, "game": game})}
    if not paid:
        return ()
    hands = db.session.execute(_HANDS, {"keys": list(paid)}).all()
    public = (summary_of(hand) for hand in hands if hand.cut is not None and hand.finished_at is not None)
    readable = (hand for hand in public if hand.cards)  # a hand of a shoe that no key opens shows none
    return tuple(sorted(readable, key=lambda hand: -paid[hand.key]))
