"""Readiness: the database is there, has the tables of this version, and takes what is written.

It is asked over a connection of its own. One from the pool may be waited for while all others are busy, and one that is
open already does not notice that the file is gone.
"""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final
from urllib.parse import quote

from flask import current_app
from sqlalchemy import URL, Connection, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from webapp.config import Config
from webapp.services.core.database import set_limits
from webapp.services.operations import schema

SECONDS: Final = 2
"""Time within which the database must answer, and be written."""
FREE: Final = 16 * 1024 * 1024
"""Bytes that must be free beside an SQLite database."""
KEPT_SECONDS: Final = 1.0
"""Seconds for which a verdict holds: whoever asks more often costs no connection and no write."""


class NotReady(Exception):
    """The site cannot serve; the text says why, and holds nothing secret."""


class _Verdict:
    """What a check has found, for a while; many who ask at once wait for one look."""

    def __init__(self, look: Callable[[], NotReady | None]) -> None:
        self._look = look
        self._lock = Lock()
        self._found: NotReady | None = None
        self._looked_at = float("-inf")

    def require(self) -> None:
        with self._lock:
            if time.monotonic() - self._looked_at >= KEPT_SECONDS:
                self._found = self._look()
                self._looked_at = time.monotonic()
            found = self._found
        if found:
            raise NotReady(str(found)) from found.__cause__


class Probe:
    """Checks the database of one app."""

    def __init__(self, config: Config) -> None:
        self._sqlite = config.sqlite
        self._url = make_url(config.database_url)
        self._engine = create_engine(
            _of_existing_file(self._url) if self._sqlite else self._url,
            poolclass=NullPool,
            connect_args={"timeout": SECONDS} if self._sqlite else {"connect_timeout": SECONDS},
        )
        self._alive = _Verdict(self._look_at_database)
        self._ready = _Verdict(self._look_at_writing)

    def check_database(self) -> None:
        """Ask the database for a number.

        Raises:
            NotReady: The database does not answer.
        """
        self._alive.require()

    def check_ready(self) -> None:
        """Check that the database can be written, without changing anything.

        Raises:
            NotReady: It is not there, of another revision, locked or full. Its cause is the error of the database.
        """
        self._ready.require()

    def _look_at_database(self) -> NotReady | None:
        """Return why the database does not answer, None if it does."""
        try:
            with self._connection() as connection:
                connection.execute(text("SELECT 1")).one()
        except NotReady as error:
            return error
        return None

    def _look_at_writing(self) -> NotReady | None:
        """Return why the site is not ready, None if it is."""
        try:
            if self._sqlite and shutil.disk_usage(Path(self._url.database or ".").parent).free < FREE:
                return NotReady("the disk is full")
            with self._connection() as connection:
                connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
                revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
                connection.commit()
        except OSError:
            return NotReady("the folder of the database is not there")
        except NotReady as error:
            return error
        wanted = schema.newest_revision()
        return None if revision == wanted else NotReady(f"the database has revision {revision}, {wanted} is wanted")

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                set_limits(connection, SECONDS)
                yield connection
        except (SQLAlchemyError, OSError) as error:
            kind = type(getattr(error, "orig", None) or error).__name__
            raise NotReady(f"the database does not answer: {kind}") from error


def probe() -> Probe:
    """Return the probe of the current app."""
    probe_of_app: Probe = current_app.extensions["probe"]
    return probe_of_app


def _of_existing_file(url: URL) -> URL:
    """Return the address of a file that SQLite does not make if it is not there."""
    return url.set(database=f"file:{quote(url.database or '')}", query={"mode": "rw", "uri": "true"})
