"""Betting at a shared table, from its opening to the deal.

All functions run inside the caller's transaction; ``at`` is the moment at which they happen, in unix milliseconds.
"""

from webapp.engine.games.table21.rules import WORST, Table21Rules
from webapp.extensions import db
from webapp.models import RoundSeat, SharedTable, TableRound, TableSeat
from webapp.services import purses
from webapp.services.core.errors import Refusal
from webapp.services.records import stored_round
from webapp.services.tables import absence, rounds, settlement, turns
from webapp.services.tables.banker import choose_banker, draw_first_banker, give_bank, place_of


def open_betting(table: SharedTable, at: int) -> None:
    """Open the betting: reserve the banker's chips for the worst case, and start the clock of all others.

    The table waits instead if there are not enough players any more.
    """
    for seat in [seat for seat in table.seats if seat.away and not seat.bot]:
        table.seats.remove(seat)
    if not rounds.may_begin(table):
        rounds.wait(table)
        return
    if stored_round.is_sealed(rounds.round_of(table)):  # nothing is at stake yet: nobody has to wait for a key
        settlement.close_round(table, rounds.round_of(table), "void", at)
    round, rules, seats = rounds.round_of(table), rounds.rules_of(table), rounds.who_plays(table)
    chips = {seat.number: _chips(seat, table, rules, at) for seat in seats}
    draw_first_banker(table, round, seats)
    banker = choose_banker(table, seats, chips, rules.least_bank(len(seats) - 1))
    if chips[banker.number] < rules.least_bank(len(seats) - 1):
        purses.begin_run(banker.player_id, table.game, rules.bets, at)
        chips[banker.number] = rules.bets.start
    table.rounds = round.seq
    round.status, round.banker, round.begun = "betting", banker.number, round.begun + 1
    round.bets = [
        RoundSeat(
            number=seat.number,
            player_id=seat.player_id,
            bot=seat.bot,
            stake=0,
            queue=place_of(table, seat.player_id),
        )
        for seat in seats
    ]
    give_bank(table, banker)
    for bet, seat in zip(round.bets, seats, strict=True):
        bet.cut, bet.auto, seat.cut, seat.ready = seat.cut, False, None, 1
    put_up = min(chips[banker.number], rules.full_bank(len(seats) - 1))
    rounds.bet_at(round, banker.number).stake = put_up
    db.session.flush()
    rounds.move_chips(round, banker.player_id, _stake_reason(round), -put_up, at)
    table.phase, table.acting = "betting", None
    rounds.note_turn(table)
    table.clock_from, table.deadline = at, at + 1000 * rules.bet_clock
    for seat in seats:
        if seat.bot and seat is not banker:
            place_bet(table, seat.number, _limits(table, round, seat.number)[0], None, at, auto=False)
    deal_if_all_have_bet(table, at)


def place_bet(table: SharedTable, number: int, chips: int, cut: str | None, at: int, auto: bool) -> None:
    """Place the bet of a seat together with its cut, in one transaction.

    Raises:
        Refusal: ``illegal-bet`` or ``bad-stake``.
    """
    round = rounds.round_of(table)
    bet = stored_round.bet_of_seat(round, number)
    if table.phase != "betting" or bet is None or bet.stake or number == round.banker:
        raise Refusal("illegal-bet", str(number))
    least, most = _limits(table, round, number)
    if not 0 < least <= chips <= most:
        raise Refusal("bad-stake", f"{chips}, {least} to {most}")
    rounds.move_chips(round, bet.player_id, _stake_reason(round), -chips, at)
    bet.stake, bet.auto, bet.cut = chips, auto, cut or bet.cut
    rounds.note_turn(table)


def deal_if_all_have_bet(table: SharedTable, at: int) -> None:
    """Deal if all bets are placed. The banker gets back the chips that these bets do not need."""
    round = rounds.round_of(table)
    if round.status != "betting" or not all(bet.stake for bet in round.bets):
        return
    banker = rounds.bet_at(round, round.banker)
    needed = WORST * sum(bet.stake for bet in round.bets if bet is not banker)
    surplus, banker.stake = banker.stake - needed, needed
    rounds.move_chips(round, banker.player_id, "release", surplus, at)
    round.status, round.dealt, table.phase = "live", True, "playing"
    turns.go_on(table, round, stored_round.round_state(round), at)


def place_missing_bets(table: SharedTable, at: int) -> None:
    """Place the minimum bet for all who have not bet in time."""
    round = rounds.round_of(table)
    for bet in round.bets:
        if not bet.stake:
            place_bet(table, bet.number, rounds.rules_of(table).min_bet, None, at, auto=True)
    deal_if_all_have_bet(table, at)


def step_back(table: SharedTable, number: int, at: int) -> None:
    """Remove a seat that has not bet yet from the round.

    If nobody is left to play against, the round is taken back. Its pack has been committed to and nobody has seen a
    card of it, so it stays the next round of the table.
    """
    round = rounds.round_of(table)
    round.bets.remove(rounds.bet_at(round, number))
    rounds.note_turn(table)
    if len(round.bets) >= rounds.FEWEST:
        deal_if_all_have_bet(table, at)
        return
    banker = rounds.bet_at(round, round.banker)
    rounds.move_chips(round, banker.player_id, f"refund-{round.begun}", banker.stake, at)
    round.status, round.banker = "ready", None
    round.bets.clear()
    table.rounds, table.banker_rounds = round.seq - 1, table.banker_rounds - 1  # the banker has not had its round
    absence.free_seats(table)
    rounds.wait(table)


def _limits(table: SharedTable, round: TableRound, number: int) -> tuple[int, int]:
    """Return the lowest and the highest bet of a seat without one, as the banker can pay them; (0, 0) for none."""
    assert round.banker is not None
    return rounds.rules_of(table).bet_limits({bet.number: bet.stake for bet in round.bets}, round.banker, number)


def _stake_reason(round: TableRound) -> str:
    """Return the reason of the stakes' ledger entries; a reason occurs once for each player of a round."""
    return "stake" if round.begun == 1 else f"stake-{round.begun}"


def _chips(seat: TableSeat, table: SharedTable, rules: Table21Rules, at: int) -> int:
    return purses.open_at_table(seat.player_id, table.game, rules.bets, at)
