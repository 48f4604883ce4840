"""The audit: replays every stored hand and round, adds up every ledger, and lists all differences."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from sqlalchemy import func, select

from webapp.extensions import db
from webapp.models import (
    Circle,
    CircleMember,
    DailyDeal,
    DrillAnswer,
    Hand,
    LedgerEntry,
    PrunedCount,
    Purse,
    Recall,
    SharedTable,
    Shoe,
    TableRound,
)
from webapp.services import circles
from webapp.services.core.database import reading_as_of_now
from webapp.services.operations import audit_hands, audit_tables
from webapp.services.operations.audit_finding import BATCH, Finding
from webapp.services.operations.audit_hands import wrong_counters
from webapp.services.records.stored_round import round_moves
from webapp.services.review import ratings, recalls


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


def check_circle(circle: Circle) -> Iterator[str]:
    """Check that a circle has members, not too many, and its keeper among them."""
    rows = db.session.scalars(select(CircleMember).where(CircleMember.circle_code == circle.code)).all()
    members = [row for row in rows if row.removed_at is None]
    if not 1 <= len(members) <= circles.MEMBERS:
        yield f"has {len(members)} members"
    if circle.keeper_id not in {row.player_id for row in members}:
        yield "is kept by somebody who is no member"
    if any(row.number > circle.last_number for row in rows):
        yield f"has a member with a number above {circle.last_number}"


def check_memberships() -> Iterator[Finding]:
    """Check that nobody is in too many circles."""
    own = select(CircleMember.player_id, func.count()).where(CircleMember.removed_at.is_(None))
    for player, count in db.session.execute(own.group_by(CircleMember.player_id)):
        if count > circles.OF_A_PLAYER:
            yield Finding(f"player {player}", f"is in {count} circles")


def check_recall(recall: Recall) -> Iterator[str]:
    """Check that a recall asks for a move that was played out, at one's own seat, and that its counters agree."""
    if recall.round_key is None:
        hand = db.session.get_one(Hand, recall.hand_key)
        if hand.status != "done" or not 0 <= recall.step < hand.step:
            yield f"asks for step {recall.step} of a hand that is {hand.status} after {hand.step}"
    else:
        round = db.session.get_one(TableRound, recall.round_key)
        if round.status != "done" or not 0 <= recall.step < round.step:
            yield f"asks for step {recall.step} of a round that is {round.status} after {round.step}"
        elif round.bets[round_moves(round)[recall.step].seat].player_id != recall.player_id:
            yield f"asks for step {recall.step} of a round, where somebody else moved"
    if min(recall.streak, recall.failures) < 0 or recall.streak + recall.failures > recall.asked:
        yield f"was answered {recall.asked} times, {recall.failures} of them wrongly and then {recall.streak} well"
    if recall.due_at is not None and (recall.streak >= recalls.IN_A_ROW or recall.failures >= recalls.FAILURES):
        yield "is asked again though it is solved or parked"


def check_queues() -> Iterator[Finding]:
    """Check that nobody has too many recalls, or too many rated answers to drills."""
    rated = select(DrillAnswer.player_id, DrillAnswer.game, func.count())
    for player, game, count in db.session.execute(rated.group_by(DrillAnswer.player_id, DrillAnswer.game)):
        if count > ratings.LATEST:
            yield Finding(f"player {player}", f"has {count} rated answers to drills of {game}")
    for player, count in db.session.execute(select(Recall.player_id, func.count()).group_by(Recall.player_id)):
        if count > recalls.MOST:
            yield Finding(f"player {player}", f"has {count} recalls")


Row = TypeVar("Row", Hand, Shoe, TableRound, SharedTable, DailyDeal, Circle, Recall)


def audit() -> Iterator[Finding]:
    """Return all findings. Only reads, within one consistent snapshot."""
    with reading_as_of_now(as_long_as_it_takes=True):
        yield from _rows(Hand, lambda hand: f"hand {hand.key}", audit_hands.check_hand)
        yield from _rows(Shoe, lambda shoe: f"shoe {shoe.key}", audit_hands.check_shoe)
        yield from _rows(TableRound, lambda round: f"round {round.key}", audit_tables.check_round)
        yield from audit_hands.check_numbers()
        yield from _rows(DailyDeal, lambda deal: f"daily deal {deal.key}", audit_hands.check_daily_deal)
        for player, what in wrong_counters():
            yield Finding(f"player {player}", what)
        yield from _rows(SharedTable, lambda table: f"table {table.code}", audit_tables.check_table)
        yield from audit_tables.check_numbers()
        yield from check_purses()
        yield from _rows(Circle, lambda circle: f"circle {circle.code}", check_circle)
        yield from check_memberships()
        yield from _rows(Recall, lambda recall: f"recall {recall.word}", check_recall)
        yield from check_queues()


def _rows(model: type[Row], where: Callable[[Row], str], check: Callable[[Row], Iterator[str]]) -> Iterator[Finding]:
    """Return the findings about all rows of a model."""
    for row in db.session.scalars(select(model).execution_options(yield_per=BATCH)):
        for what in check(row):
            yield Finding(where(row), what)
