"""One purse, one seat: whoever sits down at a table gets up from any other. Chips that lie at one are not at another,
and a purse that is empty because of that is not filled anew.
"""

from sqlalchemy import select

from webapp.extensions import db
from webapp.models import CardTable, Player, TableSeat
from webapp.services.refusal import Refusal
from webapp.services.tables import seating, ticking


def table_of(player: str | None) -> str | None:
    """Code of the table at which a player sits."""
    mine = select(TableSeat.table_code).where(TableSeat.player_id == player).limit(1)
    return db.session.scalar(mine) if player else None


def get_up(player: str, table: CardTable, now: int) -> tuple[CardTable, ...]:
    """Leave the seats of this player at all tables but this one; these tables. Inside the caller's transaction.

    Refusal ``seated-elsewhere`` with the code of a table where their chips lie in a round.
    """
    # one after another, if they sit down at two tables at once; what only refers to the player need not wait
    db.session.execute(select(Player.id).where(Player.id == player).with_for_update(key_share=True))
    codes = select(TableSeat.table_code).where(TableSeat.player_id == player, TableSeat.table_code != table.code)
    tables = select(CardTable).where(CardTable.code.in_(codes)).order_by(CardTable.code).with_for_update()
    left = tuple(db.session.scalars(tables))
    for other in left:
        ticking.catch_up(other, now)
        for seat in [seat for seat in other.seats if seat.player_id == player]:
            seating.leave(other, seat, now)
            if seat in other.seats:
                raise Refusal("seated-elsewhere", other.code)
    return left
