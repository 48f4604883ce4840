"""Opening shared tables, and the list of public ones."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import structlog
from sqlalchemy import ColumnElement, select

from webapp.engine.errors import EngineError
from webapp.engine.games import COMPANY
from webapp.engine.games.table21.rules import RANGES
from webapp.extensions import db
from webapp.models import RoundSeat, SharedTable, TableRound, TableSeat
from webapp.services.core.clock import now_ms
from webapp.services.core.database import retried, writing
from webapp.services.core.randomness import new_code
from webapp.services.tables import absence, banker, bots, rounds, seating
from webapp.services.tables.clearing import EMPTY_AFTER, remove_table
from webapp.services.tables.gaps import look_before_command
from webapp.services.tables.versions import bump_version, lock_tables, publish

log = structlog.get_logger()

MOST_OPEN: Final = 6
"""Tables that one player may have opened and left empty."""
BOT: Final = 2
"""Number of the bot's seat at a table that is opened with one."""
LISTED: Final = 20
"""Tables in the list: half of them those where something has just happened, the others those that were opened first."""
OF_A_NETWORK: Final = 2
"""Tables in the list that were opened from one network, or whoever opens many would hide all others."""
LOOKED_AT: Final = 1000
"""Open public tables that are looked at."""
LONGEST_PATIENCE: Final = 1000 * RANGES["absent_after"].stop
"""Milliseconds without a heartbeat after which a player is away by any rules; stored heartbeats lag behind a little."""


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in a list: people who are there, free seats, and the lowest and the highest bet.

    ``circle``: the code of the circle that it was opened for.
    """

    code: str
    people: int
    free: int
    least: int
    most: int
    phase: str
    circle: str | None


class _Candidate(NamedTuple):
    """An open public table that may be listed."""

    code: str
    network: str | None
    moved_at: int
    opened_at: int


def open_table(
    player: str,
    variant: str,
    public: bool,
    with_bot: bool = False,
    network: str | None = None,
    circle: str | None = None,
) -> str:
    """Open a table and return its code. ``with_bot``: the player and a bot take seats, and the bets are open at once.

    ``network``: what tells the player's network from others; a public table is listed as one of few from there.
    ``circle``: the code of the circle for whose members the table is opened. Of a player who opens many and leaves
    them empty, the oldest ones are removed.

    Raises:
        SetupError: The rules are not understood.
        Refusal: ``seated-elsewhere`` with the code of the table whose round has to be finished first.
    """
    COMPANY.rules(variant)
    look_before_command()  # the player may leave a table for this one
    code, left = retried(lambda: _open_table(player, variant, public, with_bot, network, circle))
    for table in left:
        publish(table)
    return code


def _open_table(
    player: str, variant: str, public: bool, with_bot: bool, network: str | None, circle: str | None
) -> tuple[str, tuple[SharedTable, ...]]:
    """Return the code, and the tables that the player has left for this one."""
    now = now_ms()
    left: tuple[SharedTable, ...] = ()
    with writing() as session:
        own = (SharedTable.opened_by == player) & (SharedTable.phase != "closed")
        opened = [table for table in lock_tables(player, own) if table.opened_by == player and table.phase != "closed"]
        empty = sorted((table for table in opened if not table.seats), key=lambda table: table.opened_at)
        for table in empty[: max(0, len(empty) - MOST_OPEN + 1)]:
            remove_table(table)
        table = SharedTable(
            code=_unused_code(),
            game=COMPANY.spec.code,
            variant=variant,
            public=public,
            opened_by=player,
            opened_from=network,
            circle_code=circle,
            version=1,
            phase="waiting",
            round_key="",
            rounds=0,
            banker_rounds=0,
            bank_order="",
            opened_at=now,
            moved_at=now,
            seats=[],
        )
        rounds.new_round(table, now)
        session.add(table)
        session.flush()
        if with_bot:
            seat = seating.take_seat(table, player, 0, now)
            bots.seat_bot(table, BOT, now)
            left = seating.get_up(player, table, now)
            # the bot banks first: the player's cut comes with a bet, when the commitment has been seen
            banker.begin_order(table, BOT)
            seating.set_ready(table, seat, None, now, seen=False)
            table.version += 1
            for other in left:
                bump_version(other, now)
        return table.code, left


def list_public_tables() -> tuple[ListedTable, ...]:
    """Return public tables at which somebody is: those with a free seat first."""
    now = now_ms()
    somebody_there = (
        select(TableSeat.number)
        .where(TableSeat.table_code == SharedTable.code, ~TableSeat.bot, ~TableSeat.away, ~TableSeat.leaving)
        .where(TableSeat.seen_at > now - LONGEST_PATIENCE)
        .exists()
    )
    opened = (
        select(SharedTable.code, SharedTable.opened_from, SharedTable.moved_at, SharedTable.opened_at)
        .where(SharedTable.public, SharedTable.phase != "closed", SharedTable.moved_at > now - EMPTY_AFTER)
        .where(somebody_there)  # here already, or many abandoned tables would hide the others
        .order_by(SharedTable.moved_at.desc())
        .limit(LOOKED_AT)
    )
    chosen = _chosen([_Candidate(*row) for row in db.session.execute(opened)], 4 * LISTED)
    listed = _with_people(SharedTable.code.in_([row.code for row in chosen]), now)
    present = [row for row in chosen if row.code in listed]
    return tuple(sorted((listed[row.code] for row in _chosen(present, LISTED)), key=lambda table: not table.free))


def free_tables_of(circles: Collection[str]) -> tuple[ListedTable, ...]:
    """Return the tables that were opened for circles, at which somebody is and a seat is free; the newest first."""
    if not circles:
        return ()
    newest = (
        select(SharedTable.code)
        .where(SharedTable.circle_code.in_(circles), SharedTable.phase != "closed")
        .order_by(SharedTable.opened_at.desc())
        .limit(LISTED)
    )
    codes, now = db.session.scalars(newest).all(), now_ms()
    listed = _with_people(SharedTable.code.in_(codes), now) if codes else {}
    return tuple(listed[code] for code in codes if code in listed and listed[code].free)


def _with_people(which: ColumnElement[bool], now: int) -> dict[str, ListedTable]:
    """Return tables at which somebody is, by their codes."""
    known = (
        select(SharedTable, TableRound.key).outerjoin(TableRound, TableRound.key == SharedTable.round_key).where(which)
    )
    tables = [table for table, round_key in db.session.execute(known).all() if _can_be_listed(table, round_key)]
    played = _seats_in_rounds([table.round_key for table in tables if rounds.in_play(table)])
    listed = (_listed(table, played.get(table.round_key, set()), now) for table in tables)
    return {table.code: table for table in listed if table.people}


def _chosen(rows: Sequence[_Candidate], places: int) -> Sequence[_Candidate]:
    """Return the tables that get a place, out of those that come in the order of their last change.

    Whoever opens many gets two, and whoever changes theirs all the time takes half of the places at most.
    """
    count: Counter[str] = Counter()
    allowed = []
    for row in rows:
        network = row.network or row.code
        count[network] += 1
        if count[network] <= OF_A_NETWORK:
            allowed.append(row)
    lively = allowed[: (places + 1) // 2]
    oldest = sorted(allowed[len(lively) :], key=lambda row: row.opened_at)[: places - len(lively)]
    return sorted((*lively, *oldest), key=lambda row: -row.moved_at)


def _can_be_listed(table: SharedTable, round_key: str | None) -> bool:
    """Return True if the table has a round and rules that are understood; log it if not."""
    try:
        rounds.rules_of(table)
    except (EngineError, KeyError):
        round_key = None
    if round_key is None:
        log.warning("table cannot be read")
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
        people=sum(not absence.is_away(seat, now, patience) for seat in people),
        free=seats - len(played.union(seat.number for seat in table.seats)),
        least=rules.min_bet,
        most=rules.max_bet,
        phase=table.phase,
        circle=table.circle_code,
    )


def _unused_code() -> str:
    """Return a code that no stored table has."""
    while True:
        code = new_code()
        if db.session.get(SharedTable, code) is None:
            return code
