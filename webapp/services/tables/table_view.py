"""Everything that a viewer may see of a shared table. Pages, fragments and JSON are made from it alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.game import affordable
from webapp.engine.games import COMPANY
from webapp.engine.games.table21.rules import WORST
from webapp.engine.games.table21.view import Table21SeatView, Table21View
from webapp.engine.tier import Tier, tier_with_purse
from webapp.services.core.clock import now_ms
from webapp.services.records.stored_round import PastRoundFacts
from webapp.services.tables.bots import seats_open_to_bots
from webapp.services.tables.facts import BetFacts, LogLine, RoundFacts, SeatFacts, Snapshot, TableFacts, shared_facts


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat of the table.

    ``chips``: those beside the bet; what the banker has put up is counted among its chips. ``auto``: the seat plays
    automatically, since the player is away or has left; ``left``: the player has left. ``seen``: the cards at the seat.
    ``gone``: nobody sits there any more, but the cards of the last round still lie.
    """

    seat: int
    name: str
    bot: bool
    banker: bool
    chips: int
    bet: int
    auto: bool
    left: bool
    ready: bool
    playing: bool
    auto_bet: bool
    gone: bool
    seen: Table21SeatView | None


def seat_states(table: Snapshot, view: Table21View | None) -> tuple[SeatState, ...]:
    """Return the seats with somebody at them, and those where cards of the last round lie, by their numbers."""
    bets = {bet.number: (place, bet) for place, bet in enumerate(table.shown.bets)} if table.shown else {}
    taken = {seat.number: seat for seat in table.seats}
    states = []
    for number in sorted({*taken, *bets}):
        seat = taken.get(number)
        place, bet = bets.get(number, (None, None))
        if seat is not None and bet is not None and bet.player != seat.player:
            place, bet = None, None  # somebody else sits there now
        states.append(_seat(table, number, seat, bet, view.seats[place] if view and place is not None else None))
    return tuple(states)


def _seat(
    table: Snapshot, number: int, seat: SeatFacts | None, bet: BetFacts | None, seen: Table21SeatView | None
) -> SeatState:
    player = seat.player if seat else bet.player if bet else ""
    over = table.shown is None or table.shown.over
    banker = bet is not None and table.shown is not None and table.shown.banker == number
    put_up = bet.stake if bet and banker and not over else 0
    return SeatState(
        seat=number,
        name=table.names.get(player, ""),
        bot=seat.bot if seat else bool(bet and bet.bot),
        banker=banker,
        chips=table.chips[player] + put_up,
        bet=0 if banker or over else seen.bet if seen else bet.stake if bet else 0,
        auto=bool(seat and (seat.away or seat.leaving)),
        left=bool(seat and seat.leaving),
        ready=bool(seat and seat.ready),
        playing=bet is not None,
        auto_bet=bool(bet and bet.auto),
        gone=seat is None,
        seen=seen,
    )


def commands(table: Snapshot, own: SeatFacts | None) -> tuple[str, ...]:
    """Return the commands that the viewer may give, with a number for seats: ``sit-2``."""
    if table.phase == "closed":
        return ()
    if own is None:
        return tuple(f"sit-{number}" for number in table.free)
    verbs: list[str] = []
    bet = table.shown.bet(own.number) if table.shown and table.in_play else None
    if table.phase == "betting" and bet is not None and not own.leaving:
        if not bet.stake:
            verbs.append("bet")
        elif own.number == table.banker and not bet.has_cut:
            verbs.append("cut")
    if table.phase == "playing" and table.acting == own.number:
        verbs += _plays(table, own)
    if bet is None and own.ready < (2 if table.phase == "settled" else 1):
        verbs.append("ready")
    if own.leaving:
        verbs.append(f"sit-{own.number}")
    bots = (seat.number for seat in table.seats if seat.bot and not seat.leaving)
    toggles = (*seats_open_to_bots(table.free), *bots)
    return (*verbs, "policy", *(() if own.leaving else ("leave",)), *(f"bot-{number}" for number in toggles))


def _plays(table: Snapshot, own: SeatFacts) -> tuple[str, ...]:
    """Return the verbs of the actions that are legal for the seat in turn and that it can pay for."""
    assert table.shown is not None and table.shown.state is not None
    state, chips = table.shown.state, table.chips[own.player]
    return tuple(action.verb for action in affordable(COMPANY, state, chips))


def bet_limits(table: Snapshot, own: SeatFacts | None) -> tuple[int, int]:
    """Return the lowest and the highest bet that the viewer may place now; (0, 0) for none."""
    if own is None or table.shown is None or table.phase != "betting" or own.number == table.banker:
        return (0, 0)
    bet, banker = table.shown.bet(own.number), table.shown.banker
    if bet is None or bet.stake or banker is None:
        return (0, 0)
    least, most = table.rules.bet_limits({bet.number: bet.stake for bet in table.shown.bets}, banker, own.number)
    return least, min(most, table.chips[own.player])


def has_cut(table: Snapshot, own: SeatFacts | None) -> bool:
    """Return True if the viewer has cut for the round on the table or the next one."""
    if own is None:
        return False
    bet = table.shown.bet(own.number) if table.shown and table.in_play else None
    return own.has_cut or bool(bet and bet.has_cut)


SNAPSHOTS: Final = 32
"""Snapshots of which is kept what all viewers see: a change is rendered for all of them one after another."""


@dataclass(frozen=True, slots=True)
class PastRound:
    """A finished round in the list. ``net``: chips won or lost by the viewer, None if the viewer did not play.

    ``returned``: chips that went back to the viewer, as the round is void.
    """

    key: str
    seq: int
    void: bool
    cards: tuple[Card, ...]
    banker_net: int
    net: int | None
    returned: int


@dataclass(frozen=True, slots=True)
class Named:
    """Who sits at a seat, by name."""

    seat: int
    name: str
    bot: bool


@dataclass(frozen=True, slots=True)
class ShownPurse(Named):
    """The chips of who sits at a seat. ``banker``, ``auto``: as in ``SeatState``."""

    banker: bool
    auto: bool
    chips: int


@dataclass(frozen=True, kw_only=True)
class TableView(TableFacts):
    """All that a viewer sees of a table. Times are unix milliseconds; seats have the numbers of the table.

    ``you``: number of the viewer's seat, None for a watcher. ``limits``: the lowest and the highest bet that the viewer
    may place now. ``has_cut``: the viewer has cut for this round. ``log``: the round so far, the latest first.
    ``moves``: how many were played in this round, None before the deal; ``last_move``: of the viewer's seat. ``tier``:
    how great a win the round was for the viewer. ``returned``: chips that went back to the viewer with the last round,
    which is void, until the next one.
    """

    round: int
    now: int
    seats: tuple[SeatState, ...]
    you: int | None
    view: Table21View | None
    actions: tuple[str, ...]
    limits: tuple[int, int]
    commitment: str | None
    last: str | None
    policy: str | None
    link: str | None
    has_cut: bool
    log: tuple[LogLine, ...]
    past: tuple[PastRound, ...]
    last_move: LogLine | None
    moves: int | None
    tier: Tier
    returned: int

    @cached_property
    def own_seat(self) -> SeatState | None:
        """The viewer's seat."""
        return next((seat for seat in self.seats if seat.seat == self.you and not seat.gone), None)

    @cached_property
    def names(self) -> Mapping[int, SeatState]:
        """The seats by their numbers."""
        return {seat.seat: seat for seat in self.seats}

    @cached_property
    def bots(self) -> tuple[int, ...]:
        """The numbers of the seats of bots."""
        return tuple(seat.seat for seat in self.seats if seat.bot)

    @property
    def nameless(self) -> int | None:
        """The number of the viewer's seat, if the viewer has no name: to the viewer it is "You"."""
        return self.you if self.own_seat and not self.own_seat.name else None

    @cached_property
    def depths(self) -> Mapping[int, int]:
        """How many seats lie between one and the nearer end of its row, clockwise from the viewer's; by their numbers.

        Neither the viewer's seat is in that row, nor the banker's.
        """
        first = -1 if self.you is None else self.you
        own = None if self.own_seat is None else self.own_seat.seat
        others = [seat.seat for seat in self.seats if not seat.banker and seat.seat != own]
        row = sorted(others, key=lambda number: (number <= first, number))
        return {number: min(place, len(row) - 1 - place) for place, number in enumerate(row)}

    @cached_property
    def people(self) -> tuple[Named, ...]:
        """Who sits here, apart from all that changes with every move."""
        return tuple(Named(seat.seat, seat.name, seat.bot) for seat in self.seats)

    @cached_property
    def purses(self) -> tuple[ShownPurse, ...]:
        """The chips of all who sit here, the same for all viewers."""
        return tuple(
            ShownPurse(seat.seat, seat.name, seat.bot, seat.banker, seat.auto, seat.chips)
            for seat in self.seats
            if not seat.gone
        )

    @property
    def was_late(self) -> bool:
        """True if the viewer's last move was made for it, because its time was out."""
        auto = self.last_move.auto if self.last_move else None
        return auto is not None and auto.reason in ("late", "away")

    @cached_property
    def net(self) -> int:
        """Chips that the round has brought the viewer in all; 0 while it is played, and if it is void."""
        return (self.own_seat.seen.net or 0) if self.own_seat and self.own_seat.seen else 0

    @property
    def is_void(self) -> bool:
        """True if the round whose cards lie on the table does not count."""
        return self.view is not None and self.view.void

    @property
    def is_turn(self) -> bool:
        """True if the table waits for this viewer."""
        return self.you is not None and (self.acting == self.you or "bet" in self.actions)

    @property
    def replay(self) -> str | None:
        """Key of the round whose cards lie on the table, once it is over: everybody may see all of its hands again."""
        last = self.past[0] if self.past else None
        return last.key if last and self.phase == "settled" and last.seq == self.round else None

    @property
    def look_again(self) -> int:
        """Seconds after which a page without scripts loads itself again.

        A viewer who has to act has time for it, but must send a heartbeat now and then; a viewer who may sit down has
        time to write a name.
        """
        if not self.is_turn and "cut" not in self.actions:
            return 4 if self.deadline and (self.you is not None or not self.free) else 8
        return max(4, min(self.left // 1000 + 1, self.rules.absent_after * 2 // 3))

    @property
    def exposure(self) -> int:
        """Chips that the banker may have to pay for the bets so far; after the deal, what it has put up."""
        dealt = next((seat.seen.bet for seat in self.seats if seat.banker and seat.seen), None)
        return WORST * sum(seat.bet for seat in self.seats if not seat.banker) if dealt is None else dealt

    @property
    def left(self) -> int:
        """Milliseconds until the deadline."""
        return max(0, (self.deadline or self.now) - self.now)

    @property
    def span(self) -> int:
        """Milliseconds that the whole clock stands for."""
        return max(1, (self.deadline or 1) - (self.clock_from or 0))


def view_for(table: Snapshot, viewer: str | None) -> TableView:
    """Return the view of a table. ``viewer``: the player, None for a visitor who is not one yet."""
    own = table.seat_of(viewer)
    visitors_view, seats = _seen_by_all(table)
    view = _view(table.shown, visitors_view, own)
    past = tuple(_past(round, viewer) for round in table.past)
    return TableView(
        **shared_facts(table),
        round=table.seq,
        now=now_ms(),
        seats=seats,
        you=own.number if own else None,
        view=view,
        actions=commands(table, own),
        limits=bet_limits(table, own),
        commitment=None if table.phase == "closed" else table.commitment,
        last=past[0].key if past else None,
        policy=own.policy if own else None,
        link=own.link if own else None,
        has_cut=has_cut(table, own),
        log=table.shown.log if table.shown else (),
        past=past,
        moves=table.shown.moves if view and table.shown else None,
        tier=_tier(table, view, own),
        returned=table.returned.get(viewer or "", 0),
        last_move=dict(table.shown.last_moves).get(own.number) if own and table.shown else None,
    )


@lru_cache(maxsize=SNAPSHOTS)
def _seen_by_all(table: Snapshot) -> tuple[Table21View | None, tuple[SeatState, ...]]:
    """Return what no viewer sees differently: the round as a visitor sees it, and the seats. bench: tables."""
    view = _at_table(table.shown) if table.shown else None
    return view, seat_states(table, view)


def _at_table(shown: RoundFacts) -> Table21View | None:
    """Return the round as a visitor sees it, with the seat numbers of the table in all that is said; None before it."""
    if shown.state is None:
        return None
    view = COMPANY.view(shown.state, None)
    said = tuple(label.at_table(shown.numbers) for label in view.said)
    labels = tuple(label.at_table(shown.numbers) for label in view.result.labels) if view.result else ()
    return replace(view, said=said, result=view.result and replace(view.result, labels=labels))


def _view(shown: RoundFacts | None, visitors_view: Table21View | None, own: SeatFacts | None) -> Table21View | None:
    """Return the view of the round on the table; None before the deal."""
    if shown is None or shown.state is None or visitors_view is None or own is None:
        return visitors_view
    bet = shown.bet(own.number)
    place = shown.place(bet.number) if bet and bet.player == own.player else None
    return visitors_view if place is None else COMPANY.view_of_player(visitors_view, shown.state, place)


def _tier(table: Snapshot, view: Table21View | None, own: SeatFacts | None) -> Tier:
    """Return how great a win the round was: for the hand, or for the purse that it has filled."""
    if view is None or own is None or view.viewer is None:
        return Tier.EVEN
    net, chips = view.seats[view.viewer].net or 0, table.chips[own.player]
    return tier_with_purse(view.tier, table.rules.bets.start, chips - net, chips, table.peaks.get(own.player, chips))


def _past(round: PastRoundFacts, viewer: str | None) -> PastRound:
    nets, hands = dict(round.nets), dict(round.hands)
    return PastRound(
        key=round.key,
        seq=round.seq,
        void=round.void,
        cards=hands.get(viewer or "", round.summary_cards),
        banker_net=nets[round.banker],
        net=nets.get(viewer or ""),
        returned=dict(round.returned).get(viewer or "", 0),
    )
