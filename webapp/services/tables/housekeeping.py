"""Housekeeping: a thread of each serving process that beats for the site, and does what falls due by itself.

It is the timer of shared tables: each deadline is met to the moment, by whichever process comes first, under the lock
of the table. With every beat it looks up the deadlines of the next seconds, players who have been silent for too long,
and once a day the daily deals, so that nothing of it waits for a visitor.
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
"""Tables that one round of housekeeping loads."""
KNOWN: Final = 5_000
"""Tables of which one round looks how long somebody has been silent, the longest first."""
SELDOM: Final = 60.0
LAST_CHORES: Final = 5.0
"""Seconds for which the end of the process waits for chores."""
LATER: Final = 100
"""Milliseconds by which a deadline that another process may have set is met later here."""
SHORTEST_PATIENCE: Final = 1000 * RANGES["absent_after"].start
"""Milliseconds without a heartbeat before which a player is not away by any rules."""


class Broken(set[str]):
    """Codes of tables with which housekeeping has failed in this process."""


class Housekeeping:
    """The housekeeping of one process.

    Args:
        open_context: Opens a context of the app.
        seldom: What is to be done at the start and every ``SELDOM`` seconds, besides the tables.
        each_beat: What is to be done with every beat, in no time.
    """

    def __init__(
        self,
        open_context: Callable[[], AbstractContextManager[object]],
        seldom: Mapping[str, Callable[[], object]] = MappingProxyType({}),
        each_beat: Callable[[], object] = lambda: None,
    ) -> None:
        self._open_context = open_context
        self._seldom = seldom
        self._each_beat = each_beat
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
        """End the thread, and let what it has begun come to an end."""
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
        beat_at, seldom_at = time.monotonic() + site_beat.BEAT_MS / 1000, time.monotonic()
        while not self._stopped.is_set():
            if time.monotonic() >= seldom_at:
                seldom_at = time.monotonic() + SELDOM
                with self._open_context():
                    for key, job in self._seldom.items():
                        chores().add(key, job)
            with self._open_context():
                _meet_deadlines(min(beat_at - time.monotonic(), presence.GATHER / 1000))
            if time.monotonic() >= beat_at:
                self._once()
                beat_at = time.monotonic() + site_beat.BEAT_MS / 1000

    def _once(self) -> None:
        with self._open_context():
            try:
                self._each_beat()
                beat_once()
            except Exception as error:  # noqa: BLE001  # a thread that ended would be missed only much later
                log.warning("no housekeeping", error=type(error).__name__)
            finally:
                db.session.remove()


def _meet_deadlines(seconds: float) -> None:
    """Sleep until the next deadline, at most so many seconds; then have done what is due, and heartbeats written."""
    known, now = deadlines(), clock.now_ms()
    known.wait(known.first(), now, max(0.0, seconds))
    now = clock.now_ms()
    for code in known.take_due(now):
        chores().add(("deadline", code), partial(loading.see_to, code))
    if presence.heartbeats().are_due(now):
        chores().add("heartbeats", presence.write_down)


def beat_once() -> None:
    """Synchronize the clock, beat, write heartbeats down, and do what is due at tables that nobody asks for."""
    step = clock.clock().synchronize(db.engine)
    if step:
        log.warning("the time of day was set", seconds=step // 1000)
    now = clock.now_ms()
    site_beat.beat(now)
    presence.write_down()
    do_what_is_due(now)
    _look_ahead(now)


def _look_ahead(now: int) -> None:
    """Note the deadlines until the beat after the next one, whichever process has set them.

    The process that has set one meets it to the moment; the others a moment later, in case it is gone.
    """
    until = now + 2 * site_beat.BEAT_MS
    coming = select(SharedTable.code, SharedTable.deadline).where(SharedTable.deadline.between(now + 1, until))
    for code, deadline in db.session.execute(coming.where(SharedTable.phase != "closed").limit(AT_ONCE)):
        deadlines().expect(code, deadline, LATER + int(jitter(LATER)))


def do_what_is_due(now: int) -> None:
    """Load all tables at which something may be due. A table with which this fails does not hinder the others."""
    codes = _may_be_due(now)
    for code in codes:
        if clock.now_ms() - now >= site_beat.BEAT_MS:
            now = clock.now_ms()
            site_beat.beat(now)  # so many tables that it would look like a gap
        try:
            loading.see_to(code)
        except SQLAlchemyError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever is wrong with one table
            db.session.rollback()
            known = context.current().get(Broken, lambda _config: Broken())
            if code not in known:  # once: this comes again every few seconds
                known.add(code)
                log.error("table not looked after", table=code, error=type(error).__name__)


def _may_be_due(now: int) -> tuple[str, ...]:
    """Return the tables whose deadline has come, or somebody at which has been silent for longer than its rules allow.

    Most players of a full site have been silent for some seconds: their tables are told apart without loading them.
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
