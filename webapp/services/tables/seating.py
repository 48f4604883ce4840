"""Who sits where: sitting down, ready, leaving, the machine, and a seat that goes on on another device."""

from hmac import compare_digest

from webapp.engine.games.table21.policies import POLICIES
from webapp.extensions import db
from webapp.models import Player, SharedTable, TableSeat
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.tables import betting, round_cards, rounds
from webapp.services.tables.clock import BOT_PACE


def seat_of(table: SharedTable, player: str | None) -> TableSeat | None:
    """The seat that a player acts for."""
    return next((seat for seat in table.seats if seat.holder_id == player), None) if player else None


def free_numbers(table: SharedTable) -> tuple[int, ...]:
    taken = {seat.number for seat in table.seats}
    if rounds.in_play(table):
        taken |= {bet.number for bet in rounds.round_of(table).bets}
    return tuple(number for number in range(round_cards.round_game(table).spec.seats) if number not in taken)


def seats_open_to_bots(free: tuple[int, ...]) -> tuple[int, ...]:
    """The last free seat is for people: who comes to a table of machines can sit down."""
    return free if len(free) > 1 else ()


def take_seat(table: SharedTable, player: str, number: int, now: int) -> None:
    """Take a free seat; or come back to one's own, from another device or from the door."""
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
    _put(table, number, player, bot=False, now=now)


def set_ready(table: SharedTable, seat: TableSeat, cut: str | None, now: int) -> None:
    """Play along; between rounds, be done with looking."""
    seat.ready = 2 if table.phase == "settled" else max(seat.ready, 1)
    seat.cut = cut or seat.cut
    everybody = [each for each in rounds.who_plays(table) if not each.bot]
    enough = rounds.may_begin(table)
    if enough and (table.phase == "waiting" or (table.phase == "settled" and all(s.ready == 2 for s in everybody))):
        betting.open_betting(table, now)


def give_cut(table: SharedTable, seat: TableSeat, cut: str | None) -> None:
    """The bank does not bet, but it cuts; once."""
    bet = round_cards.bet_of_seat(rounds.round_of(table), seat.number)
    if table.phase != "betting" or bet is None or bet.cut or not cut:
        raise Refusal("illegal-cut")
    bet.cut = cut


def choose_policy(seat: TableSeat, policy: str) -> None:
    if policy not in POLICIES:
        raise Refusal("illegal-policy", policy[:20])
    seat.policy = policy


def leave(table: SharedTable, seat: TableSeat, now: int) -> None:
    """At once between rounds; within one the seat plays by itself to the end, and is free then."""
    round = rounds.round_of(table)
    bet = round_cards.bet_of_seat(round, seat.number) if rounds.in_play(table) else None
    if bet is not None and (bet.stake or seat.number == round.bank):
        seat.leaving = True
        if table.acting == seat.number and table.deadline is not None:
            table.deadline = min(table.deadline, now + BOT_PACE)
        return
    table.seats.remove(seat)
    if bet is not None:
        betting.step_back(table, seat.number, now)
    elif not rounds.in_play(table) and all(each.bot for each in table.seats):
        rounds.wait(table)


def seat_bot(table: SharedTable, number: int, now: int) -> None:
    """Seat the house's machine; or send the one that sits there home, at the end of a round if it is in one."""
    there = rounds.seat_at(table, number)
    if there is not None:
        if not there.bot:
            raise Refusal("seat-taken", str(number))
        leave(table, there, now)
        return
    free = free_numbers(table)
    if number not in free:
        raise Refusal("seat-taken", str(number))
    if number not in seats_open_to_bots(free):
        raise Refusal("seat-kept", str(number))
    machine = Player(id=new_key(16), name="", created_at=now)
    db.session.add(machine)
    db.session.flush()
    seat = _put(table, number, machine.id, bot=True, now=now)
    seat.ready, seat.policy = 1, "basic"
    if table.phase == "waiting" and rounds.may_begin(table):
        betting.open_betting(table, now)


def take_over(table: SharedTable, player: str, link: str) -> TableSeat:
    """From now on this device acts for the seat. Refusal ``seat-link`` for a word that is none, or was used."""
    found = [seat for seat in table.seats if not seat.bot and compare_digest(seat.link.encode(), link.encode())]
    if not found:
        raise Refusal("seat-link")
    (seat,) = found
    other = seat_of(table, player)
    if other is not None and other is not seat:
        raise Refusal("seated-already")
    seat.holder_id, seat.link = player, new_link()
    return seat


def new_link() -> str:
    return new_key(22)


def _put(table: SharedTable, number: int, player: str, bot: bool, now: int) -> TableSeat:
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
    table.seats.sort(key=lambda each: each.number)
    db.session.flush()
    return seat
