"""The banker of a round: the player who has waited longest. Nothing is random.

Everybody who sits down goes to the end of the queue for the bank; who banks does with each round, and just before the
banker who sits a round out. So nobody comes to the bank sooner by changing seats, nor by playing as the banker only.
The first banker of a table is the one who sat down first. A round keeps the places in the queue with which it began.
"""

from collections.abc import Mapping, Sequence

from webapp.models import SharedTable, TableSeat
from webapp.services.tables.play import rounds


def choose_banker(table: SharedTable, seats: Sequence[TableSeat], chips: Mapping[int, int], least: int) -> TableSeat:
    """Return the seat that banks the next round.

    Args:
        table: The table.
        seats: The seats that play.
        chips: Chips of the player by number of the seat.
        least: Chips that a banker needs. Seats with fewer are passed over and keep their place, unless all have fewer.
    """
    queue = _queue(table, seats)
    return next((seat for seat in queue if chips[seat.number] >= least), queue[0])


def give_bank(table: SharedTable, banker: TableSeat, seats: Sequence[TableSeat]) -> None:
    """Store the banker of a round that ``seats`` play."""
    table.banker_rounds = table.banker_rounds + 1 if banker.banks else 1
    table.banker = banker.number
    for seat in sorted(table.seats, key=_place):
        seat.banks = seat is banker
        if seat not in seats:
            go_to_end(table, seat)
    go_to_end(table, banker)


def go_to_end(table: SharedTable, seat: TableSeat) -> None:
    """Give a seat the last place in the queue."""
    table.queue += 1
    seat.queue = table.queue


def next_banker(table: SharedTable) -> int | None:
    """Return the number of the seat that would bank the next round at present; None if nobody plays."""
    queue = _queue(table, rounds.who_plays(table))
    return queue[0].number if queue else None


def _queue(table: SharedTable, seats: Sequence[TableSeat]) -> list[TableSeat]:
    """Return seats in the order of the queue, but first the last banker if it may keep the bank."""
    may_keep = table.banker_rounds < rounds.rules_of(table).bank_rounds
    return sorted(seats, key=lambda seat: (not (seat.banks and may_keep), _place(seat)))


def _place(seat: TableSeat) -> tuple[int, int]:
    return seat.queue, seat.number
