"""Days of the daily deals: in UTC, by the one clock, written ``2026-11-22``."""

from datetime import UTC, date, datetime, timedelta
from typing import Final

from webapp.services.core.clock import DAY, HOUR, now_ms, to_datetime

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
