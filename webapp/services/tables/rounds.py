"""Rounds of a shared table, from the deal to the payment, and the phases of the table.

All functions run inside the caller's transaction; ``at`` is the moment at which they happen, in unix milliseconds.
"""

from typing import Final

from sqlalchemy.exc import NoResultFound

from webapp.engine.action import Action
from webapp.engine.errors import EngineError
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.games.table21.state import Table21State
from webapp.extensions import db
from webapp.models import RoundSeat, SharedTable, TableRound, TableSeat
from webapp.services import purses
from webapp.services.core.errors import Refusal
from webapp.services.records import stored_round
from webapp.services.tables import presence, round_cards

FEWEST: Final = 2
"""Seats that a round needs."""
BOT_PACE: Final = 1_600
"""Milliseconds that a bot takes for an action, and a seat whose player has left: others must be able to follow."""
PAUSE: Final = 9_000
"""Milliseconds between two rounds, to look at the cards."""


# ------------------------------------------------------------------------------------------------ reading


def round_of(table: SharedTable) -> TableRound:
    """Return the round that is played or comes next."""
    return db.session.get_one(TableRound, table.round_key)


def rules_of(table: SharedTable) -> Table21Rules:
    """Return the rules of a table.

    Raises:
        KeyError: This version of the site does not have the game.
        SetupError: It does not understand the rules.
    """
    return stored_round.round_game(table).rules(table.variant)


def can_be_read(table: SharedTable) -> bool:
    """Return True if this version of the site knows the table's game, its rules and its round."""
    try:
        rules_of(table), round_of(table)
    except (EngineError, KeyError, NoResultFound):
        return False
    return True


def in_play(table: SharedTable) -> bool:
    """Return True if chips lie on the table."""
    return table.phase in ("betting", "playing")


def seat_at(table: SharedTable, number: int) -> TableSeat | None:
    """Return the occupied seat with a number."""
    return next((seat for seat in table.seats if seat.number == number), None)


def bet_at(round: TableRound, number: int | None) -> RoundSeat:
    """Return the bet of a seat that plays."""
    bet = None if number is None else stored_round.bet_of_seat(round, number)
    assert bet is not None
    return bet


def who_plays(table: SharedTable) -> list[TableSeat]:
    """Return the seats that would be dealt in: ready, not leaving, not away."""
    return [seat for seat in table.seats if seat.ready and not seat.leaving and not seat.away]


def may_begin(table: SharedTable) -> bool:
    """Return True if enough seats are ready for a round, and not only bots."""
    ready = who_plays(table)
    return len(ready) >= FEWEST and any(not seat.bot for seat in ready)


def turn(table: SharedTable) -> None:
    """Note that bets, cards or turn change with the next version: commands for earlier versions come too late."""
    table.turn_version = table.version + 1


def move_chips(round: TableRound, player: str, reason: str, chips: int, at: int) -> None:
    """Give chips to a player for a reason, or take them (below zero)."""
    purses.move_at_table(player, round, reason, chips, at)


# ------------------------------------------------------------------------------------------------ actions


def act(table: SharedTable, number: int, verb: str, at: int, auto: stored_round.AutoMove | None = None) -> None:
    """Carry out an action of the seat in turn. ``auto``: policy and reason of an automatic action.

    Raises:
        Refusal: ``illegal-<verb>`` if it is not this seat's turn, or ``purse-too-small``.
        IllegalAction: The action is not legal now.
    """
    round, game = round_of(table), stored_round.round_game(table)
    place = stored_round.place_of_seat(round, number)
    if table.phase != "playing" or place is None or table.acting != number:
        raise Refusal(f"illegal-{verb}", str(number))
    state, action = stored_round.round_state(round), Action(place, verb)
    after = game.apply(state, action)
    cost = game.committed(after)[place] - game.committed(state)[place]
    move_chips(round, bet_at(round, number).player_id, f"raise-{round.step}", -cost, at)
    round.moves = " ".join((*round.moves.split(), str(action)))
    round.autos = " ".join((*round.autos.split(), str(auto or "-")))
    round.step += 1
    go_on(table, round, after, at)


def act_for(table: SharedTable, at: int) -> None:
    """Carry out an automatic action of the seat in turn, by its policy."""
    assert table.acting is not None
    round, game = round_of(table), stored_round.round_game(table)
    seat, state = seat_at(table, table.acting), stored_round.round_state(round)
    policy = "basic" if seat is None or seat.bot else seat.policy
    chips = purses.balance(bet_at(round, table.acting).player_id, table.game)
    affordable = frozenset(action.verb for action in game.legal_actions(state) if game.cost(state, action) <= chips)
    if table.acting == round.banker:
        policy = "bank"
    verb = game.automatic(state, "timid" if policy == "bank" else policy, affordable).verb
    reason = _reason(seat)
    act(table, table.acting, verb, at, stored_round.AutoMove("bot" if reason == "bot" else policy, reason))


def go_on(table: SharedTable, round: TableRound, state: Table21State, at: int) -> None:
    """Give the turn to the next seat, or end the round."""
    turn(table)
    game = stored_round.round_game(table)
    if game.result(state) is not None:
        _settle(table, round, state, at)
        return
    place = game.legal_actions(state)[0].seat
    table.acting = round.bets[place].number
    seat = seat_at(table, table.acting)
    is_automatic = seat is None or seat.bot or seat.leaving
    table.clock_from, table.deadline = at, at + (BOT_PACE if is_automatic else 1000 * rules_of(table).turn_clock)


def _reason(seat: TableSeat | None) -> str:
    """Return the reason of an automatic action."""
    if seat is None or seat.leaving:
        return "left"
    return "bot" if seat.bot else "away" if seat.away else "late"


# ------------------------------------------------------------------------------------------------ the end


def _settle(table: SharedTable, round: TableRound, state: Table21State, at: int) -> None:
    """End a round: pay, or give the stakes back if all players fell silent together. Free the seats of the absent."""
    game = stored_round.round_game(table)
    result, committed = game.result(state), game.committed(state)
    assert result is not None
    people = [seat for bet in round.bets if not bet.bot and (seat := seat_at(table, bet.number)) is not None]
    void = not any(bet.bot for bet in round.bets) and _fell_silent_together(table, people)
    for place, bet in enumerate(round.bets):
        bet.payout = committed[place] if void else result.payouts[place]
        net = bet.payout - committed[place]
        bet.outcome = "VOID" if void else "ROUND_WON" if net > 0 else "ROUND_LOST" if net < 0 else "ROUND_EVEN"
        reason = "refund" if void else "bank" if bet.number == round.banker else "payout"
        move_chips(round, bet.player_id, reason, bet.payout, at)
    closes = rules_of(table).on_absent == "close" and any(seat.away and not seat.leaving for seat in people)
    close_round(table, round, "void" if void else "done", at)
    free_seats(table)
    _dismiss_bots(table)
    if closes:
        close_table(table)
    else:
        table.phase, table.acting = "settled", None
        table.clock_from, table.deadline = at, at + PAUSE


def _fell_silent_together(table: SharedTable, people: list[TableSeat]) -> bool:
    """Return True if all players can have been gone before the first of them was shown to be away.

    A player who sees that all others are away cannot undo a loss by leaving, too.
    """
    patience = 1000 * rules_of(table).absent_after
    heartbeats = [presence.seen_at(table.code, seat.holder_id, seat.seen_at) for seat in people]
    all_away = all(seat.away and not seat.leaving for seat in people)
    return all_away and max(heartbeats) + presence.grain(patience) < min(heartbeats) + patience


def free_seats(table: SharedTable) -> None:
    """After a round: free the seats of players who are leaving or away."""
    for seat in list(table.seats):
        seat.ready = min(seat.ready, 1)
        if seat.leaving or seat.away:
            table.seats.remove(seat)


def close_round(table: SharedTable, round: TableRound, status: str, at: int) -> None:
    """Reveal the seed of a round, and commit to the next one.

    Cuts that were given before that commitment was shown are removed.
    """
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
    """Let the table wait until two seats are ready."""
    turn(table)
    _dismiss_bots(table)
    table.phase, table.acting, table.clock_from, table.deadline = "waiting", None, None, None


def close_table(table: SharedTable) -> None:
    """Close the table for good and free its seats."""
    turn(table)
    table.seats.clear()
    table.phase, table.acting, table.clock_from, table.deadline = "closed", None, None, None


def void_round(table: SharedTable, at: int) -> bool:
    """Close a table, and give back the stakes of a round in play. Return True if there was one.

    For restored backups: nobody knows what the players saw since.
    """
    round = round_of(table)
    was_in_play = round.status in ("betting", "live")
    if was_in_play:
        committed = (
            stored_round.round_game(table).committed(stored_round.round_state(round))
            if round.dealt
            else stored_round.round_stakes(round)
        )
        for bet, chips in zip(round.bets, committed, strict=True):
            bet.payout, bet.outcome = chips, "VOID"
            move_chips(round, bet.player_id, "refund", chips, at)
        close_round(table, round, "void", at)
    close_table(table)
    return was_in_play


def _dismiss_bots(table: SharedTable) -> None:
    """Free the seats of the bots if nobody else sits at the table."""
    if all(seat.bot for seat in table.seats):
        table.seats.clear()
