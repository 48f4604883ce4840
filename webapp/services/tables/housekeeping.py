"""Housekeeping: a thread of each serving process that beats for the site, and does what is due at its tables.

Streams and requests do what is due at their own tables, to the moment. This thread comes every few seconds to those
that nobody asks for, so that neither absence nor a deadline waits for a visitor.
"""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Event, Lock, Thread
from typing import Final

import structlog
from sqlalchemy import and_, or_, select
from sqlalchemy.exc import SQLAlchemyError

from webapp.engine.games.table21.rules import RANGES
from webapp.extensions import db
from webapp.models import SharedTable, TableSeat
from webapp.services.core import clock, context
from webapp.services.tables import loading
from webapp.services.tables.live import listening, presence

log = structlog.get_logger()

AT_ONCE: Final = 200
"""Tables for which one round of housekeeping looks."""
SHORTEST_PATIENCE: Final = 1000 * RANGES["absent_after"].start
"""Milliseconds without a heartbeat before which a player is not away by any rules."""


class Broken(set[str]):
    """Codes of tables with which housekeeping has failed in this process."""


class Housekeeping:
    """The housekeeping of one process.

    Args:
        open_context: Opens a context of the app.
    """

    def __init__(self, open_context: Callable[[], AbstractContextManager[object]]) -> None:
        self._open_context = open_context
        self._lock = Lock()
        self._process = 0
        self._stopped = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Start the thread, unless it runs. The first beat is over on return: no request comes before it."""
        if self._process == os.getpid():
            return
        with self._lock:
            if self._process == os.getpid():
                return
            self._process = os.getpid()
            self._stopped = Event()
            self._once()
            self._thread = Thread(target=self._run, name="tables-housekeeping", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        self._process = 0

    def _run(self) -> None:
        while not self._stopped.wait(listening.BEAT / 1000):
            self._once()

    def _once(self) -> None:
        with self._open_context():
            try:
                keep_house()
            except Exception as error:  # noqa: BLE001  # a thread that ended would be missed only much later
                log.warning("no housekeeping", error=type(error).__name__)
            finally:
                db.session.remove()


def keep_house() -> None:
    """Synchronize the clock, beat, write heartbeats down, and do what is due at tables that nobody asks for."""
    step = clock.clock().synchronize(db.engine)
    if step:
        log.warning("the time of day was set", seconds=step // 1000)
    now = clock.now_ms()
    listening.beat(now)
    presence.write_down()
    do_what_is_due(now)


def do_what_is_due(now: int) -> None:
    """Load all tables at which something may be due. A table with which this fails does not hinder the others."""
    silent = (
        select(TableSeat.number)
        .where(TableSeat.table_code == SharedTable.code, ~TableSeat.bot)
        .where(TableSeat.seen_at < now - SHORTEST_PATIENCE, or_(~TableSeat.away, SharedTable.phase == "waiting"))
        .exists()
    )
    may_be_due = and_(SharedTable.phase != "closed", or_(SharedTable.deadline <= now, silent))
    codes = db.session.scalars(select(SharedTable.code).where(may_be_due).limit(AT_ONCE)).all()
    for code in codes:
        if clock.now_ms() - now >= listening.BEAT:
            now = clock.now_ms()
            listening.beat(now)  # so many tables that it would look like a gap
        try:
            loading.load(code, None)
        except SQLAlchemyError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever is wrong with one table
            db.session.rollback()
            known = context.current().get(Broken, lambda _config: Broken())
            if code not in known:  # once: this comes again every few seconds
                known.add(code)
                log.error("table not looked after", table=code, error=type(error).__name__)
