"""A table as it is at one version, apart from who looks. Many look at the same one, so it is read once for all."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final

from sqlalchemy import bindparam, select

from webapp.engine.action import Seat
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.games.table21.state import Table21State
from webapp.engine.label import Label
from webapp.extensions import db
from webapp.models import Player, Purse, SharedTable, TableRound
from webapp.services.core.errors import Refusal
from webapp.services.tables import betting, recent, round_cards, rounds, seating
from webapp.services.tables.recent import PastRoundFacts

LOGGED: Final = 10
KEPT: Final = 1024


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """An occupied seat; ``player`` is whose chips are played for, ``holder`` who acts."""

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
    """Something that happened in a round; ``auto``: how and why, if nobody did it."""

    label: Label
    auto: round_cards.AutoMove | None


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round that is played, or was just settled. ``state`` is the engine's, once it is dealt."""

    seq: int
    status: str
    bank: int | None
    bets: tuple[BetFacts, ...]
    state: Table21State | None
    log: tuple[LogLine, ...]
    """The latest first. Seats are those of the table."""

    @property
    def over(self) -> bool:
        return self.status in ("done", "void")

    def bet(self, number: int) -> BetFacts | None:
        return next((bet for bet in self.bets if bet.number == number), None)

    def place(self, number: int) -> Seat | None:
        return next((Seat(place) for place, bet in enumerate(self.bets) if bet.number == number), None)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """``round`` is the one in play or to come; ``shown`` the one whose cards lie, if any."""

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
    bank: int | None
    next_bank: int | None
    seq: int
    commitment: str
    seats: tuple[SeatFacts, ...]
    free: tuple[int, ...]
    shown: RoundFacts | None
    said: tuple[Label, ...]
    names: Mapping[str, str]
    chips: Mapping[str, int]
    past: tuple[PastRoundFacts, ...]

    def seat_of(self, player: str | None) -> SeatFacts | None:
        """The seat that a player acts for."""
        return next((seat for seat in self.seats if seat.holder == player), None) if player else None

    @property
    def in_play(self) -> bool:
        return self.phase in ("betting", "playing")


_VERSION: Final = select(SharedTable.version).where(SharedTable.code == bindparam("code"))
_LOCK: Final = Lock()
_KEPT: Final[OrderedDict[tuple[str, str], Snapshot]] = OrderedDict()


def snapshot(code: str, version: int | None = None) -> Snapshot:
    """The table as it is now; or at this version, if it is known. Refusal ``table-not-found``."""
    kept = remembered(code)
    if kept is not None and kept.version == version:
        return kept
    version = db.session.scalar(_VERSION, {"code": code})
    if version is None:
        raise Refusal("table-not-found", code[:20])
    if kept is not None and kept.version == version:
        return kept
    return keep(db.session.get_one(SharedTable, code, populate_existing=True))


def remembered(code: str) -> Snapshot | None:
    """The table as this process saw it last, if it has."""
    with _LOCK:
        return _KEPT.get((str(db.engine.url), code))


def keep(table: SharedTable) -> Snapshot:
    """Read all of a table, for whoever looks next."""
    made = _read(table)
    key = (str(db.engine.url), table.code)
    with _LOCK:
        kept = _KEPT.get(key)
        if kept is None or kept.version <= made.version:
            _KEPT[key] = made
            _KEPT.move_to_end(key)
        while len(_KEPT) > KEPT:
            _KEPT.popitem(last=False)
    return made


def _read(table: SharedTable) -> Snapshot:
    round = rounds.round_of(table)
    lies = round if rounds.in_play(table) else recent.last_dealt(table) if table.phase == "settled" else None
    shown = _round(lies) if lies else None
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
    finished = recent.latest_rounds(table.code, table.round_key) if table.rounds else ()
    people = {seat.player for seat in seats} | {bet.player for bet in (shown.bets if shown else ())}
    names, chips = _people(people | {each.bank for each in finished}, table.game)
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
        bank=table.bank if table.phase in ("betting", "playing", "settled") else None,
        next_bank=_next_bank(table),
        seq=shown.seq if shown else round.seq,
        commitment=round.commitment,
        seats=seats,
        free=seating.free_numbers(table) if table.phase != "closed" else (),
        shown=shown,
        said=_said(shown),
        names=names,
        chips={player: chips.get(player, start) for player in people},
        past=finished,
    )


def _round(round: TableRound) -> RoundFacts:
    bets = tuple(
        BetFacts(bet.number, bet.player_id, bet.bot, bet.stake, bet.cut is not None, bet.auto) for bet in round.bets
    )
    states = round_cards.round_states(round) if round.dealt else ()
    log = _log(round, bets, states)
    return RoundFacts(round.seq, round.status, round.bank, bets, states[-1] if states else None, log)


def _log(round: TableRound, bets: tuple[BetFacts, ...], states: tuple[Table21State, ...]) -> tuple[LogLine, ...]:
    """Bets, deal and moves, as far as there is room for them."""
    lines = []
    for bet in bets:
        if bet.stake and bet.number != round.bank:
            auto = round_cards.AutoMove("least", "late") if bet.auto else None
            lines.append(LogLine(Label.of("SEAT_BET", seat=bet.number, chips=bet.stake), auto))
    for state, auto in zip(states, (None, *round_cards.round_auto_moves(round)), strict=bool(states)):
        first, *rest = (_at_table(label, bets) for label in state.said)  # what was done, and what came of it
        lines += [LogLine(first, auto), *(LogLine(label, None) for label in rest)]
    return tuple(reversed(lines))[:LOGGED]


def _people(players: set[str], game: str) -> tuple[Mapping[str, str], Mapping[str, int]]:
    """Names, and chips of those who have a purse."""
    query = (
        select(Player.id, Player.name, Purse.balance)
        .outerjoin(Purse, (Purse.player_id == Player.id) & (Purse.game == game) & (Purse.runs > 0))
        .where(Player.id.in_(players))
    )
    found = db.session.execute(query).all() if players else []
    return {row.id: row.name for row in found}, {row.id: row.balance for row in found if row.balance is not None}


def _next_bank(table: SharedTable) -> int | None:
    """Whose turn it is after this round, as far as can be known."""
    if table.bank is None:
        return None
    numbers = [seat.number for seat in rounds.who_plays(table)]
    return numbers[betting.next_banker_index(table, numbers)] if numbers else None


def _said(shown: RoundFacts | None) -> tuple[Label, ...]:
    """What happened last. The engine counts those who play; here the seats are those of the table."""
    if shown is None or shown.state is None:
        return ()
    return tuple(_at_table(label, shown.bets) for label in shown.state.said)


def _at_table(label: Label, bets: tuple[BetFacts, ...]) -> Label:
    args = dict(label.args)
    seat = args.get("seat")
    if isinstance(seat, int):
        args["seat"] = bets[seat].number
    return Label(label.code, tuple(args.items()))
