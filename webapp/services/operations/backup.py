"""Backups of an SQLite database while it is in use, and what has to be done after a restore."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.extensions import db
from webapp.models import OPEN, Hand, SharedTable, Shoe
from webapp.services.core.clock import now_ms
from webapp.services.core.transaction import writing
from webapp.services.fairness.sealing import SeedOwner, is_unreadable, unseal_seed
from webapp.services.solo.expiry import void_hand
from webapp.services.solo.shoes import put_away
from webapp.services.tables import rounds

AHEAD: Final = 1_000_000
"""Added to the version of every table: pages may have seen versions that are newer than the backup."""


def database_file() -> Path | None:
    """Return the file of the SQLite database; None for any other kind of database."""
    url = db.engine.url
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def copy_database(source: Path, target: Path) -> None:
    """Make a consistent copy by SQLite's online backup, while people play."""
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old, closing(sqlite3.connect(target)) as new:
        old.execute("SELECT count(*) FROM hand").fetchone()
        old.backup(new)


@dataclass(frozen=True, slots=True)
class Voided:
    """Result of ``void_open_hands``: how many hands and rounds were in play, and what no key opens.

    ``sealed`` are keys of hands and shoes that are over, also earlier ones, and whose seed cannot be revealed.
    """

    in_play: int
    sealed: tuple[str, ...]


def void_open_hands() -> Voided:
    """End all open hands and rounds and give the stakes back: after a restore, when cookies may be ahead of the rows.

    Shared tables are closed. Hands and shoes that were ended while their key was missing are revealed, if it is here.

    Raises:
        Refusal: ``box-broken``: no key opens a round. Then all tables are as they were.
    """
    now = now_ms()
    rounds_in_play = 0
    with writing() as session:
        hands = session.scalars(select(Hand).where(Hand.status.in_(OPEN))).all()
        for hand in hands:
            void_hand(hand, now)
        for shoe in session.scalars(select(Shoe).where(Shoe.closed_at.is_(None))):
            put_away(shoe, now)  # its next cards may have been seen already
        sealed = tuple(owner.key for owner in _given_up(session) if not _reveal(owner))
    with writing() as session:
        for table in session.scalars(select(SharedTable).where(SharedTable.phase != "closed")):
            table.version += AHEAD
            rounds_in_play += rounds.void_round(table, now)
    return Voided(len(hands) + rounds_in_play, sealed)


def _given_up(session: Session) -> tuple[SeedOwner, ...]:
    """Return hands and shoes that are over, and still sealed."""
    hands = session.scalars(select(Hand).where(Hand.finished_at.is_not(None), Hand.sealed_seed.is_not(None)))
    shoes = session.scalars(select(Shoe).where(Shoe.closed_at.is_not(None), Shoe.sealed_seed.is_not(None)))
    return (*hands, *shoes)


def _reveal(owner: SeedOwner) -> bool:
    """Reveal the seed if a key opens it. Return False if none does."""
    if is_unreadable(owner):
        return False
    owner.revealed_seed, owner.sealed_seed = unseal_seed(owner.sealed_seed, owner).hex(), None
    return True
