"""The audit of purses and their ledgers."""

from collections.abc import Iterator

from sqlalchemy import func, select

from webapp.extensions import db
from webapp.models import LedgerEntry, PrunedCount, Purse
from webapp.services.operations.audit.finding import BATCH, Finding


def check_purses() -> Iterator[Finding]:
    """Check that each balance is the sum of its entries, and that every entry states the balance after it."""
    running: dict[tuple[str, str], int] = {}
    entries = select(LedgerEntry).order_by(LedgerEntry.id).execution_options(yield_per=BATCH)
    for entry in db.session.scalars(entries):
        purse = (entry.player_id, entry.game)
        running[purse] = running.get(purse, 0) + entry.amount
        if entry.balance_after != running[purse]:
            yield Finding(f"ledger entry {entry.id}", f"says {entry.balance_after} where the sum is {running[purse]}")
    best = (
        select(LedgerEntry.player_id, LedgerEntry.game, func.max(LedgerEntry.amount))
        .where(LedgerEntry.reason == "payout")
        .group_by(LedgerEntry.player_id, LedgerEntry.game)
    )
    pruned = select(PrunedCount.player_id, PrunedCount.game, func.max(PrunedCount.best)).group_by(
        PrunedCount.player_id, PrunedCount.game
    )
    highest: dict[tuple[str, str], int] = {}
    for player, game, amount in (*db.session.execute(best), *db.session.execute(pruned)):
        highest[player, game] = max(highest.get((player, game), 0), amount)
    filled = (
        select(LedgerEntry.player_id, LedgerEntry.game, func.count(), func.sum(LedgerEntry.amount))
        .where(LedgerEntry.reason == "run")
        .group_by(LedgerEntry.player_id, LedgerEntry.game)
    )
    runs = {(player, game): (count, int(amount)) for player, game, count, amount in db.session.execute(filled)}
    for row in db.session.scalars(select(Purse)):
        key = (row.player_id, row.game)
        if row.balance != running.get(key, 0):
            yield Finding(f"purse {key[0]} {key[1]}", f"holds {row.balance}, its entries {running.get(key, 0)}")
        if (row.runs, row.given) != runs.get(key, (0, 0)):
            count, given = runs.get(key, (0, 0))
            yield Finding(
                f"purse {key[0]} {key[1]}",
                f"was filled {row.runs} times with {row.given} chips, its entries say {count} times with {given}",
            )
        if row.best != highest.get(key, 0):
            yield Finding(f"purse {key[0]} {key[1]}", f"best is {row.best}, its payouts say {highest.get(key, 0)}")
