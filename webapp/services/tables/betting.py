"""Betting at a shared table: from its opening to the deal. All inside the caller's transaction, at a moment ``at``."""

from collections.abc import Sequence

from webapp.engine.games.table21.rules import WORST, Table21Rules
from webapp.extensions import db
from webapp.models import RoundSeat, SharedTable, TableRound, TableSeat
from webapp.services import purses
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import pick
from webapp.services.tables import round_cards, rounds


def open_betting(table: SharedTable, at: int) -> None:
    """Betting opens: the bank puts up what it may have to pay, and everybody else's clock runs."""
    for seat in [seat for seat in table.seats if seat.away and not seat.bot]:
        table.seats.remove(seat)
    if not rounds.may_begin(table):
        rounds.wait(table)
        return
    round, rules, seats = rounds.round_of(table), rounds.rules_of(table), rounds.who_plays(table)
    chips = {seat.number: _chips(seat, table, rules, at) for seat in seats}
    bank = _next_bank(table, seats, chips, rules.least_bank(len(seats) - 1))
    if chips[bank.number] < rules.least_bank(len(seats) - 1):
        purses.begin_run(bank.player_id, table.game, rules.bets, at)
        chips[bank.number] = rules.bets.start
    table.banked = table.banked + 1 if table.bank == bank.number else 1
    table.bank, table.rounds = bank.number, round.seq
    round.status, round.bank, round.begun = "betting", bank.number, round.begun + 1
    round.bets = [RoundSeat(number=each.number, player_id=each.player_id, bot=each.bot, stake=0) for each in seats]
    for bet, seat in zip(round.bets, seats, strict=True):
        bet.cut, bet.auto, seat.cut, seat.ready = seat.cut, False, None, 1
    held = min(chips[bank.number], rules.full_bank(len(seats) - 1))
    rounds.bet_at(round, bank.number).stake = held
    db.session.flush()
    purses.move_at_table(bank.player_id, round, _stake(round), -held, at)
    table.phase, table.acting = "betting", None
    rounds.turn(table)
    table.clock_from, table.deadline = at, at + 1000 * rules.bet_clock
    for seat in seats:
        if seat.bot and seat is not bank:
            place_bet(table, seat.number, _limits(table, round, seat.number)[0], None, at, auto=False)
    deal_if_all_have_bet(table, at)


def _limits(table: SharedTable, round: TableRound, number: int) -> tuple[int, int]:
    """The lowest and the highest bet of a seat that has none yet, as far as the bank goes: (0, 0) if there is none."""
    rules, players = rounds.rules_of(table), [bet for bet in round.bets if bet.number != round.bank]
    to_come = sum(1 for bet in players if not bet.stake and bet.number != number)
    bank = rounds.bet_at(round, round.bank).stake
    most = rules.most_bet(bank, sum(bet.stake for bet in players), to_come)
    return (rules.min_bet, most) if most else (0, 0)


def place_bet(table: SharedTable, number: int, chips: int, cut: str | None, at: int, auto: bool) -> None:
    """Bet and cut together: chips are only taken by what also shuffles the deck.

    Refusals ``illegal-bet`` and ``bad-stake``.
    """
    round = rounds.round_of(table)
    bet = round_cards.bet_of_seat(round, number)
    if table.phase != "betting" or bet is None or bet.stake or number == round.bank:
        raise Refusal("illegal-bet", str(number))
    least, most = _limits(table, round, number)
    if not 0 < least <= chips <= most:
        raise Refusal("bad-stake", f"{chips}, {least} to {most}")
    purses.move_at_table(bet.player_id, round, _stake(round), -chips, at)
    bet.stake, bet.auto, bet.cut = chips, auto, cut or bet.cut
    rounds.turn(table)


def deal_if_all_have_bet(table: SharedTable, at: int) -> None:
    """The deal starts at once when all bets are in."""
    round = rounds.round_of(table)
    if round.status != "betting" or not all(bet.stake for bet in round.bets):
        return
    bank = rounds.bet_at(round, round.bank)
    needed = WORST * sum(bet.stake for bet in round.bets if bet is not bank)
    spare, bank.stake = bank.stake - needed, needed
    purses.move_at_table(bank.player_id, round, "release", spare, at)
    round.status, round.dealt, table.phase = "live", True, "playing"
    rounds.go_on(table, round, round_cards.round_state(round), at)


def bet_for_the_silent(table: SharedTable, at: int) -> None:
    """Out of time: the minimum bet is placed."""
    round = rounds.round_of(table)
    for bet in round.bets:
        if not bet.stake:
            place_bet(table, bet.number, rounds.rules_of(table).min_bet, None, at, auto=True)
    deal_if_all_have_bet(table, at)


def step_back(table: SharedTable, number: int, at: int) -> None:
    """Whoever has not bet yet may still leave the round. With nobody left to play against it is taken back: its deck
    has been committed to, nobody has seen a card of it, and it waits for the next who play.
    """
    round = rounds.round_of(table)
    round.bets.remove(rounds.bet_at(round, number))
    rounds.turn(table)
    if len(round.bets) >= rounds.FEWEST:
        deal_if_all_have_bet(table, at)
        return
    bank = rounds.bet_at(round, round.bank)
    purses.move_at_table(bank.player_id, round, f"refund-{round.begun}", bank.stake, at)
    round.status, round.bank = "ready", None
    round.bets.clear()
    table.rounds, table.banked = round.seq - 1, table.banked - 1  # and the bank has not had its turn
    rounds.free_seats(table)
    rounds.wait(table)


def _stake(round: TableRound) -> str:
    """The reason of an entry in the ledger, where each is unique within a round."""
    return "stake" if round.begun == 1 else f"stake-{round.begun}"


def _chips(seat: TableSeat, table: SharedTable, rules: Table21Rules, at: int) -> int:
    return purses.open_at_table(seat.player_id, table.game, rules.bets, at)


def next_banker_index(table: SharedTable, numbers: Sequence[int]) -> int:
    """Which of the seats with these numbers has its turn to be the bank, after the one that was."""
    assert table.bank is not None
    if table.bank in numbers and table.banked < rounds.rules_of(table).bank_rounds:
        return numbers.index(table.bank)
    return next((index for index, number in enumerate(numbers) if number > table.bank), 0)


def _next_bank(table: SharedTable, seats: Sequence[TableSeat], chips: dict[int, int], least: int) -> TableSeat:
    """The first by chance, then clockwise. Who cannot pay the lowest bets of all is passed over, if others can."""
    numbers = [seat.number for seat in seats]
    first = pick(range(len(seats))) if table.bank is None else next_banker_index(table, numbers)
    turn = [*seats[first:], *seats[:first]]
    return next((seat for seat in turn if chips[seat.number] >= least), turn[0])
