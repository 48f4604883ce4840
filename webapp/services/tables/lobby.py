"""Opening shared tables, the list of public ones, and clearing away those that were left."""

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from webapp.engine.errors import EngineError
from webapp.engine.games import COMPANY
from webapp.engine.games.table21.rules import RANGES
from webapp.extensions import db
from webapp.models import Player, RoundSeat, SharedTable, TableRound, TableSeat
from webapp.services.core.clock import now_ms
from webapp.services.core.randomness import new_code
from webapp.services.core.transaction import retried, writing
from webapp.services.tables import commands, round_cards, rounds, seating, timeouts
from webapp.services.tables.timeouts import LONG_AGO

log = structlog.get_logger()

MOST_OPEN: Final = 6
"""Tables that one player may have opened and left empty."""
EMPTY_AFTER: Final = 30 * 60_000
"""Milliseconds without a change after which a table is quiet: it is not listed any more, and cleared away if empty."""
AT_ONCE: Final = 3
"""Quiet tables that one visitor's request clears."""
LISTED: Final = 20
"""Tables in the list."""
LONGEST_PATIENCE: Final = 1000 * RANGES["absent_after"].stop
"""Milliseconds without a heartbeat after which a player is away by any rules; stored heartbeats lag behind a little."""


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A public table in the list: people who are there, free seats, and the lowest and the highest bet."""

    code: str
    people: int
    free: int
    least: int
    most: int
    phase: str


def open_table(player: str, variant: str, public: bool, with_bot: bool = False) -> str:
    """Open a table and return its code. ``with_bot``: the player and a bot take seats.

    Of a player who opens many and leaves them empty, the oldest ones are removed.

    Raises:
        SetupError: The rules are not understood.
        Refusal: ``seated-elsewhere`` with the code of the table whose round has to be finished first.
    """
    COMPANY.rules(variant)
    code, left = retried(lambda: _open_table(player, variant, public, with_bot))
    for table in left:
        commands.publish(table)
    close_abandoned(now_ms())
    return code


def _open_table(player: str, variant: str, public: bool, with_bot: bool) -> tuple[str, tuple[SharedTable, ...]]:
    """Return the code, and the tables that the player has left for this one."""
    now = now_ms()
    left: tuple[SharedTable, ...] = ()
    with writing() as session:
        own = (
            select(SharedTable).where(SharedTable.opened_by == player, SharedTable.phase != "closed").with_for_update()
        )
        empty = [table for table in session.scalars(own.order_by(SharedTable.opened_at)) if not table.seats]
        for table in empty[: max(0, len(empty) - MOST_OPEN + 1)]:
            _remove(table)
        table = SharedTable(
            code=_unused_code(),
            game=COMPANY.spec.code,
            variant=variant,
            public=public,
            opened_by=player,
            version=1,
            phase="waiting",
            round_key="",
            rounds=0,
            banker_rounds=0,
            opened_at=now,
            moved_at=now,
            seats=[],
        )
        round_cards.new_round(table, now)
        session.add(table)
        session.flush()
        if with_bot:
            seating.take_seat(table, player, 0, now)
            seating.seat_bot(table, 2, now)
            table.version += 1
            left = seating.get_up(player, table, now)
            for other in left:
                commands.bump_version(other, now)
        return table.code, left


def list_public_tables() -> tuple[ListedTable, ...]:
    """Return public tables at which somebody is: first those with a free seat, the liveliest first."""
    now = now_ms()
    somebody_there = (
        select(TableSeat.number)
        .where(TableSeat.table_code == SharedTable.code, ~TableSeat.bot, ~TableSeat.away, ~TableSeat.leaving)
        .where(TableSeat.seen_at > now - LONGEST_PATIENCE)
        .exists()
    )
    liveliest = (
        select(SharedTable, TableRound.key)
        .outerjoin(TableRound, TableRound.key == SharedTable.round_key)
        .where(SharedTable.public, SharedTable.phase != "closed", SharedTable.moved_at > now - EMPTY_AFTER)
        .where(somebody_there)  # here already, or many abandoned tables would hide the others
        .order_by(SharedTable.moved_at.desc())
        .limit(4 * LISTED)
    )
    tables = [table for table, round_key in db.session.execute(liveliest).all() if _can_be_listed(table, round_key)]
    played = _seats_in_rounds([table.round_key for table in tables if rounds.in_play(table)])
    listed = [_listed(table, played.get(table.round_key, set()), now) for table in tables]
    present = [table for table in listed if table.people]
    return tuple(sorted(present, key=lambda table: not table.free)[:LISTED])


def _can_be_listed(table: SharedTable, round_key: str | None) -> bool:
    """Return True if the table has a round and rules that are understood; log it if not."""
    try:
        rounds.rules_of(table)
    except (EngineError, KeyError):
        round_key = None
    if round_key is None:
        log.warning("table cannot be read", table=table.code)
    return round_key is not None


def _seats_in_rounds(keys: Sequence[str]) -> Mapping[str, set[int]]:
    """Return the numbers of the seats that play, by the key of their round."""
    seats: dict[str, set[int]] = {}
    query = select(RoundSeat.round_key, RoundSeat.number).where(RoundSeat.round_key.in_(keys))
    for key, number in db.session.execute(query) if keys else ():
        seats.setdefault(key, set()).add(number)
    return seats


def _listed(table: SharedTable, played: set[int], now: int) -> ListedTable:
    """Return the table as it is listed. ``played``: seats of the round in play, taken until its end."""
    rules, seats = rounds.rules_of(table), COMPANY.spec.seats
    patience = 1000 * rules.absent_after
    people = [seat for seat in table.seats if not (seat.bot or seat.away or seat.leaving)]
    return ListedTable(
        code=table.code,
        people=sum(not timeouts.is_away(seat, now, patience) for seat in people),
        free=seats - len(played.union(seat.number for seat in table.seats)),
        least=rules.min_bet,
        most=rules.max_bet,
        phase=table.phase,
    )


def close_abandoned(now: int) -> None:
    """Clear a few quiet tables, each in a transaction of its own.

    Long overdue rounds are played to their end, and empty tables are removed. A table with which this fails is logged
    and tried again later, so that it hinders neither the visitor nor the clearing of other tables.
    """
    waited_longest = select(SharedTable.code).where(*_quiet(now)).order_by(SharedTable.moved_at).limit(AT_ONCE)
    for code in db.session.scalars(waited_longest).all():
        try:
            _clear(code, now)
        except Exception as error:  # noqa: BLE001  # whatever is wrong with a table is not the visitor's concern
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{place.filename}:{place.lineno} {place.name}"
            log.error("table not cleared away", table=code, error=type(error).__name__, place=where)
            _put_off(code, now)


def _quiet(now: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of an open table at which nothing has changed for a while."""
    return SharedTable.phase != "closed", SharedTable.moved_at < now - EMPTY_AFTER


def _clear(code: str, now: int) -> None:
    """Bring a quiet table up to date, or remove it if it is empty. One that is locked is left alone."""
    with writing() as session:
        free = select(SharedTable).where(SharedTable.code == code, *_quiet(now)).with_for_update(skip_locked=True)
        table = session.scalars(free.execution_options(populate_existing=True)).one_or_none()
        if table is None:
            return
        timeouts.catch_up(table, now)
        stays = bool(table.seats)
        if stays:
            commands.bump_version(table, now)
        else:
            _remove(table)
    if stays:
        commands.publish(table)


def _put_off(code: str, now: int) -> None:
    """Let a table count as quiet somewhat later again, without reading it."""
    later = (
        update(SharedTable).where(SharedTable.code == code, *_quiet(now)).values(moved_at=now - EMPTY_AFTER + LONG_AGO)
    )
    try:
        with writing() as session:
            session.execute(later.execution_options(synchronize_session=False))
    except SQLAlchemyError as error:  # the database is busy: the next visitor's request will do
        log.warning("table not put off", table=code, error=type(error).__name__)


def _remove(table: SharedTable) -> None:
    """Delete a table at which no round ever began, with its bots; close any other, so that its rounds can be looked up.

    Entries in the ledger refer to a round that began, even if it was taken back.
    """
    began = select(func.count()).where(TableRound.table_code == table.code, TableRound.begun > 0)
    if db.session.scalar(began):
        table.version += 1
        rounds.close_table(table)
        return
    for round in db.session.scalars(select(TableRound).where(TableRound.table_code == table.code)):
        db.session.delete(round)
    db.session.flush()
    db.session.delete(table)
    db.session.flush()
    db.session.execute(delete(Player).where(Player.id.in_(seating.bot_players(table))))


def _unused_code() -> str:
    """Return a code that no stored table has."""
    while True:
        code = new_code()
        if db.session.get(SharedTable, code) is None:
            return code
