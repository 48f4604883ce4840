"""The one clock of the site. Every stored time is a whole number of unix milliseconds."""

import time
from datetime import UTC, datetime
from typing import Final

SECOND: Final = 1_000
"""In milliseconds, as are the following."""
HOUR: Final = 3_600 * SECOND
DAY: Final = 24 * HOUR


def now_ms() -> int:
    """Return the present as unix milliseconds."""
    return int(time.time() * 1000)


def to_datetime(ms: int) -> datetime:
    """Return a stored time as a date and time of day in UTC, to the second."""
    return datetime.fromtimestamp(ms // SECOND, UTC)
