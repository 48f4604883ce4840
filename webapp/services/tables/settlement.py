"""The end of a round at a shared table: it is paid, or it is void and the stakes go back.

All functions run inside the caller's transaction; ``at`` is the moment at which they happen, in unix milliseconds.
"""

from typing import Final

from sqlalchemy import bindparam, select

from webapp.engine.games.table21.state import Table21State
from webapp.extensions import db
from webapp.models import Player, SharedTable, TableRound
from webapp.services import purses
from webapp.services.names import numbered
from webapp.services.records import stored_round
from webapp.services.tables import absence, banker, rounds

PAUSE: Final = 9_000
"""Milliseconds between two rounds, to look at the cards."""
_NAMES: Final = select(Player.id, Player.name).where(Player.id.in_(bindparam("players", expanding=True)))


def settle(table: SharedTable, round: TableRound, state: Table21State, at: int) -> None:
    """End a round: pay, or give the stakes back if all players fell silent together. Free the seats of the absent."""
    game = stored_round.round_game(table)
    result, committed = game.result(state), game.committed(state)
    assert result is not None
    absence.decide_if_void(table)
    void = bool(round.void_when_over)
    for place, bet in enumerate(round.bets):
        bet.payout = committed[place] if void else result.payouts[place]
        net = bet.payout - committed[place]
        bet.outcome = "VOID" if void else "ROUND_WON" if net > 0 else "ROUND_LOST" if net < 0 else "ROUND_EVEN"
        reason = "refund" if void else "bank" if bet.number == round.banker else "payout"
        rounds.move_chips(round, bet.player_id, reason, bet.payout, at)
    people = absence.people_in(table, round)
    closes = rounds.rules_of(table).on_absent == "close" and any(seat.away and not seat.leaving for seat in people)
    close_round(table, round, "void" if void else "done", at)
    absence.free_seats(table)
    rounds.dismiss_bots(table)
    if closes:
        rounds.close_table(table)
    else:
        table.phase, table.acting = "settled", None
        table.clock_from, table.deadline = at, at + PAUSE


def close_round(table: SharedTable, round: TableRound, status: str, at: int) -> None:
    """Reveal the seed of a round, and commit to the next one.

    Cuts that were given before that commitment was shown are removed.
    """
    rounds.note_turn(table)
    round.status, round.finished_at = status, at
    if round.dealt:
        _keep_names(table, round)
        banker.pass_bank(table, round)
    lost = purses.charged_at_table(round) if round.dealt and status == "done" else {}
    for bet in round.bets:
        bet.finished_at = round.finished_at if round.dealt else None
        if round.dealt:
            paid = (bet.payout or 0) if status == "done" else 0
            staked = paid + lost.get(bet.player_id, 0)
            purses.count_outcome(bet.player_id, round.game, round.variant, bet.outcome, staked, paid)
    for seat in table.seats:
        seat.cut = None
    rounds.reveal(round)
    db.session.flush()
    table.rounds = round.seq
    rounds.new_round(table, at)


def _keep_names(table: SharedTable, round: TableRound) -> None:
    """Keep the names with the round: whoever is renamed later did not play it under that name."""
    rows = db.session.execute(_NAMES, {"players": [bet.player_id for bet in round.bets]})
    names = {row.id: row.name for row in rows}
    for bet in round.bets:
        seat = rounds.seat_at(table, bet.number)
        bet.name = numbered(names[bet.player_id], seat.name_number if seat else 1)


def void_round(table: SharedTable, at: int) -> bool:
    """Close a table, and give back the stakes of a round in play. Return True if there was one.

    For restored backups: nobody knows what the players saw since.
    """
    round = rounds.round_of(table)
    was_in_play = round.status in ("betting", "live")
    if was_in_play:
        return_stakes(table, round, at)
    rounds.close_table(table)
    return was_in_play


def return_stakes(table: SharedTable, round: TableRound, at: int) -> None:
    """End a round as void, and give back all that was charged for it. No key is needed for that."""
    charged = purses.charged_at_table(round)
    for bet in round.bets:
        bet.payout, bet.outcome = charged.get(bet.player_id, 0), "VOID"
        rounds.move_chips(round, bet.player_id, "refund", bet.payout, at)
    close_round(table, round, "void", at)
