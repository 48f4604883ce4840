"""Copies of an SQLite database while it is in use, and the way back."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import func, select

from webapp.extensions import db
from webapp.models import OPEN, CardTable, Hand, LedgerEntry, Shoe
from webapp.services import purses
from webapp.services.forfeits import close
from webapp.services.shoes import close_shoe
from webapp.services.tables import rounds
from webapp.services.transaction import writing

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


def void_open_hands() -> int:
    """After a restore: cookies may know more of these hands than the books do. Stakes go back by ledger rows.

    Rounds of shared tables are among them, and their tables are closed. How many hands and rounds were in play.
    """
    now = int(time.time())
    rounds_in_play = 0
    with writing() as session:
        hands = session.scalars(select(Hand).where(Hand.status.in_(OPEN))).all()
        for hand in hands:
            close(hand, "void", now)
            charged = session.scalars(
                select(func.sum(LedgerEntry.amount)).where(LedgerEntry.hand_key == hand.key)
            ).one()
            purses.refund(hand, -(charged or 0), now)
        for shoe in session.scalars(select(Shoe).where(Shoe.closed_at.is_(None))):
            close_shoe(shoe, now)  # its next cards may have been seen already
        for table in session.scalars(select(CardTable).where(CardTable.phase != "closed")):
            table.version += AHEAD
            rounds_in_play += rounds.void(table, 1000 * now)
    return len(hands) + rounds_in_play
