"""Settings, read from the environment, with safe defaults."""

import os
import secrets
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from webapp import setting_texts as texts
from webapp.ip_addresses import Network, is_half_the_world, is_loopback

PACKAGE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = PACKAGE.parent
COOKIE_DAYS: Final = 400
MAX_BODY_BYTES: Final = 16 * 1024
NEWCOMERS: Final = "600/minute; 6000/hour"
"""New players that one address may bring. A school sits behind one, and a program could make a hundred a second."""
SERVER_THREADS: Final = 64
"""Threads that answer requests; event streams need none."""
STREAMS: Final = 6_000
"""Event streams of one process at most, a hundred megabytes; pages beyond ask from time to time instead."""
LAB_ROUNDS: Final = 20_000_000
"""Most rounds of a job that is asked for in the page."""
POSTGRES_CONNECTIONS: Final = 20
"""Connections of one process at most; requests beyond wait. PostgreSQL allows 100 in all by default: room for four
processes and the lab."""

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

_Words = BeforeValidator(texts.words)
_Secret = Field(repr=False)
_Days = Annotated[int, Field(ge=0, le=36_500)]


class SettingsError(ValueError):
    """Invalid settings; ``troubles`` has a sentence about each."""

    def __init__(self, troubles: tuple[str, ...]) -> None:
        super().__init__("\n".join(troubles))
        self.troubles = troubles


class Config(BaseModel):
    """Settings, read once at start: ``port`` is ``TEFUDA_PORT`` of the environment, and so is each other field.

    No secret has a default: without a key in the environment the instance gets one.
    """

    model_config = ConfigDict(frozen=True, alias_generator=lambda field: f"TEFUDA_{field.upper()}")

    instance: Path
    database_url: Annotated[str, AfterValidator(texts.database_url), _Secret] = ""
    """By default that of a file in the instance folder."""
    secret_key: Annotated[str, AfterValidator(texts.key), _Secret] = ""
    """The key that signs and seals; by default that of the instance."""
    secret_key_fallbacks: Annotated[tuple[str, ...], _Words, _Secret] = ()
    """Older keys that are still read, newest first."""
    host: Annotated[str, Field(pattern=r"^[\w.:%-]+$")] = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65_535)] = 8000
    trusted_hosts: Annotated[tuple[Annotated[str, AfterValidator(texts.host_name)], ...], _Words] = ()
    public_url: Annotated[str, AfterValidator(texts.public_url)] = ""
    rate_limits: bool = True
    lab_workers: Annotated[int, Field(ge=0, le=256)] = max(1, (os.cpu_count() or 1) // 2)
    """Processes that simulate; 0: the site starts none."""
    games: Annotated[tuple[Annotated[str, AfterValidator(texts.package)], ...], _Words] = ()
    """Packages of games that are not the site's own."""
    trusted_proxies: Annotated[
        tuple[Annotated[Network, BeforeValidator(lambda text: ip_network(text, strict=False))], ...], _Words
    ] = ()
    """Networks whose ``X-Forwarded-For`` and ``-Proto`` are believed where there is a public URL; none: anybody's."""
    log_addresses: Literal["network", "full", "off"] = "network"
    """Addresses in the log: their network alone (/24, of IPv6 /48), the whole address, or none."""
    keep_days: _Days = 90
    """Days for which all but hands is kept that is over, 0 for ever: closed tables, newcomers who left, simulations,
    practice hands."""
    metrics_token: Annotated[str, Field(min_length=16, pattern=r"^[ -~]+$", repr=False)] = ""
    """Secret word with which ``/metrics`` is asked for; without one it is not there."""

    @field_validator("*", mode="before")
    @classmethod
    def _check_text(cls, text: str) -> str:
        """Refuse bytes that are no text: an environment may hold any."""
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError("is no text in UTF-8") from None
        return text

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Return the settings of an environment.

        Raises:
            SettingsError: Settings make no sense, or the instance folder cannot be used; the message names all of them.
        """
        given, troubles = _given(environ), setting_troubles(environ)
        try:
            if not any(trouble.startswith("TEFUDA_INSTANCE") for trouble in troubles):
                instance = Path(given["TEFUDA_INSTANCE"])
                instance.mkdir(parents=True, exist_ok=True)
                given.setdefault("TEFUDA_DATABASE_URL", f"sqlite:///{instance / 'tefuda.sqlite3'}")
                if "TEFUDA_SECRET_KEY" not in given:
                    given["TEFUDA_SECRET_KEY"] = _key_of(instance)
        except OSError as error:
            troubles = (*troubles, f"the instance folder (TEFUDA_INSTANCE) cannot be used: {error}")
        except ValueError as error:
            troubles = (*troubles, str(error))
        if troubles:
            raise SettingsError(troubles)
        return cls.model_validate(given)

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """The key that signs and seals, then older ones that are still read."""
        return self.secret_key, *self.secret_key_fallbacks

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


NAMES: Final = frozenset(str(field.alias) for field in Config.model_fields.values())
"""Variables of the environment that are read."""
GONE: Final[Mapping[str, str]] = {
    "TEFUDA_KEEP_HANDS": "finished hands are kept for ever: a link that was given out is a promise",
    "TEFUDA_LAB_ROUNDS": f"a simulation has at most {LAB_ROUNDS:,} rounds",
    "TEFUDA_STREAMS": f"a process keeps {STREAMS:,} event streams, or as many as the limit on open files allows",
    **dict.fromkeys(
        ("TEFUDA_KEEP_TABLES", "TEFUDA_KEEP_NEWCOMERS", "TEFUDA_KEEP_JOBS", "TEFUDA_KEEP_PRACTICE"),
        "TEFUDA_KEEP_DAYS now says it of tables, newcomers, simulations and practice hands alike",
    ),
}
"""Variables that were read once, and what is so instead."""


def setting_troubles(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence for each invalid setting. Nothing is created, and the instance is not examined."""
    try:
        Config.model_validate(_given(environ))
    except ValidationError as error:
        return tuple(map(_sentence, error.errors()))
    return ()


def gone_settings(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence for each variable that was a setting once, and is none any more."""
    return tuple(f"{name} is no setting any more: {instead}" for name, instead in GONE.items() if environ.get(name))


def _given(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of an environment that are not empty, and the instance folder."""
    given = {name: text for name, text in environ.items() if name in NAMES and text}
    return {**given, "TEFUDA_INSTANCE": str(instance_folder(environ))}


def _sentence(error: ErrorDetails) -> str:
    """Return what is wrong with a setting. Only our own checks repeat a value, of what is no secret."""
    name, own = error["loc"][0], error.get("ctx", {}).get("error")
    return f"{name} {own}" if own else f"{name}: {error['msg']}"


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
