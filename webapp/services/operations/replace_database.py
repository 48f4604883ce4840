"""Putting a prepared SQLite database in the place of the present one, which stays beside it."""

import os
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path

from webapp.services.core.clock import now_ms, to_datetime
from webapp.services.operations.serving_lock import SiteIsServing
from webapp.services.operations.sqlite_file import COMPANIONS, address


def draft_beside(target: Path) -> Path:
    """Return the path of a draft: in the same folder, so that a rename replaces the target in one step."""
    return target.with_name(f"{target.name}.restoring-{os.getpid()}")


def replace_database(draft: Path, target: Path) -> Path | None:
    """Rename a draft to the target, and return where the target's old content is now, None if there was none.

    Who could read the target can read what takes its place.

    Raises:
        SiteIsServing: A connection to the target is open.
        sqlite3.Error: The draft is not whole.
    """
    _into_one_file(draft)
    kept = None
    if target.exists():
        with suppress(sqlite3.DatabaseError):  # what cannot be read is kept as it is
            _close_up(target)
        draft.chmod(stat.S_IMODE(target.stat().st_mode))
        kept = _keep(target)
    draft.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return kept


def _into_one_file(database: Path) -> None:
    """Write what lies beside a database into it. SQLite refuses while another connection is open."""
    with closing(sqlite3.connect(address(database, "rw"), uri=True, timeout=1, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE").fetchone()


def _close_up(target: Path) -> None:
    try:
        _into_one_file(target)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise SiteIsServing from error
        raise


def _keep(target: Path) -> Path:
    """Give the content of the target another name beside its own; the target itself stays until it is replaced."""
    at = to_datetime(now_ms()).strftime("%Y%m%d-%H%M%S")
    names = (
        target.with_name(f"{target.name}.before-restore-{at}{more}") for more in ("", *map("-{}".format, range(99)))
    )
    kept = next(name for name in names if not name.exists())
    for ending in COMPANIONS:  # only of a database that could not be read
        with suppress(FileNotFoundError):
            Path(f"{target}{ending}").rename(f"{kept}{ending}")
    kept.hardlink_to(target)
    return kept
