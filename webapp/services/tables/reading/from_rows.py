"""Facts of a shared table, read from its rows."""

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Final

from sqlalchemy import bindparam, select

from webapp.engine.games.table21.state import Table21State
from webapp.engine.label import Label
from webapp.extensions import db
from webapp.models import Player, Purse, SharedTable, TableRound, TableSeat
from webapp.services.names import numbered
from webapp.services.records import stored_round
from webapp.services.tables.play import banker, rounds, seating
from webapp.services.tables.reading import recent
from webapp.services.tables.reading.facts import BetFacts, LogLine, RoundFacts, SeatFacts, Snapshot

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
    lying = round if rounds.in_play(table) else recent.last_dealt(table) if table.phase == "settled" else None
    shown = _round_facts(lying) if lying else None
    seats = tuple(map(_seat_facts, table.seats))
    past = recent.latest_rounds(table.code, table.round_key) if table.rounds else ()
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
        returned=recent.last_returns(table.code, table.round_key) if has_ended else {},
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
