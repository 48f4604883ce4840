"""Settings that are more than a number or a word: each function returns the value, or raises ValueError.

Its message is the end of a sentence that begins with the name of the setting. It repeats no secret.
"""

import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from webapp.ip_addresses import is_loopback

KEY_LENGTH: Final = 32
"""Characters of a secret key at least. The key that is made for an instance has 64."""
SHOWN: Final = 80
"""Characters of a wrong text that are repeated, at most."""
_DRIVERS: Final = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")


def shown(text: str) -> str:
    """Return a setting as it may be printed, even if it is not valid text."""
    return repr(text[:SHOWN])


def words(text: str) -> tuple[str, ...]:
    """Return the items of a setting, which are separated by commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def key(text: str) -> str:
    """Return a secret key, or an empty text. Older keys may be shorter, as they only open what they sealed."""
    if text and len(text) < KEY_LENGTH:
        raise ValueError(
            f"has {len(text)} characters, a key needs {KEY_LENGTH}. Make one with: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(48))' and put the short one into "
            "TEFUDA_SECRET_KEY_FALLBACKS, so that cookies and hands of today stay readable"
        )
    return text


def database_url(text: str) -> str:
    """Return the address for SQLAlchemy. The sentence about a wrong one does not repeat it: it may hold a password.

    Of PostgreSQL it is spelled so that libpq reads the same in it, whatever characters the password has.
    """
    from sqlalchemy import make_url  # processes that read other settings do without it
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(text)
        usable = url.drivername in _DRIVERS
        if usable:
            url.get_dialect()().create_connect_args(url)
    except (ArgumentError, ValueError):
        usable = False
    if not usable:
        raise ValueError("is not an address like postgresql://... or sqlite:////folder/file") from None
    if url.get_backend_name() == "sqlite":
        file = url.database or ""
        if url.host or not file or file == ":memory:" or file.startswith("file:") or "uri" in url.query:
            raise ValueError("names no file. An SQLite database is named like sqlite:////folder/file")
        return text if file.startswith("/") else url.set(database=str(_beside_the_code(file))).render_as_string()
    spelled = url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    place, mark, options = spelled.partition("?")
    return place.replace(" ", "%20") + mark + options.replace("+", "%20")  # libpq takes a plus sign literally


def is_database_here(url: str) -> bool:
    """Return True if a PostgreSQL server is reached through a socket or a loopback address of this machine."""
    from sqlalchemy import make_url

    address = make_url(url)
    options = address.normalized_query
    named = ",".join(options.get("hostaddr") or options.get("host") or (address.host or "",))
    return all(not host or host.startswith("/") or is_loopback(host) for host in named.split(","))


def _beside_the_code(file: str) -> Path:
    """Return the full path of an SQLite database given by a relative one: in Flask's instance folder."""
    checkout = Path(__file__).resolve().parents[1]
    if (checkout / "pyproject.toml").exists():
        return checkout / "instance" / file
    return Path(sys.prefix, "var", "webapp-instance", file)


def host_name(text: str) -> str:
    """Return a host name in lower case."""
    name = text.lower()
    if not _matches_itself(name):
        raise ValueError(f"is not a host name like cards.example, or .example for all below it: {shown(name)}")
    return name


def _matches_itself(word: str) -> bool:
    """Return False for what is not a host name: an address with https://, a pattern with asterisks."""
    from werkzeug.sansio.utils import host_is_trusted

    host, colon, port = word.removeprefix(".").partition(":")
    try:
        return host_is_trusted(host.encode("idna").decode("ascii"), [word]) and (not colon or port.isdecimal())
    except UnicodeError:
        return False


def public_url(text: str) -> str:
    """Return the address of a site: scheme, host and port, without a path."""
    if not text:
        return ""
    try:
        url = urlsplit(text)
        place = f"{url.scheme}://{url.netloc}"
        whole_place = url.scheme in ("http", "https") and text.rstrip("/").lower() == place.lower() and url.port != 0
    except ValueError:
        whole_place = False
    if not whole_place or not url.hostname or not all(each.isalnum() or each in "-._:[]" for each in url.netloc):
        raise ValueError(f"is not an address like https://example.org, without a path: {shown(text)}")
    return place


def package(text: str) -> str:
    """Return the name of a Python package."""
    if not all(part.isidentifier() for part in text.split(".")):
        raise ValueError(f"is not a package: {shown(text)}")
    return text
