"""Restoring a backup: it takes the place of the present database, and hands that were open become void."""

import os
import sqlite3
import stat
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.extensions import db
from webapp.models import IS_PLAY, IS_PUBLIC, OPEN, Hand, SharedTable, Shoe, TableRound
from webapp.services import purses
from webapp.services.core.clock import now_ms, to_datetime
from webapp.services.core.database import set_limits, writing
from webapp.services.fairness.sealing import SeedOwner, is_unreadable, unseal_seed
from webapp.services.operations.serving_lock import SiteIsServing
from webapp.services.operations.sqlite_file import COMPANIONS, address
from webapp.services.solo.expiry import void_hand
from webapp.services.solo.prepared import drop_prepared, is_prepared
from webapp.services.solo.shoes import put_away
from webapp.services.tables import rounds, settlement


def draft_beside(target: Path) -> Path:
    """Return the path of a draft: in the same folder, so that a rename replaces the target in one step."""
    return target.with_name(f"{target.name}.restoring-{os.getpid()}")


def replace_database(draft: Path, target: Path) -> Path | None:
    """Rename a draft to the target, and return where the target's old content is now, None if there was none.

    Who could read the target can read what takes its place.

    Raises:
        SiteIsServing: A connection to the target is open.
        sqlite3.Error: The draft is not whole.
    """
    _into_one_file(draft)
    kept = None
    if target.exists():
        with suppress(sqlite3.DatabaseError):  # what cannot be read is kept as it is
            _close_up(target)
        draft.chmod(stat.S_IMODE(target.stat().st_mode))
        kept = _keep(target)
    draft.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return kept


def _into_one_file(database: Path) -> None:
    """Write what lies beside a database into it. SQLite refuses while another connection is open."""
    with closing(sqlite3.connect(address(database, "rw"), uri=True, timeout=1, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE").fetchone()


def _close_up(target: Path) -> None:
    try:
        _into_one_file(target)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise SiteIsServing from error
        raise


def _keep(target: Path) -> Path:
    """Give the content of the target another name beside its own; the target itself stays until it is replaced."""
    at = to_datetime(now_ms()).strftime("%Y%m%d-%H%M%S")
    names = (
        target.with_name(f"{target.name}.before-restore-{at}{more}") for more in ("", *map("-{}".format, range(99)))
    )
    kept = next(name for name in names if not name.exists())
    for ending in COMPANIONS:  # only of a database that could not be read
        with suppress(FileNotFoundError):
            Path(f"{target}{ending}").rename(f"{kept}{ending}")
    kept.hardlink_to(target)
    return kept


AHEAD: Final = 1_000_000
"""Added to the version of every table: pages may have seen versions that are newer than the backup."""


def close_connections() -> None:
    """Close all connections to the database of the current app, so that its file can be renamed."""
    db.session.remove()
    db.engine.dispose()


@dataclass(frozen=True, slots=True)
class Voided:
    """Result of ``void_open_hands``: how many hands and rounds were in play, and what no key opens.

    ``sealed`` are keys of hands, shoes and rounds that are over, also earlier ones, and whose seed cannot be revealed.
    """

    in_play: int
    sealed: tuple[str, ...]


def void_open_hands() -> Voided:
    """End all open hands and rounds and give the stakes back: after a restore, when cookies may be ahead of the rows.

    Shared tables are closed. Hands, shoes and rounds that were ended while their key was missing are revealed, if it is
    here.
    """
    now = now_ms()
    rounds_in_play = 0
    with writing() as session:
        set_limits(session.connection(), 0)
        hands = session.scalars(select(Hand).where(Hand.status.in_(OPEN), IS_PLAY)).all()
        begun = [hand for hand in hands if not is_prepared(hand)]
        for hand in hands:
            if hand.shoe_key and is_prepared(hand):
                drop_prepared(hand)
                continue
            if is_prepared(hand):
                # it may have been dealt since the backup: with a number it cannot be dealt from a cookie any more
                hand.seq = purses.begin_hand(hand.player_id, hand.game, None, now)
            void_hand(hand, now)
        for shoe in session.scalars(select(Shoe).where(Shoe.closed_at.is_(None))):
            put_away(shoe, now)  # players may have seen its next cards since the backup
        sealed = tuple(owner.key for owner in _given_up(session) if not _reveal(owner))
    with writing() as session:
        set_limits(session.connection(), 0)
        for table in session.scalars(select(SharedTable).where(SharedTable.phase != "closed")):
            table.version += AHEAD
            rounds_in_play += settlement.void_round(table, now)
        session.flush()
        over = select(TableRound).where(TableRound.finished_at.is_not(None), TableRound.sealed_seed.is_not(None))
        for round in session.scalars(over).all():
            rounds.reveal(round)
            sealed += () if round.revealed_seed else (round.key,)
    return Voided(len(begun) + rounds_in_play, sealed)


def _given_up(session: Session) -> tuple[SeedOwner, ...]:
    """Return hands and shoes that are over, and still sealed."""
    hands = session.scalars(select(Hand).where(IS_PUBLIC, Hand.sealed_seed.is_not(None)))
    had_a_cut = (Shoe.closed_at.is_not(None), Shoe.cut.is_not(None))
    shoes = session.scalars(select(Shoe).where(*had_a_cut, Shoe.sealed_seed.is_not(None)))
    return (*hands, *shoes)


def _reveal(owner: SeedOwner) -> bool:
    """Reveal the seed if a key opens it. Return False if none does."""
    if is_unreadable(owner):
        return False
    owner.revealed_seed, owner.sealed_seed = unseal_seed(owner.sealed_seed, owner).hex(), None
    return True
