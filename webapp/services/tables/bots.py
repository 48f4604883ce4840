"""Bots at a shared table: automatic players that fill free seats.

All functions run inside the caller's transaction.
"""

from webapp.extensions import db
from webapp.models import Player, SharedTable
from webapp.services.core.errors import Refusal
from webapp.services.records import stored_round
from webapp.services.tables import betting, rounds, seating


def seats_open_to_bots(free: tuple[int, ...]) -> tuple[int, ...]:
    """Return the free seats that bots may take: all but the last one, so that a person can always sit down."""
    return free if len(free) > 1 else ()


def seat_bot(table: SharedTable, number: int, now: int) -> None:
    """Seat a bot; or dismiss the one that sits there, at the end of a round if it is in one.

    Raises:
        Refusal: ``seat-taken``; ``seat-kept`` for the last free seat.
    """
    occupied = rounds.seat_at(table, number)
    if occupied is not None:
        if not occupied.bot:
            raise Refusal("seat-taken", str(number))
        seating.leave(table, occupied, now)
        return
    free = seating.free_numbers(table)
    if number not in free:
        raise Refusal("seat-taken", str(number))
    if number not in seats_open_to_bots(free):
        raise Refusal("seat-kept", str(number))
    seat = seating.add_seat(table, number, _bot_player(table, number, now), bot=True, now=now)
    seat.ready, seat.policy = 1, "basic"
    if table.phase == "waiting" and rounds.may_begin(table):
        betting.open_betting(table, now)


def bot_players(table: SharedTable) -> tuple[str, ...]:
    """Return the ids of all players that bots of this table have, or may come to have: one for each seat."""
    return tuple(_bot_id(table, number) for number in range(stored_round.round_game(table).spec.seats))


def _bot_id(table: SharedTable, number: int) -> str:
    """Return an id that no person can have: keys have no hyphens."""
    return f"bot-{table.code}-{number}"


def _bot_player(table: SharedTable, number: int, now: int) -> str:
    """Return the id of the player that the bot of a seat is. The row is added the first time, and then used again."""
    bot = _bot_id(table, number)
    if db.session.get(Player, bot) is None:
        db.session.add(Player(id=bot, name="", created_at=now))
        db.session.flush()
    return bot
