"""Loading of a shared table for a viewer, which changes nothing; and bringing it up to date, under its lock."""

from collections.abc import Callable
from typing import TypeVar

from webapp.models import SharedTable
from webapp.services.core.clock import DAY, now_ms, was_set_forward
from webapp.services.core.database import retried
from webapp.services.core.errors import Refusal
from webapp.services.records.stored_round import is_sealed
from webapp.services.tables import absence, overdue, presence, rounds, seating, settlement, snapshots
from webapp.services.tables.facts import SeatFacts, Snapshot
from webapp.services.tables.snapshots import read
from webapp.services.tables.versions import after_commit, bump_version, hub, locked, publish

LOST_AFTER = 2 * DAY
"""As for hands that are played alone, counted from when it was first noticed that no key opens the round."""


def give_up_or_wait(code: str, now: int) -> None:
    """Note that no key opens the round of a table, or end it as void if that was noticed long ago.

    The stakes go back, and the table waits for the next round. The sealed seed stays: should the key come back, the
    round has its page and its proof.

    Raises:
        Refusal: ``round-sealed``: the round still waits for its key.
    """
    with locked(code) as table:
        round = rounds.round_of(table)
        if not is_sealed(round):
            return
        if round.sealed_since is None:
            round.sealed_since = now
        waits = now < round.sealed_since + LOST_AFTER or was_set_forward()
        if not waits:
            settlement.return_stakes(table, round, now)
            absence.free_seats(table)
            rounds.wait(table)
            bump_version(table, now)
    if waits:
        raise Refusal("round-sealed", code)
    publish(table)


T = TypeVar("T")


def load(code: str, player: str | None, announced: bool = False) -> Snapshot:
    """Return a snapshot of the table, and note a heartbeat of the player, if seated. This function writes nothing.

    Args:
        code: Code of the table.
        player: The player who asks, if any.
        announced: Whether a snapshot of the version last published is new enough.

    Raises:
        Refusal: ``table-not-found``; ``round-sealed``: no key opens the round.
    """
    table = snapshots.snapshot(code, hub().just_moved(code) if announced else None)
    own = table.seat_of(player)
    if own is not None:
        _note(table, own)
    return table


def open_or_give_up(code: str, attempt: Callable[[], T]) -> T:
    """Return the result of ``attempt``. If no key opens the round of the table, handle that and try once more.

    Raises:
        Refusal: ``round-sealed``: the round still waits for its key.
    """
    try:
        return attempt()
    except Refusal as refusal:
        if refusal.code != "round-sealed":
            raise
    retried(lambda: give_up_or_wait(code, now_ms()))
    return attempt()


def count_as_heartbeat(code: str, player: str | None) -> None:
    """Count a request that exceeded a rate limit as a heartbeat of the player.

    Only the cache of snapshots is used: a refused request must not cost as much as any other.
    """
    table = snapshots.remembered(code)
    own = table.seat_of(player) if table else None
    if table and own:
        _note(table, own)


def _note(table: Snapshot, own: SeatFacts) -> None:
    """Note a heartbeat of the holder of a seat. The timer writes it, together with others."""
    patience = 1000 * table.rules.absent_after
    presence.note(table.code, own.holder, own.seen_at, now_ms(), patience, own.away)


def catch_up(code: str, player: str | None) -> Snapshot:
    """Bring a table up to date and return it. ``player``: who makes the request, and so is not away.

    Raises:
        Refusal: ``table-not-found``; ``round-sealed``: no key opens the round.
    """
    return open_or_give_up(code, lambda: retried(lambda: _catch_up(code, player)))


def _catch_up(code: str, player: str | None) -> Snapshot:
    with locked(code) as table:
        now = now_ms()
        for_others, for_player = bring_up_to_date(table, player, now)
        if for_others or for_player:
            bump_version(table, now)
        current = read(table)
    after_commit(current, player, now, table)
    return current


def bring_up_to_date(table: SharedTable, player: str | None, now: int) -> tuple[bool, bool]:
    """Do what is due at a locked table, then record a heartbeat of the player's seat.

    Return two flags: whether anything changed for others, and whether the player's own seat did.
    """
    before, own_before = _visible(table, player)
    overdue.catch_up(table, now)
    _come_back(table, player, now)
    after, own_after = _visible(table, player)
    return before != after, own_before != own_after


def _visible(table: SharedTable, player: str | None) -> tuple[object, object]:
    """Return what deadlines may change, without the seat of a player; and that seat."""
    seats = {seat.number: (seat.player_id, seat.holder_id, seat.ready, seat.away, seat.leaving) for seat in table.seats}
    own = seating.seat_of(table, player)
    own_seat = seats.pop(own.number) if own else None
    clock = (table.clock_from, table.deadline)
    return (table.phase, table.round_key, table.turn_version, table.acting, clock, seats), own_seat


def _come_back(table: SharedTable, player: str | None, now: int) -> None:
    """Mark the player's seat as present from now on."""
    seat = seating.seat_of(table, player)
    if seat is None:
        return
    if seat.away and table.phase == "waiting":
        seat.ready = 0  # else two would be ready, with no command left to begin a round by
    seat.away, seat.seen_at = False, now
