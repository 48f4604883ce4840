"""A folder of backups: their names, and which are dropped."""

from pathlib import Path
from typing import Final

from webapp.services.core.clock import now_ms, to_datetime

SQLITE: Final = ".sqlite3"
POSTGRESQL: Final = ".dump"
_NAME: Final = "tefuda-[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]*"


def next_file(folder: Path, ending: str) -> Path:
    """Return the name for a backup made now; the folder is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    at = to_datetime(now_ms()).strftime("%Y%m%d-%H%M%S")
    names = (folder / f"tefuda-{at}{more}{ending}" for more in ("", *map("_{}".format, range(2, 100))))
    return next(name for name in names if not name.exists())


def drop_all_but(folder: Path, count: int) -> list[Path]:
    """Remove all backups of a folder but the latest ones, and return what was removed. Other files are left alone."""
    backups = sorted(file for file in folder.glob(_NAME) if file.suffix in (SQLITE, POSTGRESQL))
    dropped = backups[:-count]
    for file in dropped:
        file.unlink()
    return dropped
