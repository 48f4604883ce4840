"""Commands at a shared table: lock it, do what is due, check the version, carry out the command, publish.

A command names the version of the table that it was given for. If the table has changed since, nothing is done. Bets,
cuts and actions are only too late if bets, cards or turn have changed: else a visitor who sits down and gets up all the
time could keep the seat in turn from playing until its clock has run out.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm.exc import StaleDataError

from webapp.engine.errors import EngineError
from webapp.models import SharedTable, TableSeat
from webapp.services import players
from webapp.services.core.clock import now_ms
from webapp.services.core.database import retried
from webapp.services.core.errors import Refusal
from webapp.services.tables import betting, bots, seating, turns
from webapp.services.tables.facts import Snapshot
from webapp.services.tables.gaps import look_before_command
from webapp.services.tables.loading import bring_up_to_date, open_or_give_up
from webapp.services.tables.snapshots import read
from webapp.services.tables.versions import after_commit, bump_version, locked

PLAYS: Final = ("hit", "stand", "double", "split")
"""Commands that are actions of the engine."""
IN_TURN: Final = ("bet", "cut", *PLAYS)
"""Commands that depend on bets, cards and turn alone."""


FORGOTTEN: Final = 20
"""Versions after which *ready* does not count any more: then it is a copy, and not a moment late."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it comes in. ``arg``: seat, chips or policy, depending on the verb. ``cut``: a word, if any.

    ``ready``: who sits down is ready at once.
    """

    verb: str
    arg: str = ""
    cut: str | None = None
    ready: bool = False

    def number(self, code: str) -> int:
        """Return ``arg`` as a number.

        Raises:
            Refusal: With this code if it is none.
        """
        if not (self.arg.isascii() and self.arg.isdigit() and len(self.arg) <= 9):
            raise Refusal(code, self.arg[:80])
        return int(self.arg)


class Stale(Exception):
    """The table has changed since the version that the command was given for. Nothing was done."""


def execute(code: str, version: int, player: str, command: Command) -> Snapshot:
    """Carry out a command that was given for a version of the table, and return the table after it.

    Raises:
        Stale: The table has changed since that version.
        Refusal: The command is not possible, or ``table-not-found``, ``table-closed``, ``not-seated``.
        IllegalAction: The action is not legal now.
    """
    look_before_command()
    try:
        return open_or_give_up(code, lambda: retried(lambda: _execute(code, version, player, command)))
    except StaleDataError as error:
        raise Stale from error


def _execute(code: str, version: int, player: str, command: Command) -> Snapshot:
    left: tuple[SharedTable, ...] = ()
    with locked(code, mover=player if command.verb == "sit" else None) as table:
        now = now_ms()
        for_others, changed = bring_up_to_date(table, player, now)
        if for_others:
            bump_version(table, now)
        exact = table.version == version
        late = not exact and not _still_counts(table, command.verb, version)
        if not late:
            try:
                left = _carry_out(table, player, command, now, version)
            except (Refusal, EngineError) as error:
                if exact:
                    raise
                raise Stale from error  # it may have been possible at the version that it was given for
        if changed or not late:
            for moved in (table, *left):
                bump_version(moved, now)
        current = read(table)
    after_commit(current, player, now, table, *left)
    if late:
        raise Stale
    return current


def _still_counts(table: SharedTable, verb: str, version: int) -> bool:
    """Return True if a command that was given for an earlier version still means the same.

    *Ready* means to play the next round, whichever that has become.
    """
    if verb == "ready":
        return table.version - FORGOTTEN <= version < table.version
    return verb in IN_TURN and table.turn_version <= version < table.version


def _carry_out(table: SharedTable, player: str, command: Command, now: int, version: int) -> tuple[SharedTable, ...]:
    """Carry out a command at the locked table. Return other tables that the player has left by it."""
    if table.phase == "closed":
        raise Refusal("table-closed")
    if command.verb == "sit":
        taken = seating.take_seat(table, player, command.number("seat-taken"), now)
        left = seating.get_up(player, table, now)
        if command.ready:
            seating.set_ready(table, taken, command.cut, now, seen=version >= table.turn_version)
        return left
    if command.verb == "take":
        seating.take_over(table, player, command.arg)
        return ()
    seat = seating.seat_of(table, player)
    if seat is None:
        raise Refusal("not-seated")
    seat.seen_at = now
    _carry_out_for_seat(table, seat, command, now, seen=version >= table.turn_version)
    return ()


def _carry_out_for_seat(table: SharedTable, seat: TableSeat, command: Command, now: int, seen: bool) -> None:
    match command.verb:
        case "ready":
            seating.set_ready(table, seat, command.cut, now, seen)
        case "bet":
            betting.place_bet(table, seat.number, command.number("bad-stake"), command.cut, now, auto=False)
            betting.deal_if_all_have_bet(table, now)
        case "cut":
            seating.give_cut(table, seat, command.cut)
        case "policy":
            seating.choose_policy(seat, command.arg)
        case "leave":
            seating.leave(table, seat, now)
        case "bot":
            bots.seat_bot(table, command.number("seat-taken"), now)
        case verb if verb in PLAYS:
            turns.act(table, seat.number, verb, now)
        case _:
            raise Refusal("bad-notation", command.verb[:80])


def rename_player(player: str, name: str) -> None:
    """Rename a player; everybody at the player's table sees the new name.

    Raises:
        Refusal: ``unknown-player``.
    """
    if players.rename(player, name):
        code = seating.table_of(player)
        if code is not None:
            with locked(code) as table:
                now = now_ms()
                for seat in table.seats:
                    if seat.player_id == player:
                        seating.number_name(table, seat)
                bump_version(table, now)
                current = read(table)
            after_commit(current, None, now, table)
