"""What one viewer may see of a shared table, in one value. Pages, fragments and JSON are made from it alone."""

from collections.abc import Mapping
from dataclasses import dataclass

from webapp.engine.cards import Card
from webapp.engine.games import COMPANY
from webapp.engine.games.table21.rules import WORST, Table21Rules
from webapp.engine.games.table21.view import Table21SeatView, Table21View
from webapp.engine.label import Label
from webapp.services.core.clock import now_ms
from webapp.services.tables.recent import PastRoundFacts
from webapp.services.tables.seating import seats_open_to_bots
from webapp.services.tables.snapshot import BetFacts, LogLine, RoundFacts, SeatFacts, Snapshot


@dataclass(frozen=True, slots=True)
class SeatState:
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
    seen: Table21SeatView | None


@dataclass(frozen=True, slots=True)
class PastRound:
    """A finished round, in the list of them. ``net``: of who looks, None if they did not play in it."""

    key: str
    seq: int
    void: bool
    cards: tuple[Card, ...]
    bank_net: int
    net: int | None


@dataclass(frozen=True, slots=True)
class TableView:
    """``you`` is the number of the viewer's seat; None for a spectator. Times are unix milliseconds.

    ``limits``: the lowest and the highest bet that the viewer may place now. ``has_cut``: whether the viewer has cut.
    ``said``: what happened last, with seats counted as the table counts them; ``log``: and before, the latest first.
    """

    code: str
    game: str
    variant: str
    rules: Table21Rules
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
    seats: tuple[SeatState, ...]
    free: tuple[int, ...]
    you: int | None
    view: Table21View | None
    actions: tuple[str, ...]
    limits: tuple[int, int]
    commitment: str | None
    last: str | None
    policy: str | None
    link: str | None
    has_cut: bool
    said: tuple[Label, ...]
    log: tuple[LogLine, ...]
    past: tuple[PastRound, ...]

    @property
    def mine(self) -> SeatState | None:
        return next((seat for seat in self.seats if seat.seat == self.you and not seat.gone), None)

    @property
    def names(self) -> Mapping[int, SeatState]:
        return {seat.seat: seat for seat in self.seats}

    @property
    def is_turn(self) -> bool:
        """Whether the table waits for this viewer."""
        return self.you is not None and (self.acting == self.you or "bet" in self.actions)

    @property
    def look_again(self) -> int:
        """Seconds after which a page on which no script runs asks again. Who is to do something has time for it, but
        has to give a sign of life now and then; and who may sit down has time to write a name.
        """
        if not self.is_turn and "cut" not in self.actions:
            return 4 if self.deadline and (self.you is not None or not self.free) else 8
        return max(4, min(self.left // 1000 + 1, self.rules.absent_after * 2 // 3))

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


def view_for(table: Snapshot, viewer: str | None) -> TableView:
    """``viewer``: the player who looks, if any is known."""
    own = table.seat_of(viewer)
    view = _view(table.shown, own)
    past = tuple(_past(each, viewer) for each in table.past)
    return TableView(
        code=table.code,
        game=table.game,
        variant=table.variant,
        rules=table.rules,
        public=table.public,
        version=table.version,
        phase=table.phase,
        round=table.seq,
        now=now_ms(),
        clock_from=table.clock_from,
        deadline=table.deadline,
        acting=table.acting,
        bank=table.bank,
        next_bank=table.next_bank,
        seats=_seats(table, view),
        free=table.free,
        you=own.number if own else None,
        view=view,
        actions=_actions(table, own),
        limits=_limits(table, own),
        commitment=None if table.phase == "closed" else table.commitment,
        last=past[0].key if past else None,
        policy=own.policy if own else None,
        link=own.link if own else None,
        has_cut=_has_cut(table, own),
        said=table.said,
        log=table.shown.log if table.shown else (),
        past=past,
    )


def _view(shown: RoundFacts | None, own: SeatFacts | None) -> Table21View | None:
    """Of the round on the table, once it is dealt."""
    if shown is None or shown.state is None:
        return None
    bet = shown.bet(own.number) if own else None
    place = shown.place(bet.number) if own and bet and bet.player == own.player else None
    return COMPANY.view(shown.state, place)


def _seats(table: Snapshot, view: Table21View | None) -> tuple[SeatState, ...]:
    bets = {bet.number: (place, bet) for place, bet in enumerate(table.shown.bets)} if table.shown else {}
    taken = {seat.number: seat for seat in table.seats}
    found = []
    for number in sorted({*taken, *bets}):
        seat = taken.get(number)
        place, bet = bets.get(number, (None, None))
        if seat is not None and bet is not None and bet.player != seat.player:
            place, bet = None, None  # somebody new sits where the last round's player was
        found.append(_seat(table, number, seat, bet, view.seats[place] if view and place is not None else None))
    return tuple(found)


def _seat(
    table: Snapshot, number: int, seat: SeatFacts | None, bet: BetFacts | None, seen: Table21SeatView | None
) -> SeatState:
    who = seat.player if seat else bet.player if bet else ""
    over = table.shown is None or table.shown.over
    bank = bet is not None and table.shown is not None and table.shown.bank == number
    held = bet.stake if bet and bank and not over else 0
    return SeatState(
        seat=number,
        name=table.names.get(who, ""),
        bot=seat.bot if seat else bool(bet and bet.bot),
        bank=bank,
        chips=table.chips[who] + held,
        bet=0 if bank or over else seen.bet if seen else bet.stake if bet else 0,
        auto=bool(seat and (seat.away or seat.leaving)),
        left=bool(seat and seat.leaving),
        ready=bool(seat and seat.ready),
        playing=bet is not None,
        auto_bet=bool(bet and bet.auto),
        gone=seat is None,
        seen=seen,
    )


def _actions(table: Snapshot, own: SeatFacts | None) -> tuple[str, ...]:
    if table.phase == "closed":
        return ()
    if own is None:
        return tuple(f"sit-{number}" for number in table.free)
    verbs: list[str] = []
    bet = table.shown.bet(own.number) if table.shown and table.in_play else None
    if table.phase == "betting" and bet is not None and not own.leaving:
        if not bet.stake:
            verbs.append("bet")
        elif own.number == table.bank and not bet.has_cut:
            verbs.append("cut")
    if table.phase == "playing" and table.acting == own.number:
        verbs += _plays(table, own)
    if bet is None and own.ready < (2 if table.phase == "settled" else 1):
        verbs.append("ready")
    if own.leaving:
        verbs.append(f"sit-{own.number}")
    machines = (seat.number for seat in table.seats if seat.bot and not seat.leaving)
    calls = (*seats_open_to_bots(table.free), *machines)
    return (*verbs, "policy", *(() if own.leaving else ("leave",)), *(f"bot-{number}" for number in calls))


def _plays(table: Snapshot, own: SeatFacts) -> tuple[str, ...]:
    """The verbs that the seat in turn may play and can pay for."""
    assert table.shown is not None and table.shown.state is not None
    state, left = table.shown.state, table.chips[own.player]
    return tuple(each.verb for each in COMPANY.legal_actions(state) if COMPANY.cost(state, each) <= left)


def _limits(table: Snapshot, own: SeatFacts | None) -> tuple[int, int]:
    if own is None or table.shown is None or table.phase != "betting" or own.number == table.bank:
        return (0, 0)
    bet, bank = table.shown.bet(own.number), table.shown.bet(-1 if table.bank is None else table.bank)
    if bet is None or bet.stake or bank is None:
        return (0, 0)
    others = [each for each in table.shown.bets if each not in (bet, bank)]
    to_come = sum(1 for each in others if not each.stake)
    most = table.rules.most_bet(bank.stake, sum(each.stake for each in others), to_come)
    return (table.rules.min_bet, min(most, table.chips[own.player])) if most else (0, 0)


def _has_cut(table: Snapshot, own: SeatFacts | None) -> bool:
    if own is None:
        return False
    bet = table.shown.bet(own.number) if table.shown and table.in_play else None
    return own.has_cut or bool(bet and bet.has_cut)


def _past(round: PastRoundFacts, viewer: str | None) -> PastRound:
    nets, hands = dict(round.nets), dict(round.hands)
    return PastRound(
        key=round.key,
        seq=round.seq,
        void=round.void,
        cards=hands.get(viewer or "", round.summary_cards),
        bank_net=nets[round.bank],
        net=nets.get(viewer or ""),
    )
