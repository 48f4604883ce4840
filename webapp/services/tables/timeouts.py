"""What is due at a table is done by whoever asks next, once: under its lock, at a deadline that moves with it."""

from typing import Final

import structlog

from webapp.models import SharedTable, TableSeat
from webapp.services.tables import betting, presence, rounds
from webapp.services.tables.clock import LONG_AGO
from webapp.services.tables.snapshot import Snapshot

log = structlog.get_logger()

KEEP_A_SEAT = 120_000
"""How long a seat waits for somebody who went away between rounds."""
STEPS: Final = 200
"""More than can be due at once: the moves of one round, its end, and the end of the pause after it."""


def is_due(table: Snapshot, now: int, here: str | None = None) -> bool:
    """Whether the table would change by being asked, as far as can be seen without its lock.

    here: the player who asks, and so is there.
    """
    if table.phase == "closed":
        return False
    if table.deadline is not None and table.deadline <= now:
        return True
    patience = 1000 * table.rules.absent_after
    for seat in table.seats:
        silent = 0 if seat.bot or seat.holder == here else now - presence.seen_at(table.code, seat.holder, seat.seen_at)
        if silent > patience and (not seat.away or (table.phase == "waiting" and silent > patience + KEEP_A_SEAT)):
            return True
    return False


def catch_up_unseen(table: SharedTable, now: int) -> bool:
    """If nobody has asked for a long time, do what was due since, each thing at its own time. Return whether so.

    Players are judged by the signs of life that are known: a sign of whoever asks now must not be among them yet, or
    it would count for all the time in which they were away.
    """
    if _overdue(table, now) < LONG_AGO:
        return False
    for _ in range(STEPS):
        overdue = _overdue(table, now)
        if overdue < 0:
            return True
        at = now - overdue
        _mark(table, at)
        if table.phase == "settled":
            _end_pause_unseen(table)
        else:
            _do(table, at)
    log.error("table does not come to rest", table=table.code, phase=table.phase)
    rounds.void_round(table, now)
    return True


def catch_up(table: SharedTable, now: int) -> bool:
    """Do what is due. Return whether anything was."""
    changed = catch_up_unseen(table, now)
    changed |= _mark(table, now)
    if _overdue(table, now) < 0:
        return changed
    _do(table, now)  # which sets a later deadline, or none
    _mark(table, now)
    return True


def _overdue(table: SharedTable, now: int) -> int:
    """Return the milliseconds since the table's deadline, below zero as long as it is to come or if there is none."""
    return -1 if table.deadline is None else now - table.deadline


def _do(table: SharedTable, at: int) -> None:
    match table.phase:
        case "betting":
            betting.bet_for_the_silent(table, at)
        case "playing":
            rounds.act_for(table, at)
        case "settled" if rounds.may_begin(table):
            betting.open_betting(table, at)
        case _:
            rounds.wait(table)


def _end_pause_unseen(table: SharedTable) -> None:
    """No round begins when no person is there, and whoever was ready then has to say so again."""
    for seat in table.seats:
        seat.ready = 1 if seat.bot else 0
    rounds.wait(table)


def _mark(table: SharedTable, now: int) -> bool:
    """Who has given no sign of life is away; who stays away while nothing is played loses the seat."""
    gone, lost = _gone(table, now), _lost(table, now)
    for seat in gone:
        seat.away = True
    for seat in lost:
        table.seats.remove(seat)
    if lost:
        rounds.wait(table)
    return bool(gone or lost)


def _gone(table: SharedTable, now: int) -> list[TableSeat]:
    patience = 1000 * rounds.rules_of(table).absent_after
    return [seat for seat in table.seats if not seat.away and _silent(seat, now) > patience]


def _lost(table: SharedTable, now: int) -> list[TableSeat]:
    if table.phase != "waiting":
        return []
    patience = 1000 * rounds.rules_of(table).absent_after + KEEP_A_SEAT
    return [seat for seat in table.seats if _silent(seat, now) > patience]


def _silent(seat: TableSeat, now: int) -> int:
    """Milliseconds since the last sign of life; a machine is always there."""
    return 0 if seat.bot else now - presence.seen_at(seat.table_code, seat.holder_id, seat.seen_at)
