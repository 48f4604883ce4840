"""Snapshots: a shared table at one version, read once from its rows for all viewers and kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from threading import Lock
from typing import Final

from cachetools import FIFOCache
from flask import current_app
from sqlalchemy import bindparam, select

from webapp.engine.games.table21.state import Table21State
from webapp.engine.label import Label
from webapp.extensions import db
from webapp.models import Player, Purse, SharedTable, TableRound, TableSeat
from webapp.services.core.cache import Cache
from webapp.services.core.database import reading_as_of_now
from webapp.services.core.errors import Refusal
from webapp.services.names import numbered
from webapp.services.records import stored_round
from webapp.services.records.stored_round import PastRoundFacts, is_sealed, past_round, round_returns
from webapp.services.tables import banker, rounds, seating
from webapp.services.tables.facts import BetFacts, LogLine, RoundFacts, SeatFacts, Snapshot

RECENT: Final = 5
"""Rounds in the list of a table."""
# put together once: building a statement takes as long as running it
_NEWEST_FIRST: Final = (
    select(TableRound).where(TableRound.table_code == bindparam("code")).order_by(TableRound.seq.desc())
)
_IS_FINISHED: Final = TableRound.finished_at.is_not(None)
_LAST_DEALT: Final = _NEWEST_FIRST.where(TableRound.dealt).limit(1)
_LAST_FINISHED: Final = _NEWEST_FIRST.where(_IS_FINISHED).limit(1)
_LATEST_PLAYED: Final = _NEWEST_FIRST.where(TableRound.dealt, _IS_FINISHED).limit(RECENT)


@dataclass(frozen=True, slots=True)
class Ended:
    """What has ended at a table: the latest rounds, newest first, and what went back, by player, with the last one.

    ``round_key``: that of the round in play or to come, when this was read. If the table has another one, another round
    has ended since.
    """

    round_key: str
    rounds: tuple[PastRoundFacts, ...]
    returned: Mapping[str, int]


class RecentRounds(Cache[str, Ended]):
    """What has ended, by the code of a table. Of each only the last list is kept: nobody asks for earlier ones."""


def last_dealt(table: SharedTable) -> TableRound | None:
    """Return the latest round with cards: they lie on the table until the next deal."""
    return db.session.scalars(_LAST_DEALT, {"code": table.code}).one_or_none()


def latest_rounds(code: str, round_key: str) -> tuple[PastRoundFacts, ...]:
    """Return the latest finished rounds, newest first.

    They change when a round is finished, and then ``round_key``, the key of the round in play or to come, changes too.
    """
    return _ended(code, round_key).rounds


def last_returns(code: str, round_key: str) -> Mapping[str, int]:
    """Return the chips that went back with the last round, by player: none if it is not void.

    It may have ended before cards were dealt, and is in no list then.
    """
    return _ended(code, round_key).returned


def _ended(code: str, round_key: str) -> Ended:
    recent: RecentRounds = current_app.extensions["recent_rounds"]
    kept = recent.get(code, lambda: _read(code, round_key))
    return kept if kept.round_key == round_key else recent.put(code, _read(code, round_key))


def _read(code: str, round_key: str) -> Ended:
    return Ended(round_key, _latest_rounds(code), _last_returns(code))


def _latest_rounds(code: str) -> tuple[PastRoundFacts, ...]:
    finished = db.session.scalars(_LATEST_PLAYED, {"code": code})
    return tuple(past_round(round) for round in finished if not is_sealed(round))


def _last_returns(code: str) -> Mapping[str, int]:
    last = db.session.scalars(_LAST_FINISHED, {"code": code}).one_or_none()
    return dict(round_returns(last)) if last else {}


LOGGED: Final = 10
"""Lines in the log of a round."""
# put together once: building a statement takes as long as running it
_OF_GAME: Final = (Purse.player_id == Player.id) & (Purse.game == bindparam("game")) & (Purse.runs > 0)
_NAMES_AND_CHIPS: Final = (
    select(Player.id, Player.name, Purse.balance, Purse.peak)
    .outerjoin(Purse, _OF_GAME)
    .where(Player.id.in_(bindparam("players", expanding=True)))
)


def read(table: SharedTable) -> Snapshot:
    """Read all facts of a table. The caller sees to it that they cannot change meanwhile, for instance by its lock."""
    round = rounds.round_of(table)
    lying = round if rounds.in_play(table) else last_dealt(table) if table.phase == "settled" else None
    shown = _round_facts(lying) if lying else None
    seats = tuple(map(_seat_facts, table.seats))
    past = latest_rounds(table.code, table.round_key) if table.rounds else ()
    has_ended = table.rounds and not rounds.in_play(table)
    people = {seat.player for seat in seats} | {bet.player for bet in (shown.bets if shown else ())}
    names, chips, peaks = _names_and_chips(people | {round.banker for round in past}, table.game)
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
        said=said_in(shown, (*shown.before_forced, shown.state)) if shown and shown.state else (),
        names={**names, **_own_names(table, lying, names)},
        chips={player: chips.get(player, start) for player in people},
        peaks=peaks,
        past=past,
        returned=last_returns(table.code, table.round_key) if has_ended else {},
    )


def _seat_facts(seat: TableSeat) -> SeatFacts:
    return SeatFacts(
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


def _own_names(table: SharedTable, lying: TableRound | None, names: Mapping[str, str]) -> dict[str, str]:
    """Return the names under which people sit at this table, and had played the round that lies there."""
    kept = {bet.player_id: bet.name for bet in lying.bets if bet.name} if lying else {}
    seated = {seat.player_id: numbered(names.get(seat.player_id, ""), seat.name_number) for seat in table.seats}
    return {**kept, **seated}


def _round_facts(round: TableRound) -> RoundFacts:
    bets = tuple(
        BetFacts(bet.number, bet.player_id, bet.bot, bet.stake, bet.cut is not None, bet.auto) for bet in round.bets
    )
    states = stored_round.round_states(round) if round.dealt else ()
    lines, last_moves = _log(round, bets, states)
    return RoundFacts(
        seq=round.seq,
        status=round.status,
        banker=round.banker,
        bets=bets,
        state=states[-1] if states else None,
        log=tuple(reversed(lines))[:LOGGED],
        moves=round.step,
        before_forced=states[-1 - _forced_at_the_end(round) : -1],
        last_moves=tuple(last_moves.items()),
    )


def _forced_at_the_end(round: TableRound) -> int:
    """Return how many of the last moves had no alternative."""
    autos = reversed(stored_round.round_auto_moves(round))
    return len(tuple(takewhile(lambda auto: auto is not None and auto.reason == "forced", autos)))


def said_in(shown: RoundFacts, states: Iterable[Table21State]) -> tuple[Label, ...]:
    """Return what was said in states of a round, with the seat numbers of the table."""
    return tuple(label.at_table(shown.numbers) for state in states for label in state.said)


def _log(
    round: TableRound, bets: tuple[BetFacts, ...], states: tuple[Table21State, ...]
) -> tuple[list[LogLine], dict[int, LogLine]]:
    """Return the draw for the bank, all bets, the deal and all actions; and of each seat the last action, if any."""
    drawn, numbers = stored_round.round_draw(round), tuple(bet.number for bet in bets)
    lines = [LogLine(label, None) for label in (drawn.labels if drawn else ())]
    last_moves: dict[int, LogLine] = {}
    for bet in bets:
        if bet.stake and bet.number != round.banker:
            auto = stored_round.AutoMove("least", "late") if bet.auto else None
            lines.append(LogLine(Label.of("SEAT_BET", seat=bet.number, chips=bet.stake), auto))
    moves = zip((None, *stored_round.round_moves(round)), (None, *stored_round.round_auto_moves(round)), strict=True)
    for state, (move, auto) in zip(states, moves, strict=bool(states)):
        action, *results = (LogLine(label.at_table(numbers), None) for label in state.said)
        lines += [LogLine(action.label, auto), *results]
        if move is not None:
            last_moves[numbers[move.seat]] = LogLine(action.label, auto)
    return lines, last_moves


def _names_and_chips(players: set[str], game: str) -> tuple[dict[str, str], Mapping[str, int], Mapping[str, int]]:
    """Return the names of players, and the chips of those who have a purse, now and at their most."""
    rows = db.session.execute(_NAMES_AND_CHIPS, {"game": game, "players": list(players)}).all() if players else []
    purses = [row for row in rows if row.balance is not None]
    chips, peaks = {row.id: row.balance for row in purses}, {row.id: row.peak for row in purses}
    return {row.id: row.name for row in rows}, chips, peaks


MOST: Final = 1024
"""Tables of which an app keeps the snapshot."""


class Snapshots:
    """The latest snapshots of an app by the code of their table. Safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_code: FIFOCache[str, Snapshot] = FIFOCache(MOST)

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

    def clear(self) -> None:
        """Forget all snapshots."""
        with self._lock:
            self._by_code.clear()


_VERSION: Final = select(SharedTable.version).where(SharedTable.code == bindparam("code"))


def snapshots() -> Snapshots:
    """Return the snapshots that this app keeps."""
    snapshots_of_app: Snapshots = current_app.extensions["snapshots"]
    return snapshots_of_app


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
    with reading_as_of_now():
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
