"""What child processes are given: an environment without secrets, the path of this code, and a log file."""

import os
from pathlib import Path
from typing import IO, Final

from webapp.config import CHECKOUT

KEYS: Final = frozenset(("TEFUDA_SECRET_KEY", "TEFUDA_SECRET_KEY_FALLBACKS", "TEFUDA_METRICS_TOKEN"))
DATABASE: Final = frozenset(("TEFUDA_DATABASE_URL", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE"))
"""Names of what opens the database; the last three are PostgreSQL's own."""
MAX_LOG: Final = 1_000_000
"""Size in bytes from which a log file is overwritten by the next process."""


def inherited_environment(reads_database: bool = False) -> dict[str, str]:
    """Return the environment of this process without secret keys, and without the database URL unless it is needed."""
    kept_back = KEYS if reads_database else KEYS | DATABASE
    return {name: text for name, text in os.environ.items() if name not in kept_back}


def python_path() -> str:
    """Return a ``PYTHONPATH`` with which a process imports this very code."""
    return os.pathsep.join(filter(None, (str(CHECKOUT), os.environ.get("PYTHONPATH"))))


def open_log(path: Path) -> IO[bytes]:
    """Open a log file for the output of a process: its tracebacks do not belong among the site's lines of JSON."""
    is_large = path.exists() and path.stat().st_size > MAX_LOG
    return path.open("wb" if is_large else "ab")
