"""A lock on the instance folder: serving processes share it; what must not run while the site serves takes it alone."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


class SiteIsServing(Exception):
    """A process that serves this instance is running."""


def hold(instance: Path) -> IO[str]:
    """Take the shared lock. It is released when the returned file is closed, or the process and its children end."""
    file = (instance / "serving.lock").open("a")
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


@contextmanager
def alone(instance: Path) -> Iterator[None]:
    """Take the lock alone, for the time of the context.

    Raises:
        SiteIsServing: A process that serves this instance is running.
    """
    with (instance / "serving.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SiteIsServing from error
        yield
