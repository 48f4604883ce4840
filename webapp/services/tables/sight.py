"""What one viewer may see of a shared table, in one value. Pages, fragments and JSON are made from it alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import select

from webapp.engine.cards import Card
from webapp.engine.families.table_rules import WORST, Rules
from webapp.engine.families.table_view import SeatView, TableView
from webapp.engine.label import Label
from webapp.extensions import db
from webapp.models import CardTable, Player, Purse, RoundSeat, TableRound, TableSeat
from webapp.services.tables import deals, rounds, seating
from webapp.services.tables.clock import now_ms

RECENT: Final = 5


@dataclass(frozen=True, slots=True)
class SeatSight:
    """A seat. ``chips`` are what the player has beside the bet; the bank's reserve is still counted among its chips.

    ``auto``: the player is away, or has left, and it plays by itself; ``left`` is the second of these. ``seen``: what
    lies there. ``gone``: nobody sits there any more, but the cards of the last round still lie.
    """

    seat: int
    name: str
    bot: bool
    bank: bool
    chips: int
    bet: int
    auto: bool
    left: bool
    ready: bool
    playing: bool
    auto_bet: bool
    gone: bool
    seen: SeatView | None


@dataclass(frozen=True, slots=True)
class PastRound:
    """A finished round, in the list of them. ``net``: of who looks, None if they did not play in it."""

    key: str
    seq: int
    void: bool
    cards: tuple[Card, ...]
    bank: str
    bank_bot: bool
    bank_net: int
    net: int | None


@dataclass(frozen=True, slots=True)
class TableSight:
    """``you`` is the number of the viewer's seat; None for a spectator. Times are unix milliseconds.

    ``limits``: the lowest and the highest bet that the viewer may place now. ``has_cut``: whether the viewer has cut.
    ``said``: what happened last, with seats counted as the table counts them.
    """

    code: str
    game: str
    variant: str
    rules: Rules
    public: bool
    version: int
    phase: str
    round: int
    now: int
    clock_from: int | None
    deadline: int | None
    acting: int | None
    bank: int | None
    next_bank: int | None
    seats: tuple[SeatSight, ...]
    free: tuple[int, ...]
    you: int | None
    view: TableView | None
    actions: tuple[str, ...]
    limits: tuple[int, int]
    commitment: str | None
    last: str | None
    policy: str | None
    link: str | None
    has_cut: bool
    said: tuple[Label, ...]
    past: tuple[PastRound, ...]

    @property
    def mine(self) -> SeatSight | None:
        return next((seat for seat in self.seats if seat.seat == self.you and not seat.gone), None)

    @property
    def names(self) -> Mapping[int, SeatSight]:
        return {seat.seat: seat for seat in self.seats}

    @property
    def is_turn(self) -> bool:
        """Whether the table waits for this viewer."""
        return self.you is not None and (self.acting == self.you or "bet" in self.actions)

    @property
    def exposure(self) -> int:
        """What the bank may have to pay, as the bets lie now; once dealt, what it has put up."""
        dealt = next((seat.seen.bet for seat in self.seats if seat.bank and seat.seen), None)
        return WORST * sum(seat.bet for seat in self.seats if not seat.bank) if dealt is None else dealt

    @property
    def left(self) -> int:
        """Milliseconds on the clock."""
        return max(0, (self.deadline or self.now) - self.now)

    @property
    def span(self) -> int:
        return max(1, (self.deadline or 1) - (self.clock_from or 0))


def sight_of(table: CardTable, viewer: str | None) -> TableSight:
    """``viewer``: the player who looks, if any is known."""
    round, rules = rounds.round_of(table), rounds.rules_of(table)
    shown = round if round.status in ("betting", "live") else _last(table) if table.phase == "settled" else None
    own = seating.seat_of(table, viewer)
    view = _view(shown, own)
    seats = _seats(table, shown, view)
    past = _past(table, viewer)
    return TableSight(
        code=table.code,
        game=table.game,
        variant=table.variant,
        rules=rules,
        public=table.public,
        version=table.version,
        phase=table.phase,
        round=(shown or round).seq,
        now=now_ms(),
        clock_from=table.clock_from,
        deadline=table.deadline,
        acting=table.acting,
        bank=table.bank if table.phase in ("betting", "playing", "settled") else None,
        next_bank=_next_bank(table),
        seats=seats,
        free=seating.free_numbers(table) if table.phase != "closed" else (),
        you=own.number if own else None,
        view=view,
        actions=_actions(table, round, own),
        limits=_limits(table, round, own),
        commitment=None if table.phase == "closed" else round.commitment,
        last=past[0].key if past else None,
        policy=own.policy if own else None,
        link=own.link if own else None,
        has_cut=_has_cut(round, own),
        said=_said(shown, view),
        past=past,
    )


def is_watcher(table: CardTable, viewer: str | None) -> bool:
    return seating.seat_of(table, viewer) is None


def _view(shown: TableRound | None, own: TableSeat | None) -> TableView | None:
    """Of the round on the table, once it is dealt."""
    if shown is None or not shown.dealt:
        return None
    place = deals.place_of(shown, own.number) if own and _plays(shown, own) else None
    return deals.game_of(shown).view(deals.state_of(shown), place)


def _plays(round: TableRound, seat: TableSeat) -> bool:
    bet = deals.bet_of(round, seat.number)
    return bet is not None and bet.player_id == seat.player_id


def _seats(table: CardTable, shown: TableRound | None, view: TableView | None) -> tuple[SeatSight, ...]:
    bets = {bet.number: (place, bet) for place, bet in enumerate(shown.bets)} if shown else {}
    players = {seat.player_id for seat in table.seats} | {bet.player_id for _, bet in bets.values()}
    names = {
        row.id: row.name for row in db.session.execute(select(Player.id, Player.name).where(Player.id.in_(players)))
    }
    chips = {
        row.player_id: row.balance
        for row in db.session.execute(
            select(Purse.player_id, Purse.balance).where(Purse.player_id.in_(players), Purse.game == table.game)
        )
    }
    start = rounds.rules_of(table).bets.start
    found = []
    for number in sorted({seat.number for seat in table.seats} | set(bets)):
        seat = rounds.seat_at(table, number)
        place, bet = bets.get(number, (None, None))
        if seat is not None and bet is not None and bet.player_id != seat.player_id:
            place, bet = None, None  # somebody new sits where the last round's player was
        found.append(_seat(number, seat, place, bet, shown, view, names, chips, start))
    return tuple(found)


def _seat(
    number: int,
    seat: TableSeat | None,
    place: int | None,
    bet: RoundSeat | None,
    shown: TableRound | None,
    view: TableView | None,
    names: Mapping[str, str],
    chips: Mapping[str, int],
    start: int,
) -> SeatSight:
    who = seat.player_id if seat else bet.player_id if bet else ""
    bank = bet is not None and shown is not None and shown.bank == number
    held = bet.stake if bet and bank and shown and shown.finished_at is None else 0
    seen = view.seats[place] if view and place is not None else None
    return SeatSight(
        seat=number,
        name=names.get(who, ""),
        bot=seat.bot if seat else bool(bet and bet.bot),
        bank=bank,
        chips=chips.get(who, start) + held,
        bet=0 if bank or (shown and shown.finished_at) else seen.bet if seen else bet.stake if bet else 0,
        auto=bool(seat and (seat.away or seat.leaving)),
        left=bool(seat and seat.leaving),
        ready=bool(seat and seat.ready),
        playing=bet is not None,
        auto_bet=bool(bet and bet.auto),
        gone=seat is None,
        seen=seen,
    )


def _actions(table: CardTable, round: TableRound, own: TableSeat | None) -> tuple[str, ...]:
    if table.phase == "closed":
        return ()
    free = seating.free_numbers(table)
    if own is None:
        return tuple(f"sit-{number}" for number in free)
    verbs: list[str] = []
    bet = deals.bet_of(round, own.number) if table.phase in ("betting", "playing") else None
    if table.phase == "betting" and bet is not None and not own.leaving:
        if not bet.stake:
            verbs.append("bet")
        elif own.number == round.bank and not bet.cut:
            verbs.append("cut")
    if table.phase == "playing" and table.acting == own.number:
        verbs += rounds.affordable(table, round, own.number)
    if bet is None and own.ready < (2 if table.phase == "settled" else 1):
        verbs.append("ready")
    if own.leaving:
        verbs.append(f"sit-{own.number}")
    verbs += ["policy", *([] if own.leaving else ["leave"]), *(f"bot-{number}" for number in _for_machines(table))]
    return tuple(verbs)


def _for_machines(table: CardTable) -> tuple[int, ...]:
    """Seats that one can be called to, or sent home from."""
    machines = tuple(seat.number for seat in table.seats if seat.bot and not seat.leaving)
    return (*seating.free_numbers(table), *machines)


def _limits(table: CardTable, round: TableRound, own: TableSeat | None) -> tuple[int, int]:
    if own is None or table.phase != "betting":
        return (0, 0)
    bet = deals.bet_of(round, own.number)
    if bet is None or bet.stake or own.number == round.bank:
        return (0, 0)
    least, most = rounds.limits(table, round, own.number)
    purse = db.session.get(Purse, (bet.player_id, table.game))
    return (least, min(most, purse.balance if purse else most))


def _has_cut(round: TableRound, own: TableSeat | None) -> bool:
    if own is None:
        return False
    bet = deals.bet_of(round, own.number)
    return bool(own.cut or (bet and bet.cut))


def _next_bank(table: CardTable) -> int | None:
    """Whose turn it is after this round, as far as can be known."""
    if table.bank is None:
        return None
    numbers = [seat.number for seat in table.seats if seat.ready and not seat.leaving and not seat.away]
    if table.bank in numbers and table.banked < rounds.rules_of(table).bank_rounds:
        return table.bank
    return next((number for number in numbers if number > table.bank), numbers[0] if numbers else None)


def _said(shown: TableRound | None, view: TableView | None) -> tuple[Label, ...]:
    """The engine counts those who play; a label for people names the seats of the table."""
    if shown is None or view is None:
        return ()
    return tuple(at_table(label, shown) for label in view.said)


def at_table(label: Label, round: TableRound) -> Label:
    """With the number of the seat in place of its place among those who play."""
    args = dict(label.args)
    place = args.get("seat")
    if not isinstance(place, int):
        return label
    return replace(label, args=tuple({**args, "seat": round.bets[place].number}.items()))


# ------------------------------------------------------------------------------------------------ what went before


def _last(table: CardTable) -> TableRound | None:
    query = select(TableRound).where(TableRound.table_code == table.code, TableRound.dealt)
    return db.session.scalars(query.order_by(TableRound.seq.desc()).limit(1)).one_or_none()


def _past(table: CardTable, viewer: str | None) -> tuple[PastRound, ...]:
    if table.rounds == 0:
        return ()
    query = select(TableRound).where(
        TableRound.table_code == table.code, TableRound.dealt, TableRound.finished_at.is_not(None)
    )
    latest = db.session.scalars(query.order_by(TableRound.seq.desc()).limit(RECENT)).all()
    banks = {bet.player_id for round in latest for bet in round.bets if bet.number == round.bank}
    names = {row.id: row.name for row in db.session.execute(select(Player.id, Player.name).where(Player.id.in_(banks)))}
    return tuple(_past_round(round, viewer, names) for round in latest)


def _past_round(round: TableRound, viewer: str | None, names: Mapping[str, str]) -> PastRound:
    nets = deals.nets_of(round)
    bank = deals.bet_of(round, round.bank if round.bank is not None else -1)
    assert bank is not None
    own = next((bet for bet in round.bets if bet.player_id == viewer), None)
    state = deals.state_of(round)
    place = deals.place_of(round, own.number) if own else None
    cards = state.hands[place][0].cards if place is not None and own is not bank else deals.game_of(round).emblem(state)
    return PastRound(
        key=round.key,
        seq=round.seq,
        void=round.status == "void",
        cards=cards,
        bank=names.get(bank.player_id, ""),
        bank_bot=bank.bot,
        bank_net=nets[bank.number],
        net=nets[own.number] if own else None,
    )
