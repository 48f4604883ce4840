"""The banker of a round: the first one is drawn, then the bank goes clockwise.

``SharedTable.bank_order`` has the players in the order in which they become banker. It begins clockwise with the player
who was drawn. Who sits down later comes last, and after the first turn as the banker it goes on clockwise from there.

Players who leave keep their place, so that nobody can refuse the bank for ever by changing seats; once for each turn as
the banker they come last instead. Only rounds that a player plays bring the player nearer to the bank, so nobody comes
to it who plays as the banker only. A round stores the places with which it began.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from webapp.models import SharedTable, TableRound, TableSeat
from webapp.services.records import stored_round
from webapp.services.tables import rounds

MOST_REMEMBERED: Final = 20
"""Players of a table who have left and whose places are remembered."""
NEW: Final = "+"
"""Stands after the id of a player who has come during this round: only this one the player need not play."""
HAS_BANKED: Final = "*"
"""Stands after the id of a player who has been the banker since coming last in the order."""


def draw_first_banker(table: SharedTable, round: TableRound, seats: Sequence[TableSeat]) -> None:
    """Draw the first banker of a table among the seats that play, unless that was done.

    It is the seat with the highest card of a pack that was committed to with those of the round, and is shuffled with
    the words that these players gave when they were ready.
    """
    if table.bank_order:
        return
    begin_order(table, stored_round.add_draw(round, {seat.number: seat.cut for seat in seats}).seat)


def begin_order(table: SharedTable, first: int) -> None:
    """Let the bank go clockwise from a seat."""
    clockwise = sorted(table.seats, key=lambda seat: (seat.number < first, seat.number))
    _store(table, {seat.player_id: NEW for seat in clockwise})


def take_place(table: SharedTable, player: str) -> None:
    """Give a player who sits down a place in the order: the last one, or that which the player had.

    Before the first banker is drawn there are none.
    """
    order = _order(table)
    if order and order.get(player, HAS_BANKED) == HAS_BANKED:
        mark = "" if order.pop(player, None) else NEW
        _store(table, order | {player: mark})


def choose_banker(table: SharedTable, seats: Sequence[TableSeat], chips: Mapping[int, int], least: int) -> TableSeat:
    """Return the seat that banks the next round.

    Args:
        table: The table.
        seats: The seats that play.
        chips: Chips of the player by number of the seat.
        least: Chips that a banker needs. Seats with fewer are passed over and keep their place, unless all have fewer.
    """
    waiting = _in_order(_order(table), seats)
    return next((seat for seat in waiting if chips[seat.number] >= least), waiting[0])


def give_bank(table: SharedTable, banker: TableSeat) -> None:
    """Store the banker of a round."""
    table.banker_rounds = table.banker_rounds + 1 if banker.banks else 1
    table.banker = banker.number
    for seat in table.seats:
        seat.banks = seat is banker


def pass_bank(table: SharedTable, round: TableRound) -> None:
    """Move up those who have played a round that is over; its banker comes last, if the turn is over."""
    _store(table, _after(table, round))


def place_of(table: SharedTable, player: str) -> int:
    """Return the place of a player in the order, from 0."""
    return list(_order(table)).index(player)


def next_banker(table: SharedTable) -> int | None:
    """Return the number of the seat that would bank the next round at present; None if that is not known."""
    if not table.bank_order:
        return None
    order = _after(table, rounds.round_of(table)) if rounds.in_play(table) else _order(table)
    return next((seat.number for seat in _in_order(order, rounds.who_plays(table))), None)


def _order(table: SharedTable) -> dict[str, str]:
    """Return the players in their order, each with NEW, HAS_BANKED or nothing."""
    words = ((word.rstrip(NEW + HAS_BANKED), word) for word in table.bank_order.split())
    return {player: word[len(player) :] for player, word in words}


def _in_order(order: Iterable[str], seats: Iterable[TableSeat]) -> list[TableSeat]:
    places = {player: place for place, player in enumerate(order)}
    return sorted(seats, key=lambda seat: places[seat.player_id])


def _after(table: SharedTable, round: TableRound) -> dict[str, str]:
    """Return the order after a round. Who has neither played it nor come meanwhile keeps the place, from the first."""
    order, played = _order(table), {bet.player_id: bet.number for bet in round.bets}
    banker = rounds.bet_at(round, round.banker).player_id
    is_over = table.banker_rounds >= rounds.rules_of(table).bank_rounds
    is_first_turn = order.get(banker) != HAS_BANKED
    came = {seat.player_id for seat in table.seats if order.get(seat.player_id) == NEW}
    moving = [player for player in order if player in played or player in came]
    if is_over:
        moving.sort(key=lambda player: player == banker)
    marks = {player: mark.replace(NEW, "") for player, mark in order.items()} | {banker: HAS_BANKED}
    players = _filled(order, moving)
    if is_over and is_first_turn and all(marks.get(player) == HAS_BANKED for player in played):
        clockwise = sorted(played, key=lambda player: (played[player] <= played[banker], played[player]))
        players = _filled(players, clockwise)
    return {player: marks[player] for player in players}


def _filled(order: Iterable[str], moving: Sequence[str]) -> list[str]:
    """Return the order with those who move in their new order, at the places that all of them have."""
    following = iter(moving)
    return [next(following) if player in moving else player for player in order]


def _store(table: SharedTable, order: Mapping[str, str]) -> None:
    seated = {seat.player_id for seat in table.seats}
    forgotten = [player for player in order if player not in seated][MOST_REMEMBERED:]
    table.bank_order = " ".join(player + mark for player, mark in order.items() if player not in forgotten)
