"""Tuning of the process that serves: its memory and its files."""

import ctypes
import gc
import resource
import sys
from contextlib import suppress
from typing import Final

OTHER_FILES: Final = 256
"""That are open besides the connections: database, templates, static files."""
FEWEST: Final = 64


def tune() -> None:
    """Prepare this process to serve for long."""
    _share_memory()
    _look_for_cycles_less_often()


def most_connections() -> int:
    """Return how many connections this process may have.

    The limit of open files is raised for them as far as the system allows: by itself a process may often have 1,024.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS allows less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else max(FEWEST, soft - OTHER_FILES)


def _share_memory() -> None:
    """Have the threads share two heaps; where there is no glibc there is nothing to do.

    By itself glibc gives each thread a heap, and the process grows by 20 MB for it (see ``mallopt(3)``, M_ARENA_MAX).
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(-8, 2)


def _look_for_cycles_less_often() -> None:
    """What the site is made of stays until it closes, so the collector need not look at it, not even once.

    An answer makes thousands of objects that go by themselves: at Python's own threshold it would look for cycles a
    dozen times.
    """
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
