"""Settings, read from the environment, with safe defaults."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

PACKAGE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = PACKAGE.parent
COOKIE_DAYS: Final = 400
MAX_BODY_BYTES: Final = 16 * 1024
NEWCOMERS: Final = "600/minute; 6000/hour"
"""New players that one address may bring. A school sits behind one, and a program could make a hundred a second."""
KEY_LENGTH: Final = 32
"""Characters of a secret key at least. The key that is made for an instance has 64."""
TOKEN_LENGTH: Final = 16
SERVER_THREADS: Final = 64
"""Threads that answer requests; event streams need none."""
POSTGRES_CONNECTIONS: Final = 20
"""Connections of one process at most; requests beyond wait. PostgreSQL allows 100 in all by default: room for four
processes and the lab."""
LOGGED_ADDRESSES: Final = ("network", "full", "off")
"""Choices for the addresses in the log: their network alone (/24, of IPv6 /48), the whole address, or none."""

TURN_SECONDS: Final = 10
"""Longest wait for the turn to write to SQLite. Whoever waits longer is asked to come back."""
LOCK_SECONDS: Final = 5
"""Longest wait for a lock in the database: of another process on SQLite, of another transaction on PostgreSQL."""
STATEMENT_SECONDS: Final = 15
"""Longest time of one statement on PostgreSQL."""
IDLE_SECONDS: Final = 30
"""Longest pause in a transaction on PostgreSQL, which keeps its locks all the while."""
POOL_SECONDS: Final = 10
"""Longest wait for a connection."""

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Config:
    """Settings, read once at start. No secret has a default: without a key in the environment the instance gets one."""

    instance: Path
    database_url: str
    secret_keys: tuple[str, ...]
    """The key that signs and seals, then older ones that are still read, newest first."""
    host: str
    port: int
    trusted_hosts: tuple[str, ...]
    public_url: str
    rate_limits: bool
    lab_workers: int
    """Processes that simulate; 0: the site starts none."""
    lab_rounds: int
    """Most rounds of a job that is asked for in the page."""
    games: tuple[str, ...]
    """Packages of games that are not the site's own."""
    streams: int
    """Event streams that one process keeps open; pages beyond ask from time to time instead."""
    trusted_proxies: tuple[Network, ...]
    """Networks whose ``X-Forwarded-For`` and ``-Proto`` are believed where there is a public URL; none: anybody's."""
    logged_addresses: str
    """One of ``LOGGED_ADDRESSES``."""
    keep_hands: int
    """Days for which finished hands are kept, 0 for ever; so are the following."""
    keep_tables: int
    keep_newcomers: int
    keep_jobs: int
    keep_practice: int
    metrics_token: str
    """Secret word with which ``/metrics`` is asked for; without one it is not there."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Return the settings of an environment.

        Raises:
            ValueError: A setting makes no sense; the message names it.
            OSError: The instance folder cannot be made, or its key cannot be read or written.
        """
        instance = instance_folder(environ)
        instance.mkdir(parents=True, exist_ok=True)
        given = environ.get("TEFUDA_SECRET_KEY")
        key = _long_enough(given, "TEFUDA_SECRET_KEY") if given else _key_of(instance)
        url = environ.get("TEFUDA_DATABASE_URL") or f"sqlite:///{instance / 'tefuda.sqlite3'}"
        return cls(
            instance=instance,
            database_url=_database_url(url),
            secret_keys=(key, *words(environ.get("TEFUDA_SECRET_KEY_FALLBACKS", ""))),
            host=environ.get("TEFUDA_HOST", "127.0.0.1"),
            port=_port(environ.get("TEFUDA_PORT", "8000")),
            trusted_hosts=words(environ.get("TEFUDA_TRUSTED_HOSTS", "")),
            public_url=_public_url(environ.get("TEFUDA_PUBLIC_URL", "")),
            rate_limits=environ.get("TEFUDA_RATE_LIMITS", "on") != "off",
            lab_workers=_whole("TEFUDA_LAB_WORKERS", environ, max(1, (os.cpu_count() or 1) // 2), 0, 256),
            lab_rounds=_whole("TEFUDA_LAB_ROUNDS", environ, 20_000_000, 1, 10**12),
            games=words(environ.get("TEFUDA_GAMES", "")),
            streams=_whole("TEFUDA_STREAMS", environ, 2_500, 0, 99_999),
            trusted_proxies=_networks("TEFUDA_TRUSTED_PROXIES", environ),
            logged_addresses=_choice("TEFUDA_LOG_ADDRESSES", environ, LOGGED_ADDRESSES),
            keep_hands=_whole("TEFUDA_KEEP_HANDS", environ, 0, 0, 36_500),
            keep_tables=_whole("TEFUDA_KEEP_TABLES", environ, 30, 0, 36_500),
            keep_newcomers=_whole("TEFUDA_KEEP_NEWCOMERS", environ, 30, 0, 36_500),
            keep_practice=_whole("TEFUDA_KEEP_PRACTICE", environ, 90, 0, 36_500),
            metrics_token=_token("TEFUDA_METRICS_TOKEN", environ),
            keep_jobs=_whole("TEFUDA_KEEP_JOBS", environ, 90, 0, 36_500),
        )

    @property
    def https(self) -> bool:
        """True if browsers reach the site by https."""
        return self.public_url.startswith("https:")

    @property
    def believes_anybody(self) -> bool:
        """True if whoever reaches the port may claim any address: a proxy is expected, and nothing says which it is."""
        return bool(self.public_url) and not self.trusted_proxies and not is_loopback(self.host)

    @property
    def origin(self) -> str:
        """Host and port to listen at; an IPv6 address stands in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def sqlite(self) -> bool:
        """True if the database is SQLite."""
        return self.database_url.startswith("sqlite")


def instance_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of the instance, which may not be there yet."""
    return Path(environ.get("TEFUDA_INSTANCE") or _default_instance()).resolve()


def beside(folder: str) -> Path:
    """Return the folder of templates or static files: in the package if installed, else at the top of the checkout."""
    installed = PACKAGE / folder
    return installed if installed.is_dir() else CHECKOUT / folder


def _default_instance() -> Path:
    """Return the folder beside the code in a checkout, in the user's data folder when installed."""
    if (CHECKOUT / "pyproject.toml").exists():
        return CHECKOUT / "instance"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share")) / "tefuda"


def _key_of(instance: Path) -> str:
    """Return the content of the key file, which the first process to start makes, readable by its owner alone."""
    path = instance / "secret_key"
    if not path.exists():
        fresh = path.with_name(f"secret_key.{os.getpid()}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    key = path.read_text()
    if not key.strip():
        raise ValueError(f"{path} is empty: put the key back, or remove the file and a new one is made")
    return _long_enough(key, str(path))


def _long_enough(key: str, where: str) -> str:
    """Return a key that nobody can try out. Older keys may be shorter: they are only read."""
    if len(key) < KEY_LENGTH:
        raise ValueError(
            f"{where} has {len(key)} characters, a key needs {KEY_LENGTH}. Make one with: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(48))' and put the short one into "
            "TEFUDA_SECRET_KEY_FALLBACKS, so that cookies and hands of today stay readable"
        )
    return key


def _token(name: str, environ: Mapping[str, str]) -> str:
    """Return a secret word, or nothing. The message about a short one does not repeat it."""
    token = environ.get(name, "")
    if token and not (len(token) >= TOKEN_LENGTH and token.isascii() and token.isprintable()):
        raise ValueError(f"{name} needs {TOKEN_LENGTH} printable characters at least")
    return token


def is_loopback(host: str) -> bool:
    """Return True if an address to listen at is reached from this machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _database_url(text: str) -> str:
    """Return the address for SQLAlchemy. The message about a wrong one does not repeat it: it may hold a password."""
    if text.partition(":")[0].partition("+")[0] not in ("sqlite", "postgresql"):
        raise ValueError("TEFUDA_DATABASE_URL is not an address like postgresql://... or sqlite:///...")
    return text.replace("postgresql://", "postgresql+psycopg://", 1)


def words(text: str) -> tuple[str, ...]:
    """Return the words of a setting, which commas separate."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise ValueError(f"TEFUDA_PORT is not a port: {text!r}")
    return int(text)


def _whole(name: str, environ: Mapping[str, str], default: int, least: int, most: int) -> int:
    text = environ.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and len(text) < 15 and least <= int(text) <= most):
        raise ValueError(f"{name} is not a whole number from {least} to {most}: {text[:80]!r}")
    return int(text)


def _networks(name: str, environ: Mapping[str, str]) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(word, strict=False) for word in words(environ.get(name, "")))
    except ValueError as error:
        raise ValueError(
            f"{name} is not a list of addresses and networks like 127.0.0.1,10.0.0.0/8: {error}"
        ) from error


def _choice(name: str, environ: Mapping[str, str], choices: tuple[str, ...]) -> str:
    chosen = environ.get(name) or choices[0]
    if chosen not in choices:
        raise ValueError(f"{name} is none of {', '.join(choices)}: {chosen[:80]!r}")
    return chosen


def _public_url(text: str) -> str:
    if text and (urlsplit(text).scheme not in ("http", "https") or not urlsplit(text).netloc):
        raise ValueError(f"TEFUDA_PUBLIC_URL is not an address like https://example.org: {text!r}")
    return text.rstrip("/")
