"""Commands at a shared table: lock it, do what is due, check the version, carry out the command, publish.

A command names the version of the table that it was given for. If the table has changed since, nothing is done. Bets
and actions are only too late if bets, cards or turn have changed: else a visitor who sits down and gets up all the time
could keep the seat in turn from playing until its clock has run out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm.exc import StaleDataError

from webapp.config import Config
from webapp.engine.errors import EngineError
from webapp.extensions import db
from webapp.models import SharedTable, TableSeat
from webapp.services import players
from webapp.services.core import context
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import retried, writing
from webapp.services.tables import betting, presence, rounds, seating, snapshot, timeouts
from webapp.services.tables.pubsub import Hub
from webapp.services.tables.snapshot import Snapshot

PLAYS: Final = ("hit", "stand", "double", "split")
"""Commands that are actions of the engine."""
IN_TURN: Final = ("bet", *PLAYS)
"""Commands that depend on bets, cards and turn alone."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it comes in. ``arg``: seat, chips or policy, depending on the verb. ``cut``: a word, if any."""

    verb: str
    arg: str = ""
    cut: str | None = None

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


# ------------------------------------------------------------------------------------------------ loading


def load(code: str, player: str | None, announced: bool = False) -> Snapshot:
    """Return the table as it is now, after all that was due; note that the player is there, if seated here.

    Args:
        code: Code of the table.
        player: The player who asks, if any.
        announced: The version that was published a moment ago is new enough.

    Raises:
        Refusal: ``table-not-found``.
    """
    now = now_ms()
    table = snapshot.snapshot(code, hub().just_moved(code) if announced else None)
    own = table.seat_of(player)
    if _is_due(table, now, player) or (own is not None and own.away):
        table = retried(lambda: _catch_up(code, player))
    elif own is not None:
        presence.note(code, own.holder, own.seen_at, now, 1000 * table.rules.absent_after)
    presence.write_down()
    return table


def hear(code: str, player: str | None) -> None:
    """Count a request that was refused for its number as a heartbeat of the player.

    Nothing is looked up, or a flood that is refused would cost as much as one that is not: a table at which people play
    is known.
    """
    table = snapshot.remembered(code)
    own = table.seat_of(player) if table else None
    if table and own:
        presence.note(code, own.holder, own.seen_at, now_ms(), 1000 * table.rules.absent_after)
        presence.write_down()


def _is_due(table: Snapshot, now: int, present: str | None) -> bool:
    """Return True if the table would change by being asked, as far as can be seen without its lock.

    ``present``: the player who asks, and so is there.
    """
    if table.phase == "closed":
        return False
    if table.deadline is not None and table.deadline <= now:
        return True
    patience = 1000 * table.rules.absent_after
    for seat in table.seats:
        if seat.bot or seat.holder == present:
            continue
        silent = now - presence.seen_at(table.code, seat.holder, seat.seen_at)
        is_lost = table.phase == "waiting" and silent > patience + timeouts.KEEP_A_SEAT
        if silent > patience and (not seat.away or is_lost):
            return True
    return False


def _catch_up(code: str, player: str | None) -> Snapshot:
    with _locked(code) as table:
        now = now_ms()
        changed = timeouts.catch_up_unseen(table, now)
        changed |= _come_back(table, player, now)
        if timeouts.catch_up(table, now) or changed:
            bump_version(table, now)
        current = snapshot.read(table)
    _after_commit(current, player, now, table)
    return current


# ------------------------------------------------------------------------------------------------ carrying out


def execute(code: str, version: int, player: str, command: Command) -> Snapshot:
    """Carry out a command that was given for a version of the table, and return the table after it.

    Raises:
        Stale: The table has changed since that version.
        Refusal: The command is not possible, or ``table-not-found``, ``table-closed``, ``not-seated``.
        IllegalAction: The action is not legal now.
    """
    try:
        return retried(lambda: _execute(code, version, player, command))
    except StaleDataError as error:
        raise Stale from error


def _execute(code: str, version: int, player: str, command: Command) -> Snapshot:
    left: tuple[SharedTable, ...] = ()
    with _locked(code) as table:
        now = now_ms()
        unseen = timeouts.catch_up_unseen(table, now)
        changed = _come_back(table, player, now)
        if timeouts.catch_up(table, now) or unseen:
            bump_version(table, now)
        exact = table.version == version
        late = not exact and not (command.verb in IN_TURN and table.turn_version <= version < table.version)
        if not late:
            try:
                left = _carry_out(table, player, command, now)
            except (Refusal, EngineError) as error:
                if exact:
                    raise
                raise Stale from error  # it may have been possible at the version that it was given for
        if changed or not late:
            for moved in (table, *left):
                bump_version(moved, now)
        current = snapshot.read(table)
    _after_commit(current, player, now, table, *left)
    if late:
        raise Stale
    return current


def _carry_out(table: SharedTable, player: str, command: Command, now: int) -> tuple[SharedTable, ...]:
    """Carry out a command at the locked table. Return other tables that the player has left by it."""
    if table.phase == "closed":
        raise Refusal("table-closed")
    if command.verb == "sit":
        seating.take_seat(table, player, command.number("seat-taken"), now)
        return seating.get_up(player, table, now)
    if command.verb == "take":
        seating.take_over(table, player, command.arg)
        return ()
    seat = seating.seat_of(table, player)
    if seat is None:
        raise Refusal("not-seated")
    seat.seen_at = now
    _carry_out_for_seat(table, seat, command, now)
    return ()


def _carry_out_for_seat(table: SharedTable, seat: TableSeat, command: Command, now: int) -> None:
    match command.verb:
        case "ready":
            seating.set_ready(table, seat, command.cut, now)
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
            seating.seat_bot(table, command.number("seat-taken"), now)
        case verb if verb in PLAYS:
            rounds.act(table, seat.number, verb, now)
        case _:
            raise Refusal("bad-notation", command.verb[:80])


def _come_back(table: SharedTable, player: str | None, now: int) -> bool:
    """Count the request as a heartbeat of the player's seat. Return True if the player was away.

    To be called after what was due while nobody asked: the heartbeat counts from now on.
    """
    seat = seating.seat_of(table, player)
    if seat is None:
        return False
    was_away, seat.away, seat.seen_at = seat.away, False, now
    if was_away and table.phase == "waiting":
        seat.ready = 0  # else two would be ready, with no command left to begin a round by
    return was_away


# ------------------------------------------------------------------------------------------------ versions


def rename_player(player: str, name: str) -> None:
    """Rename a player; everybody at the player's table sees the new name.

    Raises:
        Refusal: ``unknown-player``.
    """
    if players.rename(player, name):
        code = seating.table_of(player)
        if code is not None:
            with _locked(code) as table:
                now = now_ms()
                bump_version(table, now)
                current = snapshot.read(table)
            _after_commit(current, None, now, table)


@contextmanager
def _locked(code: str) -> Iterator[SharedTable]:
    """Open a transaction that holds the lock of a table."""
    with writing() as session:
        query = select(SharedTable).where(SharedTable.code == code).with_for_update()
        table = session.scalars(query.execution_options(populate_existing=True)).one_or_none()
        if table is None:
            raise Refusal("table-not-found", code[:20])
        yield table


def _after_commit(current: Snapshot, player: str | None, now: int, *moved: SharedTable) -> None:
    """Keep the snapshot for all viewers, note that the player is there, and publish the tables that have changed."""
    snapshot.keep(current)
    seat = current.seat_of(player)
    if seat is not None:  # else an earlier heartbeat that is not written yet would replace the stored one
        presence.heartbeats().note(current.code, seat.holder, now)
    for table in moved:
        publish(table)


def bump_version(table: SharedTable, now: int) -> None:
    """Raise the version, inside the transaction that has changed the table; its commit publishes it elsewhere."""
    table.version += 1
    table.moved_at = now
    db.session.flush()
    hub().prepare(table.code, table.version, table.deadline)


def publish(table: SharedTable) -> None:
    """Publish the version of a table to the streams of this process, after the commit."""
    hub().moved(table.code, table.version, table.deadline)


def hub() -> Hub:
    """Return the hub of the current app, which ``create_app`` has made."""
    return context.current().get(Hub, _no_hub)


def _no_hub(_config: Config) -> Hub:
    raise RuntimeError("create_app makes the hub of an app")
