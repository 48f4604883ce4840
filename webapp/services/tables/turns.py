"""Actions in a round of a shared table: those of players, automatic ones, and those without an alternative.

All functions run inside the caller's transaction; ``at`` is the moment at which they happen, in unix milliseconds.
"""

from typing import Final

from webapp.engine.action import Action
from webapp.engine.game import affordable
from webapp.engine.games.table21.state import Table21State
from webapp.models import SharedTable, TableRound, TableSeat
from webapp.services import purses
from webapp.services.core.errors import Refusal
from webapp.services.records import stored_round
from webapp.services.tables import rounds, settlement

BOT_PACE: Final = 1_600
"""Milliseconds that a bot takes for an action, and a seat whose player has left: others must be able to follow."""
FORCED_PACE: Final = 700
"""Milliseconds for which pages show a move without an alternative; the clock that follows is longer by them."""


def act(table: SharedTable, number: int, verb: str, at: int, auto: stored_round.AutoMove | None = None) -> None:
    """Carry out an action of the seat in turn. ``auto``: policy and reason of an automatic action.

    Raises:
        Refusal: ``illegal-<verb>`` if it is not this seat's turn, or ``purse-too-small``.
        IllegalAction: The action is not legal now.
    """
    round, game = rounds.round_of(table), stored_round.round_game(table)
    place = stored_round.place_of_seat(round, number)
    if table.phase != "playing" or place is None or table.acting != number:
        raise Refusal(f"illegal-{verb}", str(number))
    state, action = stored_round.round_state(round), Action(place, verb)
    after = game.apply(state, action)
    cost = game.committed(after)[place] - game.committed(state)[place]
    rounds.move_chips(round, rounds.bet_at(round, number).player_id, f"raise-{round.step}", -cost, at)
    stored_round.add_move(round, action, auto)
    go_on(table, round, after, at)


def act_for(table: SharedTable, at: int) -> None:
    """Carry out an automatic action of the seat in turn, by its policy."""
    assert table.acting is not None
    round, game = rounds.round_of(table), stored_round.round_game(table)
    seat, state = rounds.seat_at(table, table.acting), stored_round.round_state(round)
    policy = "basic" if seat is None or seat.bot else seat.policy
    chips = purses.balance(rounds.bet_at(round, table.acting).player_id, table.game)
    may = frozenset(action.verb for action in affordable(game, state, chips))
    if table.acting == round.banker:
        policy = "bank"
    verb = game.automatic(state, "timid" if policy == "bank" else policy, may).verb
    reason = _reason(seat)
    act(table, table.acting, verb, at, stored_round.AutoMove("bot" if reason == "bot" else policy, reason))


def go_on(table: SharedTable, round: TableRound, state: Table21State, at: int) -> None:
    """Play what has no alternative; then give the turn to the next seat, or end the round."""
    rounds.note_turn(table)
    game, steps = stored_round.round_game(table), round.step
    while (action := game.forced(state)) is not None:
        state = game.apply(state, action)
        stored_round.add_move(round, action, stored_round.AutoMove("bank", "forced"))
    shown = FORCED_PACE * (round.step - steps)
    if game.result(state) is not None:
        settlement.settle(table, round, state, at)
        table.deadline = table.deadline and table.deadline + shown
        return
    place = game.legal_actions(state)[0].seat
    table.acting = round.bets[place].number
    seat = rounds.seat_at(table, table.acting)
    is_automatic = seat is None or seat.bot or seat.leaving
    pace = BOT_PACE if is_automatic else 1000 * rounds.rules_of(table).turn_clock
    table.clock_from, table.deadline = at, at + shown + pace


def _reason(seat: TableSeat | None) -> str:
    """Return the reason of an automatic action."""
    if seat is None or seat.leaving:
        return "left"
    return "bot" if seat.bot else "away" if seat.away else "late"
