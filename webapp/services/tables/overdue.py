"""Passed deadlines of a shared table: automatic actions, the end of the betting or of a pause.

A timer or the next command does it, under the lock of the table.
"""

from typing import Final

import structlog

from webapp.models import SharedTable
from webapp.services.tables import absence, betting, rounds, settlement, turns

log = structlog.get_logger()

LONG_AGO: Final = 300_000
"""Milliseconds. After a deadline that is over for longer, each thing that was due is done at its own time."""
STEPS: Final = 200
"""More than can be due at once: the actions of one round, its end, and the end of the pause after it."""


def catch_up(table: SharedTable, now: int) -> bool:
    """Do what is due. Return True if anything was.

    Players are judged by the heartbeats known before: one of the player who asks now must not be among them yet, or
    whoever asks first would decide how a round ends.
    """
    changed = _catch_up_unseen(table, now)
    changed |= absence.mark_absent(table, now)
    if _overdue(table, now) < 0:
        return changed
    _do_next(table, now)  # sets a later deadline, or none
    absence.mark_absent(table, now)
    return True


def _catch_up_unseen(table: SharedTable, now: int) -> bool:
    """Do everything that was due since a deadline long ago, each at its own time. Return True if it was."""
    if _overdue(table, now) < LONG_AGO:
        return False
    for _ in range(STEPS):
        overdue = _overdue(table, now)
        if overdue < 0:
            return True
        at = now - overdue
        absence.mark_absent(table, at)
        if table.phase == "settled":
            _end_pause_unseen(table)
        else:
            _do_next(table, at)
    log.error("table does not come to rest", phase=table.phase)
    settlement.void_round(table, now)
    return True


def _overdue(table: SharedTable, now: int) -> int:
    """Return the milliseconds since the deadline; below zero if it is to come, or if there is none."""
    return -1 if table.deadline is None else now - table.deadline


def _do_next(table: SharedTable, at: int) -> None:
    """Carry out the table's deadline."""
    match table.phase:
        case "betting":
            betting.place_missing_bets(table, at)
        case "playing":
            turns.act_for(table, at)
        case "settled" if rounds.may_begin(table):
            betting.open_betting(table, at)
        case _:
            rounds.wait(table)


def _end_pause_unseen(table: SharedTable) -> None:
    """End a pause without a round, since nobody is there. Players have to say again that they are ready."""
    for seat in table.seats:
        seat.ready = 1 if seat.bot else 0
    rounds.wait(table)
