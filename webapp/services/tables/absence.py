"""Absence from a shared table: when a seat is away, when it is given up, and when a round is void because all are away.

All functions run inside the caller's transaction. Times are unix milliseconds.
"""

from typing import Final

from webapp.models import SharedTable, TableRound, TableSeat
from webapp.services.tables import presence, rounds

KEEP_A_SEAT: Final = 120_000
"""Milliseconds for which the seat of a player is kept who is away while nothing is played."""


def is_away(seat: TableSeat, now: int, patience: int) -> bool:
    """Return True for a player without a heartbeat for longer than ``patience`` milliseconds. A bot is never away."""
    return not seat.bot and now - presence.seen_at(seat.table_code, seat.holder_id, seat.seen_at) > patience


def mark_absent(table: SharedTable, now: int) -> bool:
    """Mark players without heartbeats as away; while nothing is played, free the seats of those long away.

    Return True if anything changed.
    """
    patience = 1000 * rounds.rules_of(table).absent_after
    away = [seat for seat in table.seats if not seat.away and is_away(seat, now, patience)]
    lost = [seat for seat in table.seats if table.phase == "waiting" and is_away(seat, now, patience + KEEP_A_SEAT)]
    for seat in away:
        seat.away = True
    decide_if_void(table)
    for seat in lost:
        table.seats.remove(seat)
    if lost:
        rounds.wait(table)
    return bool(away or lost)


def free_seats(table: SharedTable) -> None:
    """Free the seats of players who are leaving or away, after a round."""
    for seat in list(table.seats):
        seat.ready = min(seat.ready, 1)
        if seat.leaving or seat.away:
            table.seats.remove(seat)


def decide_if_void(table: SharedTable) -> None:
    """Decide for good whether the round will be void, once nobody is left: only if all disconnected together.

    Players who come back later, and have seen the cards, do not change that. With a bot, or after a player has left,
    the round counts.
    """
    if table.phase != "playing":
        return
    round = rounds.round_of(table)
    people = people_in(table, round)
    if round.void_when_over is None and all(seat.away or seat.leaving for seat in people):
        alone = not any(bet.bot for bet in round.bets) and not any(seat.leaving for seat in people)
        round.void_when_over = alone and _fell_silent_together(table, people)


def people_in(table: SharedTable, round: TableRound) -> list[TableSeat]:
    """Return the seats of the people who play in a round."""
    return [seat for bet in round.bets if not bet.bot and (seat := rounds.seat_at(table, bet.number)) is not None]


def _fell_silent_together(table: SharedTable, people: list[TableSeat]) -> bool:
    """Return True if all players may have been gone before the first of them was marked as away.

    A player who sees that all others are away cannot undo a loss by leaving, too.
    """
    patience = 1000 * rounds.rules_of(table).absent_after
    heartbeats = [presence.seen_at(table.code, seat.holder_id, seat.seen_at) for seat in people]
    return max(heartbeats) + presence.grain(patience) < min(heartbeats) + patience
