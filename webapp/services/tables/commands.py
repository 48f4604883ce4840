"""One deed at a shared table: look, catch up with the clock, check the version, act, tell.

A table has one version. A deed names the one it was made for; if the table is elsewhere by then, nothing is done. Bets
and moves are late only if bets, cards or turn have changed meanwhile: or whoever sits down and gets up all the time
could keep the seat in turn from playing until its clock has run out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from flask import current_app
from sqlalchemy import select
from sqlalchemy.orm.exc import StaleDataError

from webapp.engine.errors import EngineError
from webapp.extensions import db
from webapp.models import SharedTable, TableSeat
from webapp.services import players
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import retried, writing
from webapp.services.tables import betting, other_tables, presence, rounds, seating, snapshot, timeouts
from webapp.services.tables.pubsub import Hub
from webapp.services.tables.snapshot import Snapshot

PLAYS: Final = ("hit", "stand", "double", "split")
IN_TURN: Final = ("bet", *PLAYS)
"""Deeds that depend on bets, cards and turn alone."""


@dataclass(frozen=True, slots=True)
class Command:
    """``arg``: a seat, chips or a policy, as the verb wants it. ``cut``: a word, None without one."""

    verb: str
    arg: str = ""
    cut: str | None = None

    def number(self, code: str) -> int:
        if not (self.arg.isascii() and self.arg.isdigit() and len(self.arg) <= 9):
            raise Refusal(code, self.arg[:80])
        return int(self.arg)


class Stale(Exception):
    """The table has moved on: nothing was done."""


def hub() -> Hub:
    """The one of this app."""
    found = current_app.extensions["tables"]
    assert isinstance(found, Hub)
    return found


def load(code: str, player: str | None, told: bool = False) -> Snapshot:
    """The table as it is now: what was due is done, and whoever has a seat here is seen to be there.

    ``told``: it is enough to see what was just said about it. Refusal ``table-not-found``.
    """
    now = now_ms()
    table = snapshot.snapshot(code, hub().just_moved(code) if told else None)
    own = table.seat_of(player)
    if timeouts.is_due(table, now, player) or (own is not None and own.away):
        table = retried(lambda: _caught_up(code, player))
    elif own is not None:
        presence.note(code, own.holder, own.seen_at, now, 1000 * table.rules.absent_after)
    presence.write_down()
    return table


def hear(code: str, player: str | None) -> None:
    """Take it for a sign of life that a player has asked, where the answer was no.

    Nothing is looked up for it, or a flood that is refused would cost as much as one that is not: a table that is
    played at is known.
    """
    table = snapshot.remembered(code)
    own = table.seat_of(player) if table else None
    if table and own:
        presence.note(code, own.holder, own.seen_at, now_ms(), 1000 * table.rules.absent_after)
        presence.write_down()


def _caught_up(code: str, player: str | None) -> Snapshot:
    with _at(code) as table:
        now = now_ms()
        changed = timeouts.catch_up_unseen(table, now)
        changed |= _come_back(table, player, now)
        if timeouts.catch_up(table, now) or changed:
            bump_version(table, now)
    kept = snapshot.keep(table)
    _note(kept, player, now)
    publish(table)
    return kept


def execute(code: str, version: int, player: str, deed: Command) -> Snapshot:
    """Carry out a deed that was made for this version. Stale; Refusal and IllegalAction change nothing."""
    try:
        return retried(lambda: _done(code, version, player, deed, deed.cut))
    except StaleDataError as error:
        raise Stale from error


def _done(code: str, version: int, player: str, deed: Command, cut: str | None) -> Snapshot:
    left: tuple[SharedTable, ...] = ()
    with _at(code) as table:
        now = now_ms()
        unseen = timeouts.catch_up_unseen(table, now)
        changed = _come_back(table, player, now)
        if timeouts.catch_up(table, now) or unseen:
            bump_version(table, now)
        exact = table.version == version
        late = not exact and not (deed.verb in IN_TURN and table.turn_version <= version < table.version)
        if not late:
            try:
                left = _carry_out(table, player, deed, cut, now)
            except (Refusal, EngineError) as error:
                if exact:
                    raise
                raise Stale from error  # it may have been possible at the table that it was made for
        if changed or not late:
            for each in (table, *left):
                bump_version(each, now)
    kept = snapshot.keep(table)
    _note(kept, player, now)
    for each in (table, *left):
        publish(each)
    if late:
        raise Stale
    return kept


def _carry_out(table: SharedTable, player: str, deed: Command, cut: str | None, now: int) -> tuple[SharedTable, ...]:
    """Other tables that were left by it."""
    if table.phase == "closed":
        raise Refusal("table-closed")
    if deed.verb == "sit":
        seating.take_seat(table, player, deed.number("seat-taken"), now)
        return other_tables.get_up(player, table, now)
    if deed.verb == "take":
        seating.take_over(table, player, deed.arg)
        return ()
    seat = seating.seat_of(table, player)
    if seat is None:
        raise Refusal("not-seated")
    seat.seen_at = now
    _by_seat(table, seat, deed, cut, now)
    return ()


def _by_seat(table: SharedTable, seat: TableSeat, deed: Command, cut: str | None, now: int) -> None:
    match deed.verb:
        case "ready":
            seating.set_ready(table, seat, cut, now)
        case "bet":
            betting.place_bet(table, seat.number, deed.number("bad-stake"), cut, now, auto=False)
            betting.deal_if_all_have_bet(table, now)
        case "cut":
            seating.give_cut(table, seat, cut)
        case "policy":
            seating.choose_policy(seat, deed.arg)
        case "leave":
            seating.leave(table, seat, now)
        case "bot":
            seating.seat_bot(table, deed.number("seat-taken"), now)
        case verb if verb in PLAYS:
            rounds.act(table, seat.number, verb, now)
        case _:
            raise Refusal("bad-notation", deed.verb[:80])


def _come_back(table: SharedTable, player: str | None, now: int) -> bool:
    """Any sign of life takes the seat back. Return whether it was lost.

    What was due while nobody asked has to be done before: the sign counts from now on.
    """
    seat = seating.seat_of(table, player)
    if seat is None:
        return False
    was_away, seat.away, seat.seen_at = seat.away, False, now
    if was_away and table.phase == "waiting":
        seat.ready = 0  # or two would be ready, with no deed left to begin a round by
    return was_away


def _note(table: Snapshot, player: str | None, now: int) -> None:
    """After the commit, or an earlier sign that is not written down yet would take the place of this one."""
    seat = table.seat_of(player)
    if seat is not None:
        presence.HEARTBEATS.note(table.code, seat.holder, now)


@contextmanager
def _at(code: str) -> Iterator[SharedTable]:
    """The table under its lock, in a transaction."""
    with writing() as session:
        query = select(SharedTable).where(SharedTable.code == code).with_for_update()
        table = session.scalars(query.execution_options(populate_existing=True)).one_or_none()
        if table is None:
            raise Refusal("table-not-found", code[:20])
        yield table


def bump_version(table: SharedTable, now: int) -> None:
    """Inside the transaction in which it has."""
    table.version += 1
    table.moved_at = now
    db.session.flush()
    hub().prepare(table.code, table.version, table.deadline)


def publish(table: SharedTable) -> None:
    """After the commit."""
    hub().moved(table.code, table.version, table.deadline)


def rename_player(player: str, name: str) -> None:
    """Whoever looks at the table where the player sits sees the new name."""
    if players.rename(player, name):
        code = other_tables.table_of(player)
        if code is not None:
            _show_anew(code)


def _show_anew(code: str) -> None:
    with _at(code) as table:
        bump_version(table, now_ms())
    snapshot.keep(table)
    publish(table)
