"""A shared table at one version, apart from who looks at it. It is read once for all viewers."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from threading import Lock
from typing import Any, Final

from sqlalchemy import bindparam, select

from webapp.engine.action import Seat
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.games.table21.state import Table21State
from webapp.engine.label import Label
from webapp.extensions import db
from webapp.models import Player, Purse, SharedTable, TableRound
from webapp.services.core import context
from webapp.services.core.errors import Refusal
from webapp.services.records import stored_round
from webapp.services.records.stored_round import PastRoundFacts
from webapp.services.tables import banker, recent, rounds, seating

LOGGED: Final = 10
"""Lines in the log of a round."""
KEPT: Final = 1024
"""Tables of which an app keeps the snapshot."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """An occupied seat. The chips are those of ``player``; ``holder`` acts for the seat."""

    number: int
    player: str
    holder: str
    link: str
    bot: bool
    ready: int
    away: bool
    leaving: bool
    policy: str
    has_cut: bool
    seen_at: int


@dataclass(frozen=True, slots=True)
class BetFacts:
    """One seat in a round."""

    number: int
    player: str
    bot: bool
    stake: int
    has_cut: bool
    auto: bool


@dataclass(frozen=True, slots=True)
class LogLine:
    """Something that happened in a round. ``auto``: policy and reason, if it was an automatic action."""

    label: Label
    auto: stored_round.AutoMove | None


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round that is played, or was just settled. ``state``: of the engine, None before the deal."""

    seq: int
    status: str
    banker: int | None
    bets: tuple[BetFacts, ...]
    state: Table21State | None
    log: tuple[LogLine, ...]
    """The latest first, with the seat numbers of the table."""

    @property
    def over(self) -> bool:
        """True once the round is paid."""
        return self.status in ("done", "void")

    def bet(self, number: int) -> BetFacts | None:
        """Return the bet of the seat with a number."""
        return next((bet for bet in self.bets if bet.number == number), None)

    def place(self, number: int) -> Seat | None:
        """Return the place of the seat with a number among those that play."""
        return next((Seat(place) for place, bet in enumerate(self.bets) if bet.number == number), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """Facts of a table that are the same for all its viewers. Times are unix milliseconds.

    ``free``: numbers of the seats that may be taken. ``said``: what happened last.
    """

    code: str
    game: str
    variant: str
    rules: Table21Rules
    public: bool
    version: int
    phase: str
    clock_from: int | None
    deadline: int | None
    acting: int | None
    banker: int | None
    next_banker: int | None
    free: tuple[int, ...]
    said: tuple[Label, ...]


_SHARED: Final = tuple(field.name for field in fields(TableFacts))


def shared_facts(table: TableFacts) -> dict[str, Any]:
    """Return the fields of ``TableFacts``, by name."""
    return {name: getattr(table, name) for name in _SHARED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(TableFacts):
    """All facts of a table at one version.

    ``seq`` and ``commitment`` are those of the round in play or to come; ``shown`` is the round whose cards lie on the
    table, if any. Names and chips are by player.
    """

    seq: int
    commitment: str
    seats: tuple[SeatFacts, ...]
    shown: RoundFacts | None
    names: Mapping[str, str]
    chips: Mapping[str, int]
    past: tuple[PastRoundFacts, ...]

    def seat_of(self, player: str | None) -> SeatFacts | None:
        """Return the seat that a player acts for."""
        return next((seat for seat in self.seats if seat.holder == player), None) if player else None

    @property
    def in_play(self) -> bool:
        """True while chips lie on the table."""
        return self.phase in ("betting", "playing")


class Snapshots:
    """The latest snapshots of an app by the code of their table. Safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_code: OrderedDict[str, Snapshot] = OrderedDict()

    def get(self, code: str) -> Snapshot | None:
        """Return the latest snapshot of a table, if it is kept."""
        with self._lock:
            return self._by_code.get(code)

    def put(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, unless a later one is kept. The one that was put first makes room."""
        with self._lock:
            kept = self._by_code.get(snapshot.code)
            if kept is None or kept.version <= snapshot.version:
                self._by_code[snapshot.code] = snapshot
                self._by_code.move_to_end(snapshot.code)
            while len(self._by_code) > KEPT:
                self._by_code.popitem(last=False)

    def clear(self) -> None:
        """Forget all snapshots."""
        with self._lock:
            self._by_code.clear()


_VERSION: Final = select(SharedTable.version).where(SharedTable.code == bindparam("code"))


def snapshots() -> Snapshots:
    """Return the snapshots that this app keeps."""
    return context.current().get(Snapshots, lambda _config: Snapshots())


def snapshot(code: str, version: int | None = None) -> Snapshot:
    """Return the table as it is now. ``version``: the current one, if it is known.

    Not for use inside a transaction that writes.

    Raises:
        Refusal: ``table-not-found``.
    """
    kept = remembered(code)
    if kept is not None and kept.version == version:
        return kept
    version = db.session.scalar(_VERSION, {"code": code})
    if version is None:
        raise Refusal("table-not-found", code[:20])
    if kept is not None and kept.version == version:
        return kept
    with _one_moment():
        table = db.session.get(SharedTable, code, populate_existing=True)
        if table is None:
            raise Refusal("table-not-found", code[:20])
        current = read(table)
    keep(current)
    return current


def remembered(code: str) -> Snapshot | None:
    """Return the latest snapshot that is kept of a table; the table may have changed since."""
    return snapshots().get(code)


def keep(current: Snapshot) -> None:
    """Keep a snapshot for the next viewers. Not before the version is committed."""
    snapshots().put(current)


def read(table: SharedTable) -> Snapshot:
    """Read all facts of a table. The caller sees to it that they cannot change meanwhile, for instance by its lock."""
    round = rounds.round_of(table)
    lying = round if rounds.in_play(table) else recent.last_dealt(table) if table.phase == "settled" else None
    shown = _round_facts(lying) if lying else None
    seats = tuple(
        SeatFacts(
            number=seat.number,
            player=seat.player_id,
            holder=seat.holder_id,
            link=seat.link,
            bot=seat.bot,
            ready=seat.ready,
            away=seat.away,
            leaving=seat.leaving,
            policy=seat.policy,
            has_cut=seat.cut is not None,
            seen_at=seat.seen_at,
        )
        for seat in table.seats
    )
    past = recent.latest_rounds(table.code, table.round_key) if table.rounds else ()
    people = {seat.player for seat in seats} | {bet.player for bet in (shown.bets if shown else ())}
    names, chips = _names_and_chips(people | {round.banker for round in past}, table.game)
    start = rounds.rules_of(table).bets.start
    return Snapshot(
        code=table.code,
        game=table.game,
        variant=table.variant,
        rules=rounds.rules_of(table),
        public=table.public,
        version=table.version,
        phase=table.phase,
        clock_from=table.clock_from,
        deadline=table.deadline,
        acting=table.acting,
        banker=table.banker if table.phase in ("betting", "playing", "settled") else None,
        next_banker=banker.next_banker(table),
        seq=shown.seq if shown else round.seq,
        commitment=round.commitment,
        seats=seats,
        free=seating.free_numbers(table) if table.phase != "closed" else (),
        shown=shown,
        said=tuple(_at_table(label, shown.bets) for label in shown.state.said) if shown and shown.state else (),
        names=names,
        chips={player: chips.get(player, start) for player in people},
        past=past,
    )


@contextmanager
def _one_moment() -> Iterator[None]:
    """Let all queries see the database as it was at the first one.

    Each transaction of SQLite does. On PostgreSQL every query would see what was committed just before it.
    """
    db.session.rollback()
    try:
        if db.engine.dialect.name == "postgresql":
            options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            db.session.connection(execution_options=options)
        yield
    finally:
        db.session.rollback()


def _round_facts(round: TableRound) -> RoundFacts:
    bets = tuple(
        BetFacts(bet.number, bet.player_id, bet.bot, bet.stake, bet.cut is not None, bet.auto) for bet in round.bets
    )
    states = stored_round.round_states(round) if round.dealt else ()
    log = _log(round, bets, states)
    return RoundFacts(round.seq, round.status, round.banker, bets, states[-1] if states else None, log)


def _log(round: TableRound, bets: tuple[BetFacts, ...], states: tuple[Table21State, ...]) -> tuple[LogLine, ...]:
    """Return the latest of all bets, the deal and all actions."""
    lines = []
    for bet in bets:
        if bet.stake and bet.number != round.banker:
            auto = stored_round.AutoMove("least", "late") if bet.auto else None
            lines.append(LogLine(Label.of("SEAT_BET", seat=bet.number, chips=bet.stake), auto))
    for state, auto in zip(states, (None, *stored_round.round_auto_moves(round)), strict=bool(states)):
        action, *results = (_at_table(label, bets) for label in state.said)
        lines += [LogLine(action, auto), *(LogLine(label, None) for label in results)]
    return tuple(reversed(lines))[:LOGGED]


def _names_and_chips(players: set[str], game: str) -> tuple[Mapping[str, str], Mapping[str, int]]:
    """Return the names of players, and the chips of those who have a purse."""
    query = (
        select(Player.id, Player.name, Purse.balance)
        .outerjoin(Purse, (Purse.player_id == Player.id) & (Purse.game == game) & (Purse.runs > 0))
        .where(Player.id.in_(players))
    )
    rows = db.session.execute(query).all() if players else []
    return {row.id: row.name for row in rows}, {row.id: row.balance for row in rows if row.balance is not None}


def _at_table(label: Label, bets: tuple[BetFacts, ...]) -> Label:
    """Return a label of the engine, which counts the seats that play, with the seat number of the table."""
    args = dict(label.args)
    seat = args.get("seat")
    if isinstance(seat, int):
        args["seat"] = bets[seat].number
    return Label(label.code, tuple(args.items()))
