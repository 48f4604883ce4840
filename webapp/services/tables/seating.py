"""Seats of a shared table: sitting down, being ready, leaving, and taking a seat over on another device.

All functions but ``table_of`` run inside the caller's transaction.
"""

from hmac import compare_digest

import structlog
from sqlalchemy import select

from webapp.engine.games.table21.policies import POLICIES
from webapp.extensions import db
from webapp.models import Player, SharedTable, TableSeat
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.names import free_number, numbered
from webapp.services.records import stored_round
from webapp.services.tables import banker, betting, overdue, rounds, turns

log = structlog.get_logger()


# ------------------------------------------------------------------------------------------------ reading


def seat_of(table: SharedTable, player: str | None) -> TableSeat | None:
    """Return the seat that a player acts for."""
    return next((seat for seat in table.seats if seat.holder_id == player), None) if player else None


def table_of(player: str | None) -> str | None:
    """Return the code of the table at which a player sits."""
    own_seat = select(TableSeat.table_code).where(TableSeat.player_id == player).limit(1)
    return db.session.scalar(own_seat) if player else None


def free_numbers(table: SharedTable) -> tuple[int, ...]:
    """Return the numbers of the free seats. A seat is free when the round is over in which it plays."""
    taken = {seat.number for seat in table.seats}
    if rounds.in_play(table):
        taken |= {bet.number for bet in rounds.round_of(table).bets}
    return tuple(number for number in range(stored_round.round_game(table).spec.seats) if number not in taken)


# ------------------------------------------------------------------------------------------------ coming and going


def take_seat(table: SharedTable, player: str, number: int, now: int) -> TableSeat:
    """Take a free seat, or come back to the player's own one; return it.

    Raises:
        Refusal: ``seated-already`` or ``seat-taken``.
    """
    own = next((seat for seat in table.seats if seat.player_id == player and not seat.bot), None)
    if own is not None and own.number == number:
        if own.holder_id != player and seat_of(table, player) is not None:
            raise Refusal("seated-already")
        own.holder_id, own.leaving, own.link = player, False, new_link()
        return own
    if own is not None or seat_of(table, player) is not None:
        raise Refusal("seated-already")
    if number not in free_numbers(table):
        raise Refusal("seat-taken", str(number))
    seat = add_seat(table, number, player, bot=False, now=now)
    number_name(table, seat)
    return seat


def number_name(table: SharedTable, seat: TableSeat) -> None:
    """Add a number to the name of a seat's player if another name at the table looks the same."""
    others = [name for number, name in names_at(table).items() if number != seat.number]
    seat.name_number = free_number(_name(seat.player_id), others)


def names_at(table: SharedTable) -> dict[int, str]:
    """Return the names at a table by the numbers of the seats, as they are told apart; empty if there is none."""
    return {seat.number: numbered(_name(seat.player_id), seat.name_number) for seat in table.seats}


def _name(player: str) -> str:
    return db.session.get_one(Player, player, populate_existing=True).name


def leave(table: SharedTable, seat: TableSeat, now: int) -> None:
    """Leave a seat: at once between rounds; in a round it plays automatically to the end and is free then."""
    round = rounds.round_of(table)
    bet = stored_round.bet_of_seat(round, seat.number) if rounds.in_play(table) else None
    if bet is not None and (bet.stake or seat.number == round.banker):
        seat.leaving = True
        if table.acting == seat.number and table.deadline is not None:
            table.deadline = min(table.deadline, now + turns.BOT_PACE)
        return
    table.seats.remove(seat)
    if bet is not None:
        betting.step_back(table, seat.number, now)
    elif not rounds.in_play(table) and all(other.bot for other in table.seats):
        rounds.wait(table)


def get_up(player: str, table: SharedTable, now: int) -> tuple[SharedTable, ...]:
    """Leave the seats of a player at all tables but this one, and return those tables. The caller has locked them.

    A player has one purse for all tables: chips that lie at one cannot be played for at another, and a purse that is
    empty for that reason must not be filled again.

    Raises:
        Refusal: ``seated-elsewhere`` with the code of a table where the player's chips lie in a round.
    """
    codes = select(TableSeat.table_code).where(TableSeat.player_id == player, TableSeat.table_code != table.code)
    tables = select(SharedTable).where(SharedTable.code.in_(codes)).order_by(SharedTable.code)
    left = tuple(db.session.scalars(tables))
    for other in left:
        if rounds.can_be_read(other):
            overdue.catch_up(other, now)
        else:  # the player can leave it all the same, if no chips lie there
            log.warning("table cannot be read")
        for seat in [seat for seat in other.seats if seat.player_id == player]:
            leave(other, seat, now)
            if seat in other.seats:
                raise Refusal("seated-elsewhere", other.code)
    return left


def take_over(table: SharedTable, player: str, link: str) -> TableSeat:
    """Let a player act for the seat whose private link this is, from another device. The link changes.

    Raises:
        Refusal: ``seat-link`` for a word that is none or was used; ``seated-already``.
    """
    seat = next(
        (seat for seat in table.seats if not seat.bot and compare_digest(seat.link.encode(), link.encode())), None
    )
    if seat is None:
        raise Refusal("seat-link")
    other = seat_of(table, player)
    if other is not None and other is not seat:
        raise Refusal("seated-already")
    seat.holder_id, seat.link = player, new_link()
    return seat


# ------------------------------------------------------------------------------------------------ in a seat


def set_ready(table: SharedTable, seat: TableSeat, cut: str | None, now: int, seen: bool) -> None:
    """Note that a seat wants to play the next round; after a round, that it needs no more of the pause.

    ``seen``: the player has seen this pause and this commitment. Else it neither shortens the one nor cuts for the
    other. In a round that the player is in already, it changes nothing.
    """
    seat.ready = max(seat.ready, 2 if table.phase == "settled" and seen else 1)
    if seen:
        seat.cut = cut or seat.cut
    people = [player for player in rounds.who_plays(table) if not player.bot]
    pause_is_over = table.phase == "settled" and all(player.ready == 2 for player in people)
    if rounds.may_begin(table) and (table.phase == "waiting" or pause_is_over):
        betting.open_betting(table, now)


def give_cut(table: SharedTable, seat: TableSeat, cut: str | None) -> None:
    """Cut once during the betting. The banker cuts this way; all others cut with their bet.

    Raises:
        Refusal: ``illegal-cut``.
    """
    bet = stored_round.bet_of_seat(rounds.round_of(table), seat.number)
    if table.phase != "betting" or bet is None or bet.cut or not cut:
        raise Refusal("illegal-cut")
    bet.cut = cut


def choose_policy(seat: TableSeat, policy: str) -> None:
    """Choose how the seat plays automatically.

    Raises:
        Refusal: ``illegal-policy``.
    """
    if policy not in POLICIES:
        raise Refusal("illegal-policy", policy[:20])
    seat.policy = policy


def new_link() -> str:
    """Return a new secret word for the link that takes a seat over."""
    return new_key(22)


def add_seat(table: SharedTable, number: int, player: str, bot: bool, now: int) -> TableSeat:
    """Add a seat to the table, and its player to the order of the bank; return it."""
    seat = TableSeat(
        table_code=table.code,
        number=number,
        player_id=player,
        holder_id=player,
        link=new_link(),
        bot=bot,
        ready=0,
        away=False,
        leaving=False,
        policy="timid",
        name_number=1,
        banks=False,
        seen_at=now,
    )
    table.seats.append(seat)
    banker.take_place(table, player)
    table.seats.sort(key=lambda seat: seat.number)
    db.session.flush()
    return seat
