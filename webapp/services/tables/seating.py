"""Seats of a shared table: sitting down, being ready, leaving, bots, and taking a seat over on another device.

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
from webapp.services.records import stored_round
from webapp.services.tables import betting, rounds, timeouts

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


def seats_open_to_bots(free: tuple[int, ...]) -> tuple[int, ...]:
    """Return the free seats that bots may take: all but the last one, so that a person can always sit down."""
    return free if len(free) > 1 else ()


# ------------------------------------------------------------------------------------------------ coming and going


def take_seat(table: SharedTable, player: str, number: int, now: int) -> None:
    """Take a free seat, or come back to the player's own one.

    Raises:
        Refusal: ``seated-already`` or ``seat-taken``.
    """
    own = next((seat for seat in table.seats if seat.player_id == player and not seat.bot), None)
    if own is not None and own.number == number:
        if own.holder_id != player and seat_of(table, player) is not None:
            raise Refusal("seated-already")
        own.holder_id, own.leaving, own.link = player, False, new_link()
        return
    if own is not None or seat_of(table, player) is not None:
        raise Refusal("seated-already")
    if number not in free_numbers(table):
        raise Refusal("seat-taken", str(number))
    _add_seat(table, number, player, bot=False, now=now)


def leave(table: SharedTable, seat: TableSeat, now: int) -> None:
    """Leave a seat: at once between rounds; in a round it plays automatically to the end and is free then."""
    round = rounds.round_of(table)
    bet = stored_round.bet_of_seat(round, seat.number) if rounds.in_play(table) else None
    if bet is not None and (bet.stake or seat.number == round.banker):
        seat.leaving = True
        if table.acting == seat.number and table.deadline is not None:
            table.deadline = min(table.deadline, now + rounds.BOT_PACE)
        return
    table.seats.remove(seat)
    if bet is not None:
        betting.step_back(table, seat.number, now)
    elif not rounds.in_play(table) and all(other.bot for other in table.seats):
        rounds.wait(table)


def get_up(player: str, table: SharedTable, now: int) -> tuple[SharedTable, ...]:
    """Leave the seats of a player at all tables but this one, and return those tables.

    A player has one purse for all tables: chips that lie at one cannot be played for at another, and a purse that is
    empty for that reason must not be filled again.

    Raises:
        Refusal: ``seated-elsewhere`` with the code of a table where the player's chips lie in a round.
    """
    # If the player sits down at two tables at once, one waits. Rows that only refer to the player do not.
    db.session.execute(select(Player.id).where(Player.id == player).with_for_update(key_share=True))
    codes = select(TableSeat.table_code).where(TableSeat.player_id == player, TableSeat.table_code != table.code)
    tables = select(SharedTable).where(SharedTable.code.in_(codes)).order_by(SharedTable.code).with_for_update()
    left = tuple(db.session.scalars(tables))
    for other in left:
        if rounds.can_be_read(other):
            timeouts.catch_up(other, now)
        else:  # the player can leave it all the same, if no chips lie there
            log.warning("table cannot be read", table=other.code)
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


def seat_bot(table: SharedTable, number: int, now: int) -> None:
    """Seat a bot; or dismiss the one that sits there, at the end of a round if it is in one.

    Raises:
        Refusal: ``seat-taken``; ``seat-kept`` for the last free seat.
    """
    occupied = rounds.seat_at(table, number)
    if occupied is not None:
        if not occupied.bot:
            raise Refusal("seat-taken", str(number))
        leave(table, occupied, now)
        return
    free = free_numbers(table)
    if number not in free:
        raise Refusal("seat-taken", str(number))
    if number not in seats_open_to_bots(free):
        raise Refusal("seat-kept", str(number))
    seat = _add_seat(table, number, _bot_player(table, number, now), bot=True, now=now)
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


# ------------------------------------------------------------------------------------------------ in a seat


def set_ready(table: SharedTable, seat: TableSeat, cut: str | None, now: int) -> None:
    """Note that a seat wants to play the next round; after a round, that it needs no more of the pause."""
    seat.ready = 2 if table.phase == "settled" else max(seat.ready, 1)
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


def _add_seat(table: SharedTable, number: int, player: str, bot: bool, now: int) -> TableSeat:
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
        seen_at=now,
    )
    table.seats.append(seat)
    table.seats.sort(key=lambda seat: seat.number)
    db.session.flush()
    return seat
