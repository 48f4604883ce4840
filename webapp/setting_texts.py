"""Parsing of settings: each function returns the value, or raises ValueError with the end of a sentence.

The sentence begins with the name of the setting. It repeats no secret.
"""

import sys
from collections.abc import Callable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")
Network = IPv4Network | IPv6Network

KEY_LENGTH: Final = 32
"""Characters of a secret key at least. The key that is made for an instance has 64."""
TOKEN_LENGTH: Final = 16
SHOWN: Final = 80
"""Characters of a wrong text that are repeated, at most."""
_DRIVERS: Final = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
_WIDEST: Final = {4: 8, 6: 16}
"""By version of IP: a network with a shorter prefix is no proxy's, but half of the world."""
_OWN: Final = ip_network("fc00::/7")
"""Addresses of IPv6 that each network gives itself: however many, they are not the world."""


class SettingReader:
    """Reads settings of an environment; ``troubles`` are sentences about invalid ones."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.troubles: list[str] = []

    def read(self, name: str, parse: Callable[[str], T], default: str = "", secret: bool = False) -> T:
        """Return the value of a setting; if it is missing, empty or invalid, that of its default."""
        text = self._environ.get(name)
        if not text:
            return parse(default)
        try:
            return parse(_secret(text) if secret else _printable(text))
        except ValueError as error:
            self.troubles.append(f"{name} {error}")
            return parse(default)


def _secret(text: str) -> str:
    """Return a text that can be written in UTF-8: an environment may hold any bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("is no text in UTF-8") from None
    return text


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError(f"has characters that nobody can see, or is no text in UTF-8: {shown(text)}")
    return text


def shown(text: str) -> str:
    """Return a setting as it may be printed, even if it is not valid text."""
    return repr(text[:SHOWN])


def words(text: str) -> tuple[str, ...]:
    """Return the items of a setting, which are separated by commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def is_loopback(host: str) -> bool:
    """Return True if an address can be reached from this machine only."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_half_the_world(network: Network) -> bool:
    """Return True for a network that is too large to hold only the proxies of a site."""
    if isinstance(network, IPv6Network) and network.subnet_of(_OWN):  # type: ignore[arg-type]
        return False
    return network.prefixlen < _WIDEST[network.version]


def key(text: str) -> str:
    """Return a secret key, or an empty text. Older keys may be shorter, as they only open what they sealed."""
    if text and len(text) < KEY_LENGTH:
        raise ValueError(
            f"has {len(text)} characters, a key needs {KEY_LENGTH}. Make one with: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(48))' and put the short one into "
            "TEFUDA_SECRET_KEY_FALLBACKS, so that cookies and hands of today stay readable"
        )
    return text


def token(text: str) -> str:
    """Return a token, or an empty text."""
    if text and not (len(text) >= TOKEN_LENGTH and text.isascii() and text.isprintable()):
        raise ValueError(f"needs {TOKEN_LENGTH} printable characters at least")
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


def host(text: str) -> str:
    """Return the host to listen at. It need not be an address of this machine."""
    if not all(letter.isalnum() or letter in "-._:%" for letter in text):
        raise ValueError(f"is not an address or a name to listen at: {shown(text)}")
    return text


def port(text: str) -> int:
    """Return a port number."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) < 65536):
        raise ValueError(f"is not a port: {shown(text)}")
    return int(text)


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return a function that parses a whole number between two others."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 15 and least <= int(text) <= most):
            raise ValueError(f"is not a whole number from {least} to {most}: {shown(text)}")
        return int(text)

    return read


def choice(*choices: str) -> Callable[[str], str]:
    """Return a function that parses one of several words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"is none of {', '.join(choices)}: {shown(text)}")
        return text

    return read


def networks(text: str) -> tuple[Network, ...]:
    """Return networks; an address stands for the network of this address alone."""
    try:
        return tuple(ip_network(word, strict=False) for word in words(text))
    except ValueError as error:
        raise ValueError(f"is not a list of addresses and networks like 127.0.0.1,10.0.0.0/8: {error}") from error


def hosts(text: str) -> tuple[str, ...]:
    """Return host names in lower case."""
    found = words(text.lower())
    for word in found:
        if not _matches_itself(word):
            raise ValueError(
                f"is not a list of host names like cards.example, or .example for all below it: {shown(word)}"
            )
    return found


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


def packages(text: str) -> tuple[str, ...]:
    """Return names of Python packages."""
    found = words(text)
    for word in found:
        if not all(part.isidentifier() for part in word.split(".")):
            raise ValueError(f"is not a list of packages: {shown(word)}")
    return found
