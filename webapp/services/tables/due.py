"""What is due at shared tables: clocks that have run out, silent players, and heartbeats that are not written yet.

The timer calls these functions in each process. A table is changed under its lock, by whichever process gets it first.
"""

from typing import Final

import structlog
from flask import current_app
from sqlalchemy import or_, select
from sqlalchemy.exc import SQLAlchemyError

from webapp.engine.errors import EngineError
from webapp.engine.games import COMPANY
from webapp.engine.games.table21.rules import RANGES
from webapp.extensions import db
from webapp.models import SharedTable, TableSeat
from webapp.services.core import clock
from webapp.services.core.clock import now_ms
from webapp.services.tables import presence
from webapp.services.tables.absence import KEEP_A_SEAT
from webapp.services.tables.loading import catch_up

log = structlog.get_logger()

AT_ONCE: Final = 200
"""Tables that one round of the timer brings up to date."""
SILENT: Final = 5_000
"""Seats that are looked at for silent players, those first that are silent for longest."""
PUT_OFF: Final = 5_000
"""Milliseconds after which a table that could not be brought up to date is tried again."""
SHORTEST_PATIENCE: Final = 1000 * RANGES["absent_after"].start
"""Milliseconds of silence after which, under the shortest limit of any rules, a player is away."""


class PutOff(dict[str, int]):
    """Tables that could not be brought up to date, and the time by the stopwatch before which they are left alone."""


def meet_clocks() -> None:
    """Do what is due at the tables whose clock has run out."""
    overdue = select(SharedTable.code).where(SharedTable.deadline <= now_ms()).order_by(SharedTable.deadline)
    _catch_up_all(*db.session.scalars(overdue.limit(AT_ONCE)).all())


def write_heartbeats() -> None:
    """Write the heartbeats that this process has collected. Who was away and has come back is there again."""
    for code, holder in presence.write_down():
        catch_up(code, holder)


def mark_absent() -> None:
    """Mark players who have been silent for too long as away, and free the seats of those long away.

    On a full site most players have no heartbeat for some seconds, so tables are chosen without being loaded.
    """
    now = now_ms()
    silent = (
        select(SharedTable.code, SharedTable.variant, TableSeat.away, TableSeat.seen_at)
        .join(TableSeat, (TableSeat.table_code == SharedTable.code) & ~TableSeat.bot)
        .where(SharedTable.phase != "closed", TableSeat.seen_at < now - SHORTEST_PATIENCE)
        .where(or_(~TableSeat.away, SharedTable.phase == "waiting"))
        .order_by(TableSeat.seen_at)
        .limit(SILENT)
    )
    found = db.session.execute(silent).all()
    late = (code for code, variant, away, seen_at in found if seen_at < now - _patience(variant, away))
    _catch_up_all(*list(dict.fromkeys(late))[:AT_ONCE])


def _patience(variant: str, away: bool) -> int:
    """Return the milliseconds of silence after which something is done; 0 if the rules are not understood."""
    try:
        return 1000 * COMPANY.rules(variant).absent_after + (KEEP_A_SEAT if away else 0)
    except EngineError:
        return 0


def _catch_up_all(*codes: str) -> None:
    """Bring tables up to date. One with which this fails is put off, so that it hinders no other."""
    put_off: PutOff = current_app.extensions["tables_put_off"]
    for code in codes:
        if clock.stopwatch_ms() < put_off.get(code, 0):
            continue
        is_new = code not in put_off
        put_off[code] = clock.stopwatch_ms() + PUT_OFF
        try:
            catch_up(code, None)
        except SQLAlchemyError:  # of the database, which all others need as well
            raise
        except Exception as error:  # noqa: BLE001  # of this table alone
            db.session.rollback()
            if is_new:
                log.error("table not brought up to date", error=type(error).__name__)
        else:
            del put_off[code]
