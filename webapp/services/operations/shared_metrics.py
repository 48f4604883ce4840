"""Metrics of all processes of an instance: each writes files to one folder, and the one that is asked adds them up.

The files of a process are named after a random word instead of its id, since processes in several containers may have
the same id. The process holds a lock on a file with that word while it runs.
"""

import fcntl
import os
from pathlib import Path
from typing import IO, Final

from webapp.services.core.drafts import draft_of
from webapp.services.core.randomness import new_reference

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Variable of the environment with the folder, for the library."""
LOCK: Final = ".lock"
"""Ending of the files that are locked."""
_HELD: Final[list[IO[str]]] = []
"""The locked file of this process, which stays open to its end."""


def share(instance: Path) -> None:
    """Let this process count together with the others of an instance. To be called before it counts anything.

    What processes have left that are gone is removed: for Prometheus they have been restarted.
    """
    folder = Path(os.environ.get(SHARED) or instance / "cache" / "metrics")
    folder.mkdir(parents=True, exist_ok=True)
    word = new_reference()
    _HELD.append(_locked(folder / f"{word}{LOCK}"))
    remove_left(folder)
    os.environ[SHARED] = str(folder)  # now that it can be used
    from prometheus_client import values

    values.ValueClass = values.MultiProcessValue(lambda: word)  # type: ignore[no-untyped-call]


def text() -> bytes | None:
    """Return the sums of all processes in Prometheus' format; None if this one counts for itself."""
    folder = os.environ.get(SHARED)
    if not folder:
        return None
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    try:
        return generate_latest(registry)
    except FileNotFoundError:  # a process that starts has removed what another has left
        return generate_latest(registry)


def remove_left(folder: Path) -> None:
    """Remove the files of processes that are gone."""
    there = {file.stem for file in folder.glob(f"*{LOCK}") if _is_locked(file)}
    for file in (*folder.glob("*.db"), *folder.glob(f"*{LOCK}")):
        if file.stem.rpartition("_")[2] not in there:
            file.unlink(missing_ok=True)


def _locked(path: Path) -> IO[str]:
    """Make a file that is locked from the first moment in which it has its name."""
    draft = draft_of(path)
    file = draft.open("w")
    fcntl.flock(file, fcntl.LOCK_EX)
    draft.replace(path)
    return file


def _is_locked(path: Path) -> bool:
    try:
        with path.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False
