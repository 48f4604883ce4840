"""Housekeeping: a thread of each web process that runs the timers of shared tables and periodic chores.

Each deadline of a table is acted on when it expires, by whichever process gets the lock of the table first. Every few
seconds (a *beat*) the thread also stores that the site is listening, looks up the deadlines of the next seconds, and
looks for players without a heartbeat. None of this needs a request.
"""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from threading import Event, Lock, Thread
from types import MappingProxyType
from typing import Final

import structlog
from sqlalchemy import func, or_, select
from sqlalchemy.exc import SQLAlchemyError

from webapp.engine.errors import EngineError
from webapp.engine.games import COMPANY
from webapp.engine.games.table21.rules import RANGES
from webapp.extensions import db
from webapp.models import SharedTable, TableSeat
from webapp.services.core import clock, context
from webapp.services.core.chores import chores
from webapp.services.core.randomness import jitter
from webapp.services.tables import loading
from webapp.services.tables.live import presence, site_beat
from webapp.services.tables.pending_deadlines import deadlines

log = structlog.get_logger()

AT_ONCE: Final = 200
"""Tables that are loaded in one beat."""
KNOWN: Final = 5_000
"""Tables that are searched for silent players in one beat, those with the longest silence first."""
PERIOD_SECONDS: Final = 60.0
"""Seconds between two runs of the periodic chores."""
LAST_CHORES: Final = 5.0
"""Seconds for which ``stop`` waits for chores that are running."""
LATER: Final = 100
"""Milliseconds by which this process acts later on deadlines that another process may have set."""
SHORTEST_PATIENCE: Final = 1000 * RANGES["absent_after"].start
"""Milliseconds of silence after which, under the shortest limit of any rules, a player is away."""


class FailedTables(set[str]):
    """Codes of tables that housekeeping has failed to load in this process."""


class Housekeeping:
    """The housekeeping of one process.

    Args:
        open_context: Opens a context of the app.
        periodic: Chores that run at the start and every ``PERIOD_SECONDS`` seconds, by name.
        each_beat: A fast function that is called with every beat.
    """

    def __init__(
        self,
        open_context: Callable[[], AbstractContextManager[object]],
        periodic: Mapping[str, Callable[[], object]] = MappingProxyType({}),
        each_beat: Callable[[], object] = lambda: None,
    ) -> None:
        self._open_context = open_context
        self._periodic = periodic
        self._each_beat = each_beat
        self._lock = Lock()
        self._process = 0
        self._stopped = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Start the thread, unless it is running. The first beat is complete on return, so before any request."""
        if self._process == os.getpid():
            return
        with self._lock:
            if self._process == os.getpid():
                return
            self._process = os.getpid()
            self._stopped = Event()
            self._beat()
            self._thread = Thread(target=self._run, name="tables-housekeeping", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and wait for what it has begun."""
        self._stopped.set()
        with self._open_context():
            deadlines().stop(True)
        if self._thread is not None:
            self._thread.join()
        with self._open_context():
            deadlines().stop(False)
            chores().wait_for_all(LAST_CHORES)
        self._process = 0

    def _run(self) -> None:
        beat_at, periodic_at = time.monotonic() + site_beat.BEAT_MS / 1000, time.monotonic()
        while not self._stopped.is_set():
            if time.monotonic() >= periodic_at:
                periodic_at = time.monotonic() + PERIOD_SECONDS
                with self._open_context():
                    for key, job in self._periodic.items():
                        chores().add(key, job)
            with self._open_context():
                _meet_deadlines(min(beat_at - time.monotonic(), presence.GATHER / 1000))
            if time.monotonic() >= beat_at:
                self._beat()
                beat_at = time.monotonic() + site_beat.BEAT_MS / 1000

    def _beat(self) -> None:
        with self._open_context():
            try:
                self._each_beat()
                beat_once()
            except Exception as error:  # noqa: BLE001  # the thread must go on, whatever fails
                log.warning("no housekeeping", error=type(error).__name__)
            finally:
                db.session.remove()


def _meet_deadlines(seconds: float) -> None:
    """Sleep until the next deadline, at most ``seconds``; then add chores for due tables and for heartbeats."""
    known, now = deadlines(), clock.now_ms()
    known.wait(known.first(), now, max(0.0, seconds))
    now = clock.now_ms()
    for code in known.take_due(now):
        chores().add(("deadline", code), partial(loading.catch_up_if_due, code))
    if presence.heartbeats().are_due(now):
        chores().add("heartbeats", presence.write_down)


def beat_once() -> None:
    """Synchronize the clock, store the site's and the players' heartbeats, and bring tables up to date."""
    step = clock.clock().synchronize(db.engine)
    if step:
        log.warning("the time of day was set", seconds=step // 1000)
    now = clock.now_ms()
    site_beat.beat(now)
    presence.write_down()
    catch_up_tables(now)
    _expect_deadlines(now)


def _expect_deadlines(now: int) -> None:
    """Add the deadlines until the beat after the next one, whichever process has set them.

    The process that has set a deadline acts on it on time; the others follow a moment later, in case that one has died.
    """
    until = now + 2 * site_beat.BEAT_MS
    coming = select(SharedTable.code, SharedTable.deadline).where(SharedTable.deadline.between(now + 1, until))
    for code, deadline in db.session.execute(coming.where(SharedTable.phase != "closed").limit(AT_ONCE)):
        deadlines().expect(code, deadline, LATER + int(jitter(LATER)))


def catch_up_tables(now: int) -> None:
    """Bring all tables up to date at which something may be due. If one of them fails, the others are still handled."""
    codes = _may_be_due(now)
    for code in codes:
        if clock.now_ms() - now >= site_beat.BEAT_MS:
            now = clock.now_ms()
            site_beat.beat(now)  # loading takes so long that the beat would be late
        try:
            loading.catch_up_if_due(code)
        except SQLAlchemyError:
            raise
        except Exception as error:  # noqa: BLE001  # a fault of one table must not stop the others
            db.session.rollback()
            known = context.current().get(FailedTables, lambda _config: FailedTables())
            if code not in known:  # log once: it is tried again every few seconds
                known.add(code)
                log.error("table not brought up to date", table=code, error=type(error).__name__)


def _may_be_due(now: int) -> tuple[str, ...]:
    """Return the tables whose deadline has passed, or that have a player without a heartbeat for longer than allowed.

    On a full site most players have no heartbeat for some seconds, so this is decided without loading their tables.
    """
    is_open = SharedTable.phase != "closed"
    overdue = select(SharedTable.code).where(is_open, SharedTable.deadline <= now).order_by(SharedTable.deadline)
    heard_at = func.min(TableSeat.seen_at)
    silent = (
        select(SharedTable.code, SharedTable.variant, heard_at)
        .join(TableSeat, (TableSeat.table_code == SharedTable.code) & ~TableSeat.bot)
        .where(is_open, TableSeat.seen_at < now - SHORTEST_PATIENCE)
        .where(or_(~TableSeat.away, SharedTable.phase == "waiting"))
        .group_by(SharedTable.code)
        .order_by(heard_at)
        .limit(KNOWN)
    )
    codes = dict.fromkeys(db.session.scalars(overdue.limit(AT_ONCE)))
    for code, variant, at in db.session.execute(silent):
        if len(codes) < AT_ONCE and at < now - _patience(variant):
            codes[code] = None
    return tuple(codes)


def _patience(variant: str) -> int:
    """Return the milliseconds without a heartbeat after which a player is away; 0 if the rules are not understood."""
    try:
        return 1000 * COMPANY.rules(variant).absent_after
    except EngineError:
        return 0
