"""Lines of the log that would come by the thousand, while the disk is full or the database is away."""

import time
from typing import Final

from flask import current_app

SECONDS: Final = 60.0


class LogLines:
    """When an app has written a line last, by its subject."""

    def __init__(self) -> None:
        self.written_at: dict[str, float] = {}


def is_first_of_minute(subject: str) -> bool:
    """Return True if no line about a subject was written for a minute: now one should be.

    ``subject``: one of a few words, not of a visitor's making.
    """
    lines: LogLines = current_app.extensions["log_lines"]
    now = time.monotonic()
    if now - lines.written_at.get(subject, -SECONDS) < SECONDS:
        return False
    lines.written_at[subject] = now
    return True
