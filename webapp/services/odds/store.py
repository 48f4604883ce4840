"""Tables of the odds as files, which all processes of an instance share."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cachetools import LRUCache

from webapp.engine.odds.value import Arrays

FOLDER: Final = Path("cache", "odds")
"""Where the tables are, in the instance's folder. They can be removed at any time, and are then built again."""
MOST_OPEN: Final = 64
"""Tables that one process keeps open. Each is an open file or several."""
MOST_KEPT: Final = 3000
"""Small tables that are kept, such as edges of rules: anybody may ask for rules of their own. The oldest go."""
SMALL: Final = 64 * 1024
"""Bytes up to which tables are small. Those of pay tables are not, and there are as many as pay tables."""

SIMULATED: Final = "simulated"
"""Prefix of the names of simulated decisions."""


class NotBuilt(Exception):
    """Tables are needed that are not on disk yet; ``args[0]`` is their name."""


def build_any(_name: str) -> bool:
    """Return True for every table: the command line builds all that it needs."""
    return True


def build_none(_name: str) -> bool:
    """Return False for every table: a visitor who waits for an answer should not wait for tables to be built."""
    return False


def is_simulated(name: str) -> bool:
    """Return True for decisions that are simulated."""
    return name.startswith(SIMULATED)


def is_quick(name: str) -> bool:
    """Return True for tables that take seconds.

    Those of several exchanges, which need Numba, and those of index numbers take up to a minute.
    """
    return ".several-" not in name and not name.startswith("index-") and not is_simulated(name)


class FolderStore:
    """A ``TableStore`` of memory-mapped files, one folder for each name.

    builds: says of a name if its tables may be built here. What may not, and is not there, is NotBuilt.
    """

    def __init__(self, folder: Path, builds: Callable[[str], bool] = build_any) -> None:
        self._folder = folder
        self._builds = builds
        self._open: LRUCache[str, Arrays] = LRUCache(MOST_OPEN)

    @classmethod
    def of_instance(cls, instance: Path) -> "FolderStore":
        """Return the store in an instance's folder, which builds what is not there."""
        return cls(instance / FOLDER)

    def tables(self, name: str, build: Callable[[], Arrays]) -> Arrays:
        if name not in self._open:
            folder = self._folder / name
            if not folder.is_dir():
                if not self._builds(name):
                    raise NotBuilt(name)
                _write(folder, build())
            self._open[name] = _read(folder)
        return self._open[name]


def _read(folder: Path) -> Arrays:
    import numpy as np

    arrays = {path.stem: np.load(path, mmap_mode="r") for path in sorted(folder.glob("*.npy"))}
    if not arrays:
        raise NotBuilt(folder.name)  # somebody has removed them just now
    return arrays


def _write(folder: Path, arrays: Arrays) -> None:
    """Write tables so that other processes see all of them or none. If they exist already, they are not replaced."""
    import numpy as np

    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".fresh-"))
    try:
        for key, array in arrays.items():
            np.save(fresh / f"{key}.npy", array)
        fresh.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    _prune(folder.parent)


def _prune(parent: Path) -> None:
    """Remove the oldest small tables, if there are too many."""
    folders = [entry for entry in parent.iterdir() if entry.is_dir() and not entry.name.startswith(".")]
    if len(folders) <= MOST_KEPT:
        return
    small = sorted((_modified(folder), folder) for folder in folders if _size(folder) <= SMALL)
    for _, folder in small[: max(0, len(small) - MOST_KEPT)]:
        shutil.rmtree(folder, ignore_errors=True)


def _size(folder: Path) -> int:
    try:
        return sum(path.stat().st_size for path in folder.glob("*.npy"))
    except OSError:  # another process has just removed it
        return 0


def _modified(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0
