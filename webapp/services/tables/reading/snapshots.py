"""Snapshots: a shared table at one version, read once for all viewers and kept."""

from threading import Lock
from typing import Final

from cachetools import FIFOCache
from flask import current_app
from sqlalchemy import bindparam, select

from webapp.extensions import db
from webapp.models import SharedTable
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import reading_as_of_now
from webapp.services.tables.reading.facts import Snapshot
from webapp.services.tables.reading.from_rows import read

MOST: Final = 1024
"""Tables of which an app keeps the snapshot."""


class Snapshots:
    """The latest snapshots of an app by the code of their table. Safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_code: FIFOCache[str, Snapshot] = FIFOCache(MOST)

    def get(self, code: str) -> Snapshot | None:
        """Return the latest snapshot of a table, if it is kept."""
        with self._lock:
            return self._by_code.get(code)

    def put(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, unless a later one is kept. The one that was put first makes room."""
        with self._lock:
            kept = self._by_code.get(snapshot.code)
            if kept is None or kept.version <= snapshot.version:
                self._by_code[snapshot.code] = snapshot

    def clear(self) -> None:
        """Forget all snapshots."""
        with self._lock:
            self._by_code.clear()


_VERSION: Final = select(SharedTable.version).where(SharedTable.code == bindparam("code"))


def snapshots() -> Snapshots:
    """Return the snapshots that this app keeps."""
    snapshots_of_app: Snapshots = current_app.extensions["snapshots"]
    return snapshots_of_app


def snapshot(code: str, version: int | None = None) -> Snapshot:
    """Return the table as it is now. ``version``: the current one, if it is known.

    Not for use inside a transaction that writes.

    Raises:
        Refusal: ``table-not-found``.
    """
    kept = remembered(code)
    if kept is not None and kept.version == version:
        return kept
    version = db.session.scalar(_VERSION, {"code": code})
    if version is None:
        raise Refusal("table-not-found", code[:20])
    if kept is not None and kept.version == version:
        return kept
    with reading_as_of_now():
        table = db.session.get(SharedTable, code, populate_existing=True)
        if table is None:
            raise Refusal("table-not-found", code[:20])
        current = read(table)
    keep(current)
    return current


def remembered(code: str) -> Snapshot | None:
    """Return the latest snapshot that is kept of a table; the table may have changed since."""
    return snapshots().get(code)


def keep(current: Snapshot) -> None:
    """Keep a snapshot for the next viewers. Not before the version is committed."""
    snapshots().put(current)
