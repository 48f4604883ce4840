"""The one clock of the site. Every stored time is a whole number of unix milliseconds.

A process that serves anchors its clock: then time passes as it does for a stopwatch, however the time of day of the
machine is set meanwhile. It follows a time of day that was set only when it synchronizes, so that this is noticed.
Where several machines share a PostgreSQL database, its clock is the one that all of them follow.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Lock
from typing import Final

from sqlalchemy import Engine, text

from webapp.services.core import context

SECOND: Final = 1_000
"""In milliseconds, as are the following."""
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

STEP: Final = SECOND
"""By so much the reference may differ before the clock is set again: less is the time that it takes to ask."""
_DATABASE_TIME: Final = text("SELECT CAST(1000 * extract(epoch FROM clock_timestamp()) AS bigint)")


class Clock:
    """The clock of one app. It shows the time of day of the machine until it is anchored.

    Args:
        time_of_day: Seconds since 1970; that of the machine by default.
    """

    def __init__(self, time_of_day: Callable[[], float] | None = None) -> None:
        self._time_of_day = time_of_day
        self._lock = Lock()
        self._offset: int | None = None
        """Unix milliseconds at zero of the stopwatch; None while the clock is not anchored."""
        self._put_on: int | None = None
        """When the clock was last set forward, by the stopwatch; None if it never was."""

    def now_ms(self) -> int:
        """Return the current time in unix milliseconds."""
        offset = self._offset
        return self.time_of_day_ms() if offset is None else _stopwatch_ms() + offset

    def has_run_for(self, ms: int) -> bool:
        """Return True if at least ``ms`` have elapsed since the clock was set forward, or if it never was."""
        return self._put_on is None or _stopwatch_ms() - self._put_on >= ms

    def time_of_day_ms(self) -> int:
        """Return the time of day of this machine, whatever the clock shows."""
        return int(1000 * (time.time() if self._time_of_day is None else self._time_of_day()))

    def synchronize(self, engine: Engine) -> int:
        """Anchor the clock, or set it if the reference has been set. Return the milliseconds by which it was.

        The reference is the clock of a PostgreSQL database, else the time of day of the machine.
        """
        is_shared = engine.dialect.name == "postgresql"
        before = _stopwatch_ms()
        reference = database_ms(engine) if is_shared else self.time_of_day_ms()
        offset = reference - (before + _stopwatch_ms()) // 2
        with self._lock:
            step = 0 if self._offset is None else offset - self._offset
            if self._offset is None or abs(step) > STEP:
                self._offset = offset
                if step > STEP:
                    self._put_on = before
                return step
        return 0


def now_ms() -> int:
    """Return the current time in unix milliseconds, by the clock of the current app.

    Raises:
        RuntimeError: There is no current app. The machine's time of day may be another.
    """
    return clock().now_ms()


def machine_ms() -> int:
    """Return the time of day of this machine in unix milliseconds, for names and ages of files."""
    return Clock().time_of_day_ms()


def clock() -> Clock:
    """Return the clock of the current app."""
    return clock_of(context.current())


def clock_of(services: context.Services) -> Clock:
    """Return the clock of an app, for what runs outside of its contexts."""
    return services.get(Clock, lambda _config: Clock())


def to_datetime(ms: int) -> datetime:
    """Return a stored time as a date and time of day in UTC, to the second."""
    return datetime.fromtimestamp(ms // SECOND, UTC)


def _stopwatch_ms() -> int:
    """Return milliseconds since some moment. Where the system can tell, a machine that sleeps does not stop them."""
    watch = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(watch) // 1_000_000


def database_ms(engine: Engine) -> int:
    """Return the time of day of a PostgreSQL database."""
    with engine.connect() as connection:
        return int(connection.scalar(_DATABASE_TIME) or 0)
