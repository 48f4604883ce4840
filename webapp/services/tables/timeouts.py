"""What is due at a table is done by whoever asks next, once: under its lock, at a deadline that moves with it."""

from webapp.models import SharedTable, TableSeat
from webapp.services.tables import betting, presence, rounds
from webapp.services.tables.clock import LONG_AGO
from webapp.services.tables.snapshot import Snapshot

KEEP_A_SEAT = 120_000
"""How long a seat waits for somebody who went away between rounds."""


def is_due(table: Snapshot, now: int) -> bool:
    """Whether the table would change by being asked, as far as can be seen without its lock."""
    if table.phase == "closed":
        return False
    if table.deadline is not None and table.deadline <= now:
        return True
    patience = 1000 * table.rules.absent_after
    for seat in table.seats:
        silent = 0 if seat.bot else now - presence.seen_at(table.code, seat.holder, seat.seen_at)
        if silent > patience and (not seat.away or (table.phase == "waiting" and silent > patience + KEEP_A_SEAT)):
            return True
    return False


def catch_up(table: SharedTable, now: int) -> bool:
    """Do what is due. Whether anything was."""
    changed = False
    for _ in range(1000):  # a round has an end; this one has too
        changed |= _mark(table, now)
        if table.deadline is None or table.deadline > now:
            return changed
        at = now if now - table.deadline < LONG_AGO else table.deadline
        _do(table, at)
        changed = True
    raise RuntimeError(f"table {table.code} does not come to rest")


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
