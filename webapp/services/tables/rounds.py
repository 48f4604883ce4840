"""A round at a shared table, once it is dealt: turns, and the end.

All inside the caller's transaction, at a moment ``at``.
"""

from sqlalchemy.exc import NoResultFound

from webapp.engine.action import Action
from webapp.engine.errors import EngineError
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.games.table21.state import Table21State
from webapp.extensions import db
from webapp.models import RoundSeat, SharedTable, TableRound, TableSeat
from webapp.services import purses
from webapp.services.core.errors import Refusal
from webapp.services.tables import presence, round_cards
from webapp.services.tables.clock import BOT_PACE, PAUSE

FEWEST = 2


def round_of(table: SharedTable) -> TableRound:
    """The one that is played or comes next."""
    return db.session.get_one(TableRound, table.round_key)


def rules_of(table: SharedTable) -> Table21Rules:
    return round_cards.round_game(table).rules(table.variant)


def can_be_read(table: SharedTable) -> bool:
    """Return whether today's house knows the table's game, its rules and its round."""
    try:
        rules_of(table), round_of(table)
    except (EngineError, KeyError, NoResultFound):
        return False
    return True


def in_play(table: SharedTable) -> bool:
    """Whether somebody's chips lie on it."""
    return table.phase in ("betting", "playing")


def seat_at(table: SharedTable, number: int) -> TableSeat | None:
    return next((seat for seat in table.seats if seat.number == number), None)


def bet_at(round: TableRound, number: int | None) -> RoundSeat:
    """Of a seat that plays."""
    found = None if number is None else round_cards.bet_of_seat(round, number)
    assert found is not None
    return found


def turn(table: SharedTable) -> None:
    """Bets, cards or turn change with the next version: what was made for an earlier one comes too late."""
    table.turn_version = table.version + 1


def who_plays(table: SharedTable) -> list[TableSeat]:
    """Those of whom the next round would be made: they are ready, and there."""
    return [seat for seat in table.seats if seat.ready and not seat.leaving and not seat.away]


def may_begin(table: SharedTable) -> bool:
    """Machines do not play among themselves."""
    ready = who_plays(table)
    return len(ready) >= FEWEST and any(not seat.bot for seat in ready)


# ------------------------------------------------------------------------------------------------ turns


def act(table: SharedTable, number: int, verb: str, at: int, auto: round_cards.AutoMove | None = None) -> None:
    """Play a verb for the seat in turn. ``auto``: how and why, if nobody did. IllegalAction."""
    round, game = round_of(table), round_cards.round_game(table)
    place = round_cards.place_of_seat(round, number)
    if table.phase != "playing" or place is None or table.acting != number:
        raise Refusal(f"illegal-{verb}", str(number))
    state, action = round_cards.round_state(round), Action(place, verb)
    after = game.apply(state, action)
    cost = game.committed(after)[place] - game.committed(state)[place]
    purses.move_at_table(bet_at(round, number).player_id, round, f"raise-{round.step}", -cost, at)
    round.moves = " ".join((*round.moves.split(), str(action)))
    round.autos = " ".join((*round.autos.split(), str(auto or "-")))
    round.step += 1
    go_on(table, round, after, at)


def act_for(table: SharedTable, at: int) -> None:
    """Out of time, away or a machine: what the seat's policy does."""
    assert table.acting is not None
    round, game = round_of(table), round_cards.round_game(table)
    seat, state = seat_at(table, table.acting), round_cards.round_state(round)
    policy = "basic" if seat is None or seat.bot else seat.policy
    left = purses.balance(bet_at(round, table.acting).player_id, table.game)
    may = frozenset(each.verb for each in game.legal_actions(state) if game.cost(state, each) <= left)
    if table.acting == round.bank:
        policy = "bank"
    verb = game.automatic(state, "timid" if policy == "bank" else policy, may).verb
    reason = _reason(seat)
    act(table, table.acting, verb, at, round_cards.AutoMove("bot" if reason == "bot" else policy, reason))


def _reason(seat: TableSeat | None) -> str:
    """Why a seat is played for."""
    if seat is None or seat.leaving:
        return "left"
    return "bot" if seat.bot else "away" if seat.away else "late"


def go_on(table: SharedTable, round: TableRound, state: Table21State, at: int) -> None:
    """On to the next turn, or to the end."""
    turn(table)
    game = round_cards.round_game(table)
    if game.result(state) is not None:
        _settle(table, round, state, at)
        return
    place = game.legal_actions(state)[0].seat
    table.acting = round.bets[place].number
    seat = seat_at(table, table.acting)
    quick = seat is None or seat.bot or seat.leaving
    table.clock_from, table.deadline = at, at + (BOT_PACE if quick else 1000 * rules_of(table).turn_clock)


# ------------------------------------------------------------------------------------------------ the end


def _settle(table: SharedTable, round: TableRound, state: Table21State, at: int) -> None:
    """Pay; or, if all fell silent together, give the stakes back. Then the seats of those who are away are free."""
    game = round_cards.round_game(table)
    result, committed = game.result(state), game.committed(state)
    assert result is not None
    people = [seat for bet in round.bets if not bet.bot and (seat := seat_at(table, bet.number)) is not None]
    void = not any(bet.bot for bet in round.bets) and _fell_silent_together(table, people)
    for place, bet in enumerate(round.bets):
        bet.payout = committed[place] if void else result.payouts[place]
        net = bet.payout - committed[place]
        bet.outcome = "VOID" if void else "ROUND_WON" if net > 0 else "ROUND_LOST" if net < 0 else "ROUND_EVEN"
        reason = "refund" if void else "bank" if bet.number == round.bank else "payout"
        purses.move_at_table(bet.player_id, round, reason, bet.payout, at)
    closes = rules_of(table).on_absent == "close" and any(seat.away and not seat.leaving for seat in people)
    close_round(table, round, "void" if void else "done", at)
    free_seats(table)
    _send_machines_home(table)
    if closes:
        close_table(table)
    else:
        table.phase, table.acting = "settled", None
        table.clock_from, table.deadline = at, at + PAUSE


def _fell_silent_together(table: SharedTable, people: list[TableSeat]) -> bool:
    """Whether nobody can have been there any more when the first of them was shown to be away.

    Who sees that all others are gone cannot undo a loss by going too.
    """
    patience = 1000 * rules_of(table).absent_after
    signs = [presence.seen_at(table.code, seat.holder_id, seat.seen_at) for seat in people]
    gone = all(seat.away and not seat.leaving for seat in people)
    return gone and max(signs) + presence.grain(patience) < min(signs) + patience


def free_seats(table: SharedTable) -> None:
    """After a round: of those who leave, and of those who are away."""
    for seat in list(table.seats):
        seat.ready = min(seat.ready, 1)
        if seat.leaving or seat.away:
            table.seats.remove(seat)


def close_round(table: SharedTable, round: TableRound, status: str, at: int) -> None:
    """Reveal it; and commit to the next one. Cuts that were given before that commitment stood are no cuts for it."""
    turn(table)
    round.status, round.finished_at = status, at
    for bet in round.bets:
        bet.finished_at = round.finished_at if round.dealt else None
    for seat in table.seats:
        seat.cut = None
    round_cards.reveal(round)
    db.session.flush()
    table.rounds = round.seq
    round_cards.new_round(table, at)


def wait(table: SharedTable) -> None:
    """For two who are ready."""
    turn(table)
    _send_machines_home(table)
    table.phase, table.acting, table.clock_from, table.deadline = "waiting", None, None, None


def close_table(table: SharedTable) -> None:
    """Nobody sits down here any more."""
    turn(table)
    table.seats.clear()
    table.phase, table.acting, table.clock_from, table.deadline = "closed", None, None, None


def void_round(table: SharedTable, at: int) -> bool:
    """End the round in play and give the stakes back: after a restore, when it cannot be known what people saw.

    Whether there was one.
    """
    round = round_of(table)
    in_play = round.status in ("betting", "live")
    if in_play:
        committed = (
            round_cards.round_game(table).committed(round_cards.round_state(round))
            if round.dealt
            else round_cards.round_stakes(round)
        )
        for bet, chips in zip(round.bets, committed, strict=True):
            bet.payout, bet.outcome = chips, "VOID"
            purses.move_at_table(bet.player_id, round, "refund", chips, at)
        close_round(table, round, "void", at)
    close_table(table)
    return in_play


def _send_machines_home(table: SharedTable) -> None:
    """A machine keeps company, it does not sit alone."""
    if all(seat.bot for seat in table.seats):
        table.seats.clear()
