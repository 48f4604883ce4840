"""Settings, read from the environment, with safe defaults."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

PACKAGE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = PACKAGE.parent
COOKIE_DAYS: Final = 400
MAX_BODY_BYTES: Final = 16 * 1024
NEWCOMERS: Final = "600/minute; 6000/hour"
"""New players that one address may bring. A school sits behind one, and a program could make a hundred a second."""
SERVER_THREADS: Final = 64
"""Threads for requests; each open event stream takes one more."""
POSTGRES_CONNECTIONS: Final = 20
"""Connections of one process at most; requests beyond wait. PostgreSQL allows 100 in all by default: room for four
processes and the lab."""


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

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Return the settings of an environment.

        Raises:
            ValueError: A setting makes no sense; the message names it.
        """
        instance = Path(environ.get("TEFUDA_INSTANCE") or _default_instance()).resolve()
        instance.mkdir(parents=True, exist_ok=True)
        key = environ.get("TEFUDA_SECRET_KEY") or _key_of(instance)
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
            streams=_whole("TEFUDA_STREAMS", environ, 512, 0, 99_999),
        )

    @property
    def https(self) -> bool:
        """True if browsers reach the site by https."""
        return self.public_url.startswith("https:")

    @property
    def sqlite(self) -> bool:
        """True if the database is SQLite."""
        return self.database_url.startswith("sqlite")


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
    return key


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


def _public_url(text: str) -> str:
    if text and (urlsplit(text).scheme not in ("http", "https") or not urlsplit(text).netloc):
        raise ValueError(f"TEFUDA_PUBLIC_URL is not an address like https://example.org: {text!r}")
    return text.rstrip("/")
