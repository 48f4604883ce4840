"""Settings, read from the environment, with safe defaults."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from webapp import setting_texts as texts
from webapp.setting_texts import Network, SettingReader, is_half_the_world, is_loopback, words

PACKAGE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = PACKAGE.parent
COOKIE_DAYS: Final = 400
MAX_BODY_BYTES: Final = 16 * 1024
NEWCOMERS: Final = "600/minute; 6000/hour"
"""New players that one address may bring. A school sits behind one, and a program could make a hundred a second."""
SERVER_THREADS: Final = 64
"""Threads that answer requests; event streams need none."""
DEFAULT_STREAMS: Final = 5_000
"""Event streams of one process unless ``TEFUDA_STREAMS`` says otherwise."""
POSTGRES_CONNECTIONS: Final = 20
"""Connections of one process at most; requests beyond wait. PostgreSQL allows 100 in all by default: room for four
processes and the lab."""
LOGGED_ADDRESSES: Final = ("network", "full", "off")
"""Choices for the addresses in the log: their network alone (/24, of IPv6 /48), the whole address, or none."""

TURN_SECONDS: Final = 10
"""Maximum wait for the write lock of SQLite. A request that waits longer is answered with 503."""
LOCK_SECONDS: Final = 5
"""Longest wait for a lock in the database: of another process on SQLite, of another transaction on PostgreSQL."""
STATEMENT_SECONDS: Final = 15
"""Longest time of one statement on PostgreSQL."""
IDLE_SECONDS: Final = 30
"""Longest pause in a transaction on PostgreSQL, which keeps its locks all the while."""
POOL_SECONDS: Final = 10
"""Longest wait for a connection."""


class SettingsError(ValueError):
    """Invalid settings; ``troubles`` has a sentence about each."""

    def __init__(self, troubles: tuple[str, ...]) -> None:
        super().__init__("\n".join(troubles))
        self.troubles = troubles


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
            SettingsError: Settings make no sense, or the instance folder cannot be used; the message names all of them.
        """
        settings, troubles = _read(environ)
        instance: Path = settings["instance"]
        try:
            if not any(trouble.startswith("TEFUDA_INSTANCE ") for trouble in troubles):
                instance.mkdir(parents=True, exist_ok=True)
                if not settings["secret_keys"][0]:
                    settings["secret_keys"] = (_key_of(instance), *settings["secret_keys"][1:])
        except OSError as error:
            troubles = (*troubles, f"the instance folder (TEFUDA_INSTANCE) cannot be used: {error}")
        except ValueError as error:
            troubles = (*troubles, str(error))
        if troubles:
            raise SettingsError(troubles)
        return cls(**settings)

    @property
    def https(self) -> bool:
        """True if browsers reach the site by https."""
        return self.public_url.startswith("https:")

    @property
    def believes_anybody(self) -> bool:
        """True if any client may claim any address: the proxies are not named, or all addresses are trusted."""
        anybody = not self.trusted_proxies or any(map(is_half_the_world, self.trusted_proxies))
        return bool(self.public_url) and anybody and not is_loopback(self.host)

    @property
    def origin(self) -> str:
        """Host and port to listen at; an IPv6 address stands in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def sqlite(self) -> bool:
        """True if the database is SQLite."""
        return self.database_url.startswith("sqlite")

    @property
    def has_near_database(self) -> bool:
        """True if the database is in this process or on this machine."""
        return self.sqlite or texts.is_database_here(self.database_url)


def setting_troubles(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence for each invalid setting. Nothing is created, and the instance is not examined."""
    return _read(environ)[1]


def _read(environ: Mapping[str, str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the fields of ``Config``, and a sentence for each invalid setting. The key may be missing."""
    reader = SettingReader(environ)
    read, days = reader.read, texts.whole(0, 36_500)
    instance = instance_folder(environ)
    read("TEFUDA_INSTANCE", str, secret=True)  # checks that the value is text; any path is allowed
    settings = {
        "instance": instance,
        "database_url": read("TEFUDA_DATABASE_URL", texts.database_url, f"sqlite:///{instance / 'tefuda.sqlite3'}"),
        "secret_keys": (
            read("TEFUDA_SECRET_KEY", texts.key, secret=True),
            *read("TEFUDA_SECRET_KEY_FALLBACKS", words, secret=True),
        ),
        "host": read("TEFUDA_HOST", texts.host, "127.0.0.1"),
        "port": read("TEFUDA_PORT", texts.port, "8000"),
        "trusted_hosts": read("TEFUDA_TRUSTED_HOSTS", texts.hosts),
        "public_url": read("TEFUDA_PUBLIC_URL", texts.public_url),
        "rate_limits": read("TEFUDA_RATE_LIMITS", texts.choice("on", "off"), "on") == "on",
        "lab_workers": read("TEFUDA_LAB_WORKERS", texts.whole(0, 256), str(max(1, (os.cpu_count() or 1) // 2))),
        "lab_rounds": read("TEFUDA_LAB_ROUNDS", texts.whole(1, 10**12), "20000000"),
        "games": read("TEFUDA_GAMES", texts.packages),
        "streams": read("TEFUDA_STREAMS", texts.whole(0, 99_999), str(DEFAULT_STREAMS)),
        "trusted_proxies": read("TEFUDA_TRUSTED_PROXIES", texts.networks),
        "logged_addresses": read("TEFUDA_LOG_ADDRESSES", texts.choice(*LOGGED_ADDRESSES), LOGGED_ADDRESSES[0]),
        "keep_hands": read("TEFUDA_KEEP_HANDS", days, "0"),
        "keep_tables": read("TEFUDA_KEEP_TABLES", days, "30"),
        "keep_newcomers": read("TEFUDA_KEEP_NEWCOMERS", days, "30"),
        "keep_jobs": read("TEFUDA_KEEP_JOBS", days, "90"),
        "keep_practice": read("TEFUDA_KEEP_PRACTICE", days, "90"),
        "metrics_token": read("TEFUDA_METRICS_TOKEN", texts.token, secret=True),
    }
    return settings, tuple(reader.troubles)


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
    """Return the content of the key file. The first process creates it, readable by its owner only."""
    path = instance / "secret_key"
    if not path.exists():
        fresh = path.with_name(f"secret_key.{secrets.token_hex(4)}")  # containers may have the same process ids
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    try:
        found = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text: put the key back, or remove the file and a new one is made") from None
    if not found.strip():
        raise ValueError(f"{path} is empty: put the key back, or remove the file and a new one is made")
    try:
        return texts.key(found)
    except ValueError as error:
        raise ValueError(f"{path} {error}") from error
