"""Checks of an installation: settings, key, database, disk, clock, proxy and limits. Each trouble is one sentence."""

import os
import resource
import shutil
import socket
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.sansio.utils import host_is_trusted

from webapp.config import GONE, NAMES, POSTGRES_CONNECTIONS, Config, gone_settings
from webapp.extensions import db
from webapp.ip_addresses import is_half_the_world, is_loopback
from webapp.models import IS_PLAY, Hand, LedgerEntry, Shoe, TableRound, TableSeat
from webapp.services.core.clock import SECOND, database_ms, now_ms
from webapp.services.fairness.sealing import is_unreadable
from webapp.services.operations import readiness
from webapp.services.operations.database_sentences import missing_file, sentence
from webapp.services.operations.sqlite_file import database_file
from webapp.services.records.stored_round import is_sealed

ENOUGH_DISK: Final = 256 * 1024 * 1024
"""Free bytes below which a disk is about to be full: the site itself stops at 16 MB."""
CLOCK: Final = 5
"""Seconds by which clocks may differ."""
LOOKED_AT: Final = 50
"""Sealed hands that the key is tried on."""
LISTENER: Final = 1
"""Connections of a process besides its pool, on PostgreSQL."""
FEW_STREAMS: Final = 2_500
"""Streams that the limit on open files must allow; 4,096 files, a common limit, do."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A trouble, in one line; ``where`` is the part of the installation."""

    where: str
    what: str


def unknown_settings(environ: Mapping[str, str]) -> Iterator[Trouble]:
    """Name variables that look like settings, and are none, or none any more."""
    yield from (Trouble("settings", gone) for gone in gone_settings(environ))
    for name in sorted(environ):
        if name.startswith("TEFUDA_") and name not in NAMES | GONE.keys():
            shown = name.encode("utf-8", "backslashreplace").decode()  # names may contain any bytes
            yield Trouble("settings", f"{shown} is no setting, and changes nothing")


def examine(config: Config) -> Iterator[Trouble]:
    """Return all troubles of the current app. Nothing is changed."""
    checks: tuple[tuple[str, Callable[[Config], Iterator[str]]], ...] = (
        ("key", _key_file),
        ("settings", _host),
        ("disk", _disk),
        ("proxy", _proxy),
        ("limits", _limits),
    )
    for where, check in checks:
        yield from (Trouble(where, what) for what in check(config))
    unusable = _database(config)
    if unusable:
        yield Trouble("database", unusable)
        return
    yield from (Trouble("database", what) for what in _readable_by_others())
    try:
        yield from (Trouble("database", what) for what in _connections(config))
        yield from (Trouble("key", what) for what in _sealed_with_other_keys())
        yield from (Trouble("clock", what) for what in _clock())
    except SQLAlchemyError as error:
        said = sentence(error, config.database_url)
        if said is None:
            raise
        yield Trouble("database", said)


def _key_file(config: Config) -> Iterator[str]:
    path = config.instance / "secret_key"
    if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
        yield f"{path} can be read by others: chmod 600 {path}"


def _host(config: Config) -> Iterator[str]:
    """Listen where the site would, at any port: its own may be in use by the site."""
    try:
        found = socket.getaddrinfo(config.host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        yield f"TEFUDA_HOST names no address: {config.host}: {getattr(error, 'strerror', None) or error}"
        return
    family, kind, protocol, _, address = found[0]
    try:
        with socket.socket(family, kind, protocol) as trying:
            trying.bind(address)
    except OSError as error:
        yield f"TEFUDA_HOST is no address of this machine: {config.host}: {error.strerror or error}"


def _disk(config: Config) -> Iterator[str]:
    folders = {config.instance}
    file = database_file()
    if file is not None:
        folders.add(file.parent)
    for folder in sorted(filter(Path.is_dir, folders)):
        if not os.access(folder, os.W_OK | os.X_OK):
            yield f"{folder} cannot be written"
        free = shutil.disk_usage(folder).free
        if free < ENOUGH_DISK:
            yield f"{folder} has {free // 1_000_000} MB left; the site stops at {readiness.FREE // 1_000_000}"


def _proxy(config: Config) -> Iterator[str]:
    if wide := [str(network) for network in config.trusted_proxies if is_half_the_world(network)]:
        yield (
            f"TEFUDA_TRUSTED_PROXIES holds {', '.join(wide)}: whoever comes from there can claim any address, and "
            "escape every limit. Name your proxies alone"
        )
    elif config.believes_anybody:
        yield (
            f"whoever reaches port {config.port} directly can claim any address: listen at 127.0.0.1, or name your "
            "proxies in TEFUDA_TRUSTED_PROXIES"
        )
    if config.trusted_proxies and not config.public_url:
        yield "TEFUDA_TRUSTED_PROXIES is not used without TEFUDA_PUBLIC_URL: all visitors come from the proxy's address"
    public = urlsplit(config.public_url)
    if public.hostname and config.trusted_hosts and not host_is_trusted(_ascii(public.hostname), config.trusted_hosts):
        yield f"TEFUDA_TRUSTED_HOSTS lacks {public.hostname}, the host of TEFUDA_PUBLIC_URL: its visitors are refused"
    if public.scheme == "http" and public.hostname and not is_loopback(public.hostname):
        yield "TEFUDA_PUBLIC_URL is http: cookies can be read on their way"


def _ascii(host: str) -> str:
    """Return a host name as browsers send it."""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _limits(config: Config) -> Iterator[str]:
    if not config.rate_limits:
        yield "TEFUDA_RATE_LIMITS is off: one visitor can take all of the site"
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * FEW_STREAMS // 3 + 256  # streams may have three quarters of the files that connections may have
    if hard != resource.RLIM_INFINITY and hard < wanted:
        yield f"a process may open {hard} files, {wanted} are wanted for {FEW_STREAMS} streams: raise LimitNOFILE"


def _database(config: Config) -> str:
    """Return why the database cannot be used, nothing if it can."""
    if missing := missing_file(config.database_url):
        return missing
    try:
        readiness.Probe(config).check_ready()
    except readiness.NotReady as error:
        said = sentence(error.__cause__, config.database_url) if error.__cause__ else None
        return said or (f"{error}: tefuda db upgrade" if "revision" in str(error) else str(error))
    return ""


def _readable_by_others() -> Iterator[str]:
    """Look at the mode of an SQLite file, if its folder is open to everybody."""
    file = database_file()
    if file is not None and file.stat().st_mode & 0o004 and file.parent.stat().st_mode & 0o001:
        yield f"{file} can be read by everybody on this machine: chmod o= {file}"


def _connections(config: Config) -> Iterator[str]:
    if config.sqlite:
        return
    allowed = int(db.session.execute(text("SHOW max_connections")).scalar_one())
    wanted = 2 * (POSTGRES_CONNECTIONS + LISTENER)
    if allowed < wanted:
        yield f"PostgreSQL allows {allowed} connections, two processes and a rolling restart want {wanted}"


def _sealed_with_other_keys() -> Iterator[str]:
    """Try the keys on what is in play."""
    hands = select(Hand).where(Hand.status == "live", IS_PLAY, Hand.shoe_key.is_(None))
    shoes = select(Shoe).where(Shoe.closed_at.is_(None), Shoe.cut.is_not(None))
    owners = (*db.session.scalars(hands.limit(LOOKED_AT)), *db.session.scalars(shoes.limit(LOOKED_AT)))
    rounds = db.session.scalars(select(TableRound).where(TableRound.finished_at.is_(None)).limit(LOOKED_AT)).all()
    sealed = sum(is_unreadable(owner) for owner in owners) + sum(map(is_sealed, rounds))
    if sealed:
        yield (
            f"{sealed} of {len(owners) + len(rounds)} hands, shoes and rounds in play are sealed with a key that is "
            "not here: name it in TEFUDA_SECRET_KEY_FALLBACKS"
        )


def _clock() -> Iterator[str]:
    here = now_ms()
    if db.engine.dialect.name == "postgresql":
        there = database_ms(db.engine)
        if abs(here - there) > CLOCK * SECOND:
            yield f"this machine and the database differ by {abs(here - there) // SECOND} seconds"
        return
    latest = max(db.session.scalar(select(func.max(time))) or 0 for time in (TableSeat.seen_at, LedgerEntry.at))
    if latest > here + CLOCK * SECOND:
        yield f"the latest entry is {(latest - here) // SECOND} seconds ahead of this machine's time of day"
