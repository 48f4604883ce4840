"""The time: unix milliseconds, by the time of day of the machine; and days of the daily deals, written ``2026-11-22``.

The time of day may be set, by a mistake of its time server or of a person. What cannot be undone waits for an hour
after it was set forward (``was_set_forward``).
"""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Final

import structlog
from flask import current_app
from sqlalchemy import Engine, text

log = structlog.get_logger()

SECOND: Final = 1_000
"""In milliseconds, as are the following."""
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

_DATABASE_TIME: Final = text("SELECT CAST(1000 * extract(epoch FROM clock_timestamp()) AS bigint)")


def now_ms() -> int:
    """Return the current time in unix milliseconds."""
    return int(1000 * time.time())


def stopwatch_ms() -> int:
    """Return milliseconds since some moment. Where the system can tell, a machine that sleeps does not stop them."""
    watch = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(watch) // 1_000_000


class TimeOfDay:
    """What one app knows of its time of day."""

    def __init__(self) -> None:
        self.ahead: int | None = None
        """Milliseconds by which it was ahead of the stopwatch when somebody looked; None if nobody has."""
        self.held_until = 0
        """Time by the stopwatch until which nothing may expire."""


def was_set_forward() -> bool:
    """Return True for an hour after the time of day was set forward by more than a minute: then nothing may expire.

    That may be corrected, but a hand that was forfeited, or a seed that was revealed, is lost. Small steps, and those
    from before this process looked for the first time, are not noticed.
    """
    known: TimeOfDay = current_app.extensions["time_of_day"]
    stopwatch = stopwatch_ms()
    ahead = now_ms() - stopwatch
    step = 0 if known.ahead is None else ahead - known.ahead
    known.ahead = ahead
    if abs(step) > MINUTE:
        log.warning("the time of day was set", seconds=step // SECOND)
    if step > MINUTE:
        known.held_until = stopwatch + HOUR
    return stopwatch < known.held_until


def to_datetime(ms: int) -> datetime:
    """Return a stored time as a date and time of day in UTC, to the second."""
    return datetime.fromtimestamp(ms // SECOND, UTC)


def database_ms(engine: Engine) -> int:
    """Return the time of day of a PostgreSQL database."""
    with engine.connect() as connection:
        return int(connection.scalar(_DATABASE_TIME) or 0)


GRACE: Final = HOUR
"""Time after midnight in which what was begun the day before may be finished."""


def today() -> str:
    """Return the current day."""
    return day_of(now_ms())


def day_of(ms: int) -> str:
    """Return the day of a stored time."""
    return to_datetime(ms).date().isoformat()


def starts_at(day: str) -> int:
    """Return the first moment of a day."""
    return int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp()) * 1000


def next_deals_at() -> datetime:
    """Return the time at which the next day begins."""
    return to_datetime(starts_at(today()) + DAY)


def closes_at(day: str) -> int:
    """Return the time at which a day's deals can no longer be played, and their seeds are revealed."""
    return starts_at(day) + DAY + GRACE


def is_day(text: str) -> bool:
    """Return whether a text is a day, written as all of them are."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def day_before(day: str) -> str:
    """Return the day before another one."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def days_from(day: str, count: int) -> tuple[str, ...]:
    """Return consecutive days, beginning with ``day``."""
    first = date.fromisoformat(day)
    return tuple((first + timedelta(days=number)).isoformat() for number in range(count))
