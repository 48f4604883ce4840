"""Choice of the banker of a round."""

from collections.abc import Mapping, Sequence

from webapp.models import SharedTable, TableSeat
from webapp.services.core.randomness import pick
from webapp.services.tables import rounds


def choose_banker(table: SharedTable, seats: Sequence[TableSeat], chips: Mapping[int, int], least: int) -> TableSeat:
    """Return the seat that banks the next round: the first time a random one, later the next one clockwise.

    Args:
        table: The table, which knows the last banker.
        seats: The seats that play, in the order of their numbers.
        chips: Chips of the player by number of the seat.
        least: Chips that a banker needs. Seats with fewer are passed over, unless all have fewer.
    """
    numbers = [seat.number for seat in seats]
    first = pick(range(len(seats))) if table.banker is None else next_banker_index(table, numbers)
    clockwise = [*seats[first:], *seats[:first]]
    return next((seat for seat in clockwise if chips[seat.number] >= least), clockwise[0])


def next_banker_index(table: SharedTable, numbers: Sequence[int]) -> int:
    """Return the index of the seat that banks next, after the last banker, among seats with these numbers."""
    assert table.banker is not None
    if table.banker in numbers and table.banker_rounds < rounds.rules_of(table).bank_rounds:
        return numbers.index(table.banker)
    return next((index for index, number in enumerate(numbers) if number > table.banker), 0)


def next_banker(table: SharedTable) -> int | None:
    """Return the number of the seat that would bank the next round as things stand; None if that is not known."""
    if table.banker is None:
        return None
    numbers = [seat.number for seat in rounds.who_plays(table)]
    return numbers[next_banker_index(table, numbers)] if numbers else None
