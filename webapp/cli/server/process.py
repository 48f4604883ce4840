"""Tuning of the web process: memory, garbage collection, open files."""

import ctypes
import gc
import resource
import sys
from contextlib import suppress
from typing import Final

OTHER_FILES: Final = 256
"""Files that are open besides the connections: database, templates, static files."""
FEWEST_CONNECTIONS: Final = 64


def tune() -> None:
    """Tune this process for serving over a long time."""
    _limit_heaps()
    _collect_less_often()


def most_connections() -> int:
    """Return the number of connections that this process may have.

    The limit on open files, often 1,024, is first raised as far as the system allows.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS reports a higher limit than it allows
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else max(FEWEST_CONNECTIONS, soft - OTHER_FILES)


def _limit_heaps() -> None:
    """Limit glibc to two heaps for all threads (see ``mallopt(3)``, M_ARENA_MAX); do nothing with another C library.

    By default glibc gives each thread its own heap, which costs this process 20 MB.
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(-8, 2)


def _collect_less_often() -> None:
    """Exclude the objects of the loaded site from garbage collection, and raise the thresholds for all others.

    An answer creates thousands of objects that reference counting frees: with Python's default threshold the collector
    would run a dozen times for each.
    """
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
