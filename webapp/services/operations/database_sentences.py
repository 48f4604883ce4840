"""Sentences for an operator whose database cannot be used: what is wrong and what to do. None holds the password."""

import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote, quote_plus

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import DataError as WrongData
from sqlalchemy.exc import TimeoutError as PoolTimeout

from webapp.services.core.database import NoTurn, error_code, is_temporary

LENGTH: Final = 300
"""Letters of what the database itself says, at most."""
UPGRADE: Final = "the database has no tables of this version: tefuda db upgrade"
BUSY: Final = "the database is busy: try again"
MEND: Final = "mend TEFUDA_DATABASE_URL"

_OF_POSTGRESQL: Final[Mapping[str, str]] = {
    "42P01": UPGRADE,
    "42703": UPGRADE,
    "3F000": UPGRADE,
    "42501": "the role of TEFUDA_DATABASE_URL may not do that in the database: {said}",
    "53300": "the database takes no more connections: {said}",
    "40P01": BUSY,
    "55P03": BUSY,
    "57014": BUSY,
}
_FAULTS_OF_OURS: Final = (IntegrityError, WrongData, NotSupportedError, ProgrammingError)


def sentence(error: BaseException, database_url: str) -> str | None:
    """Return what is wrong with the database and what to do, None for an error that is a fault of the site's own."""
    if isinstance(error, (NoTurn, PoolTimeout)):
        return BUSY
    driver_error = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(driver_error, sqlite3.Error):
        return _of_sqlite(driver_error)
    if not isinstance(error, DBAPIError):
        return None
    said, url = _line(str(error.orig)), _url(database_url)
    code = error_code(error)
    if code is None and error.statement is None:  # no connection came about
        text = f"no PostgreSQL lets us in at {_place(url)} ({said}): start it, or {MEND}"
    elif code in _OF_POSTGRESQL:
        text = _OF_POSTGRESQL[str(code)].format(said=said)
    elif isinstance(error, _FAULTS_OF_OURS):
        return None
    else:
        text = f"the database does not answer: {said}"
    return without_password(text, url)


def missing_file(database_url: str, is_made: bool = False) -> str | None:
    """Return why there is no SQLite file, None if it is there, and for any other kind of database.

    ``is_made``: it is made if it is not there, and only has to have a place.
    """
    url = _url(database_url)
    if url is None or url.get_backend_name() != "sqlite":
        return None
    file = Path(url.database or "")
    try:
        if file.is_dir():
            return f"{file} is a folder, and no database: {MEND}"
        if file.exists():
            return None
        if not file.parent.is_dir():
            return f"the folder {file.parent} is not there: make it, or {MEND}"
    except OSError as error:
        return f"{file} cannot be looked at: {error.strerror or error}"
    return None if is_made else f"{file} is not there: tefuda db upgrade makes it"


def without_password(text: str, url: URL | None) -> str:
    """Return a text with three asterisks in place of the password."""
    password = str(url.password or "") if url else ""
    for spelled in filter(None, {password, quote(password), quote(password, ""), quote_plus(password)}):
        text = text.replace(spelled, "***")
    return text


def _of_sqlite(error: sqlite3.Error) -> str | None:
    said = _line(str(error))
    if said.startswith(("no such table", "no such column")):
        return UPGRADE
    if isinstance(error, sqlite3.OperationalError) and is_temporary(DBAPIError("", (), error)):
        return f"the database cannot be used: {said}"
    if type(error) is sqlite3.DatabaseError:  # the content of the file is damaged
        return f"the database cannot be read: {said}"
    return None


def _url(database_url: str) -> URL | None:
    try:
        return make_url(database_url)
    except (ArgumentError, ValueError):
        return None


def _place(url: URL | None) -> str:
    if url is None:
        return "TEFUDA_DATABASE_URL"
    host = url.host or url.query.get("host") or "this machine"
    return f"{', '.join(host) if isinstance(host, tuple) else host}{f':{url.port}' if url.port else ''}"


def _line(said: str) -> str:
    """Return what a driver says in one line, without what it adds for developers."""
    first = said.partition("\n\t")[0].partition("\nLINE ")[0]
    return re.sub(r"^connection (failed|is bad): ", "", " ".join(first.split()))[:LENGTH]
