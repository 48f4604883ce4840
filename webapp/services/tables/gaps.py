"""Gaps: times in which the site was down, or over which its clock has jumped. Nobody at a table loses by them."""

from typing import Final

import structlog
from flask import current_app
from sqlalchemy import func, select, update

from webapp.models import SharedTable, TableSeat
from webapp.services.core.clock import now_ms
from webapp.services.core.database import one_at_a_time, retried, writing
from webapp.services.tables.versions import hub

log = structlog.get_logger()

GAP: Final = 5_000
"""Milliseconds without a sign of life that count as a gap. Seated players send one every four seconds."""


class LastLook:
    """When this process last looked at its clock; None if it has no timer."""

    def __init__(self) -> None:
        self.at: int | None = None


def look() -> None:
    """Give all tables their time back if this process was just started, stood still, or the time of day was set."""
    last, now = _last_look(), now_ms()
    if last.at is None or abs(now - last.at) > GAP:
        give_time_back(now)
    last.at = now


def look_before_command() -> None:
    """Do the same for a command that comes before the timer notices. To be called before any lock is held."""
    if _last_look().at is not None:
        look()


def give_time_back(now: int) -> None:
    """Start all running clocks anew, and count absence from now on, if there is no sign of life of now at any table.

    There is one afterwards, so that of several processes that are started together one does this.
    """
    for code, version in retried(lambda: _start_clocks_anew(now)):
        hub().moved(code, version)


def _last_look() -> LastLook:
    last: LastLook = current_app.extensions["last_look"]
    return last


def _start_clocks_anew(now: int) -> list[tuple[str, int]]:
    with writing() as session:
        one_at_a_time("give time back")
        heard_at = session.scalar(select(func.max(TableSeat.seen_at)).where(~TableSeat.bot)) or 0
        latest = max(heard_at, session.scalar(select(func.max(SharedTable.clock_from))) or 0)
        if latest == 0 or abs(now - latest) <= GAP:
            return []
        clocks = (
            update(SharedTable)
            .where(SharedTable.deadline.is_not(None))
            .values(
                deadline=now + SharedTable.deadline - SharedTable.clock_from,
                clock_from=now,
                version=SharedTable.version + 1,
            )
            .returning(SharedTable.code, SharedTable.version)
        )
        not_synchronized = {"synchronize_session": False}
        moved = [(row[0], row[1]) for row in session.execute(clocks, execution_options=not_synchronized)]
        session.execute(update(TableSeat).values(seen_at=now), execution_options=not_synchronized)
        for code, version in moved:
            hub().prepare(code, version)
    log.warning("clocks of tables started anew", tables=len(moved), seconds=(now - latest) // 1000)
    return moved
