"""The seats of a shared table, as one viewer sees them."""

from dataclasses import dataclass

from webapp.engine.games.table21.view import Table21SeatView, Table21View
from webapp.services.tables.reading.facts import BetFacts, SeatFacts, Snapshot


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
