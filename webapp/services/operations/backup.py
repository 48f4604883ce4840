"""Copies of an SQLite database while it is in use, and the way back."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flask_sqlalchemy.session import Session
from sqlalchemy import select
from sqlalchemy.orm import scoped_session

from webapp.extensions import db
from webapp.models import OPEN, Hand, SharedTable, Shoe
from webapp.services.core.clock import now_ms
from webapp.services.core.transaction import writing
from webapp.services.fairness.sealing import SeedOwner, is_unreadable, unseal_seed
from webapp.services.solo.expiry import void_hand
from webapp.services.solo.shoes import put_away
from webapp.services.tables import rounds

AHEAD: Final = 1_000_000
"""Pages may have seen versions of a table that the books do not know: what they are told must come after these."""


def database_file() -> Path | None:
    """Where the SQLite database lies; None on another kind of database."""
    url = db.engine.url
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def copy_database(source: Path, target: Path) -> None:
    """A consistent copy by SQLite's online backup, which waits for writers as they wait for it."""
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old, closing(sqlite3.connect(target)) as new:
        old.execute("SELECT count(*) FROM hand").fetchone()
        old.backup(new)


@dataclass(frozen=True, slots=True)
class Voided:
    """``in_play``: how many hands and rounds were. ``sealed``: keys of hands and shoes that are over and that no key
    here opens; of earlier ones, too.
    """

    in_play: int
    sealed: tuple[str, ...]


def void_open_hands() -> Voided:
    """After a restore: cookies may know more of these hands than the books do. Stakes go back by ledger rows.

    Rounds of shared tables are among them, and their tables are closed; Refusal ``box-broken`` for one that no key
    opens, and then all tables are as they were. What was given up for want of a key is revealed if the key is here now.
    """
    now = now_ms()
    rounds_in_play = 0
    with writing() as session:
        hands = session.scalars(select(Hand).where(Hand.status.in_(OPEN))).all()
        for hand in hands:
            void_hand(hand, now)
        for shoe in session.scalars(select(Shoe).where(Shoe.closed_at.is_(None))):
            put_away(shoe, now)  # its next cards may have been seen already
        sealed = tuple(deck.key for deck in _given_up(session) if not _is_revealed(deck))
    with writing() as session:
        for table in session.scalars(select(SharedTable).where(SharedTable.phase != "closed")):
            table.version += AHEAD
            rounds_in_play += rounds.void_round(table, now)
    return Voided(len(hands) + rounds_in_play, sealed)


def _given_up(session: scoped_session[Session]) -> tuple[SeedOwner, ...]:
    hands = session.scalars(select(Hand).where(Hand.finished_at.is_not(None), Hand.sealed_seed.is_not(None)))
    shoes = session.scalars(select(Shoe).where(Shoe.closed_at.is_not(None), Shoe.sealed_seed.is_not(None)))
    return (*hands, *shoes)


def _is_revealed(deck: SeedOwner) -> bool:
    """Whether it is now: its key may have come back."""
    if is_unreadable(deck):
        return False
    deck.revealed_seed, deck.sealed_seed = unseal_seed(deck.sealed_seed, deck).hex(), None
    return True
