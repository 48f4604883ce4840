"""Private links to a player's seats when the player's sessions are ended, as anybody with a session saw them."""

from contextlib import suppress
from functools import partial

from sqlalchemy import or_, select

from webapp.extensions import db
from webapp.models import TableSeat
from webapp.services.core.clock import now_ms
from webapp.services.core.database import retried
from webapp.services.core.errors import Refusal
from webapp.services.tables import seating
from webapp.services.tables.versions import bump_version, locked, publish


def renew(player: str) -> None:
    """Replace all links that the player has seen, and let the player alone act for the player's seats.

    Done twice, it changes nothing that matters: the links are other ones again.
    """
    seats = or_(TableSeat.player_id == player, TableSeat.holder_id == player)
    codes = select(TableSeat.table_code).where(seats, ~TableSeat.bot).distinct().order_by(TableSeat.table_code)
    for code in db.session.scalars(codes).all():
        with suppress(Refusal):  # the table has gone meanwhile, and its links with it
            retried(partial(_renew, code, player))


def return_lent_seats(player: str) -> None:
    """Return the seats that the player has taken over by their links to their owners."""
    held = select(TableSeat.table_code).where(TableSeat.holder_id == player, TableSeat.player_id != player)
    for code in db.session.scalars(held.order_by(TableSeat.table_code)).all():
        with suppress(Refusal):
            retried(partial(_return_lent_seats, code, player))


def _return_lent_seats(code: str, player: str) -> None:
    with locked(code) as table:
        for seat in table.seats:
            if seat.holder_id == player and seating.seat_of(table, seat.player_id) is None:
                seat.holder_id, seat.link = seat.player_id, seating.new_link()
        bump_version(table, now_ms())
    publish(table)


def _renew(code: str, player: str) -> None:
    with locked(code) as table:
        for seat in table.seats:
            if player in (seat.player_id, seat.holder_id):
                seat.link = seating.new_link()
            if seat.player_id == player and seating.seat_of(table, player) is None:
                seat.holder_id = player
        bump_version(table, now_ms())
    publish(table)
