"""One purse, one seat: whoever sits down at a table gets up from any other. Chips that lie at one are not at another,
and a purse that is empty because of that is not filled anew.
"""

import structlog
from sqlalchemy import select

from webapp.extensions import db
from webapp.models import Player, SharedTable, TableSeat
from webapp.services.core.errors import Refusal
from webapp.services.tables import rounds, seating, timeouts

log = structlog.get_logger()


def table_of(player: str | None) -> str | None:
    """Code of the table at which a player sits."""
    mine = select(TableSeat.table_code).where(TableSeat.player_id == player).limit(1)
    return db.session.scalar(mine) if player else None


def get_up(player: str, table: SharedTable, now: int) -> tuple[SharedTable, ...]:
    """Leave the seats of this player at all tables but this one; these tables. Inside the caller's transaction.

    Refusal ``seated-elsewhere`` with the code of a table where their chips lie in a round.
    """
    # one after another, if they sit down at two tables at once; what only refers to the player need not wait
    db.session.execute(select(Player.id).where(Player.id == player).with_for_update(key_share=True))
    codes = select(TableSeat.table_code).where(TableSeat.player_id == player, TableSeat.table_code != table.code)
    tables = select(SharedTable).where(SharedTable.code.in_(codes)).order_by(SharedTable.code).with_for_update()
    left = tuple(db.session.scalars(tables))
    for other in left:
        if rounds.can_be_read(other):
            timeouts.catch_up(other, now)
        else:  # one can get up from it all the same, if no chips lie there
            log.warning("table cannot be read", table=other.code)
        for seat in [seat for seat in other.seats if seat.player_id == player]:
            seating.leave(other, seat, now)
            if seat in other.seats:
                raise Refusal("seated-elsewhere", other.code)
    return left
