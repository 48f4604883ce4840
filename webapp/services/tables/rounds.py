"""A round at a shared table: bets, deal, turns, settlement. All inside the caller's transaction, at a moment ``at``."""

import secrets
from collections.abc import Sequence

from webapp.engine.action import Action
from webapp.engine.families.table_rules import WORST, Rules
from webapp.extensions import db
from webapp.models import CardTable, RoundSeat, TableRound, TableSeat
from webapp.services import purses
from webapp.services.refusal import Refusal
from webapp.services.tables import deals
from webapp.services.tables.clock import BOT_PACE, PAUSE, seconds

FEWEST = 2


def round_of(table: CardTable) -> TableRound:
    """The one that is played or comes next."""
    return db.session.get_one(TableRound, table.round_key)


def rules_of(table: CardTable) -> Rules:
    return deals.game_of(table).rules(table.variant)


def seat_at(table: CardTable, number: int) -> TableSeat | None:
    return next((seat for seat in table.seats if seat.number == number), None)


def who_plays(table: CardTable) -> list[TableSeat]:
    """Those of whom the next round would be made: they are ready, and there."""
    return [seat for seat in table.seats if seat.ready and not seat.leaving and not seat.away]


def may_begin(table: CardTable) -> bool:
    """Machines do not play among themselves."""
    ready = who_plays(table)
    return len(ready) >= FEWEST and any(not seat.bot for seat in ready)


# ------------------------------------------------------------------------------------------------ bets


def begin(table: CardTable, at: int) -> None:
    """Betting opens: the bank puts up what it may have to pay, and everybody else's clock runs."""
    for seat in [seat for seat in table.seats if seat.away and not seat.bot]:
        table.seats.remove(seat)
    if not may_begin(table):
        wait(table)
        return
    round, rules, seats = round_of(table), rules_of(table), who_plays(table)
    chips = {seat.number: _chips(seat, table, rules, at) for seat in seats}
    bank = _next_bank(table, seats, chips, rules.least_bank(len(seats) - 1))
    if chips[bank.number] < rules.least_bank(len(seats) - 1):
        purses.begin_run_if_over(bank.player_id, table.game, rules.bets, seconds(at), anew=True)
        chips[bank.number] = rules.bets.start
    table.banked = table.banked + 1 if table.bank == bank.number else 1
    table.bank, table.rounds = bank.number, round.seq
    round.status, round.bank = "betting", bank.number
    round.bets = [RoundSeat(number=each.number, player_id=each.player_id, bot=each.bot, stake=0) for each in seats]
    for bet, seat in zip(round.bets, seats, strict=True):
        bet.cut, bet.auto, seat.cut, seat.ready = seat.cut, False, None, 1
    held = min(chips[bank.number], rules.full_bank(len(seats) - 1))
    _of(round, bank.number).stake = held
    db.session.flush()
    purses.move_at_table(bank.player_id, round, "stake", -held, seconds(at))
    table.phase, table.acting = "betting", None
    table.clock_from, table.deadline = at, at + 1000 * rules.bet_clock
    for seat in seats:
        if seat.bot and seat is not bank:
            place_bet(table, seat.number, limits(table, round, seat.number)[0], None, at, auto=False)
    deal_if_all_have_bet(table, at)


def limits(table: CardTable, round: TableRound, number: int) -> tuple[int, int]:
    """The lowest and the highest bet of a seat that has none yet, as far as the bank goes: (0, 0) if there is none."""
    rules, players = rules_of(table), [bet for bet in round.bets if bet.number != round.bank]
    to_come = sum(1 for bet in players if not bet.stake and bet.number != number)
    bank = _of(round, round.bank).stake
    most = rules.most_bet(bank, sum(bet.stake for bet in players), to_come)
    return (rules.min_bet, most) if most else (0, 0)


def place_bet(table: CardTable, number: int, chips: int, cut: str | None, at: int, auto: bool) -> None:
    """Bet and cut together: chips are only taken by what also shuffles the deck. Refusal ``bad-stake``."""
    round = round_of(table)
    bet = deals.bet_of(round, number)
    least, most = limits(table, round, number)
    if table.phase != "betting" or bet is None or bet.stake or number == round.bank:
        raise Refusal("illegal-bet", str(number))
    if not 0 < least <= chips <= most:
        raise Refusal("bad-stake", f"{chips}, {least} to {most}")
    purses.move_at_table(bet.player_id, round, "stake", -chips, seconds(at))
    bet.stake, bet.auto, bet.cut = chips, auto, cut or bet.cut


def deal_if_all_have_bet(table: CardTable, at: int) -> None:
    """The deal starts at once when all bets are in."""
    round = round_of(table)
    if round.status != "betting" or not all(bet.stake for bet in round.bets):
        return
    bank = _of(round, round.bank)
    needed = WORST * sum(bet.stake for bet in round.bets if bet is not bank)
    spare, bank.stake = bank.stake - needed, needed
    purses.move_at_table(bank.player_id, round, "release", spare, seconds(at))
    round.status, round.dealt, table.phase = "live", True, "playing"
    _go_on(table, round, deals.state_of(round), at)


def bet_for_the_silent(table: CardTable, at: int) -> None:
    """Out of time: the minimum bet is placed."""
    round = round_of(table)
    for bet in round.bets:
        if not bet.stake:
            place_bet(table, bet.number, rules_of(table).min_bet, None, at, auto=True)
    deal_if_all_have_bet(table, at)


def step_back(table: CardTable, number: int, at: int) -> None:
    """Whoever has not bet yet may still leave the round; with nobody to play against it is void."""
    round = round_of(table)
    round.bets.remove(_of(round, number))
    if len(round.bets) >= FEWEST:
        deal_if_all_have_bet(table, at)
        return
    bank = _of(round, round.bank)
    purses.move_at_table(bank.player_id, round, "refund", bank.stake, seconds(at))
    bank.stake = 0
    _close_round(table, round, "void", at)
    wait(table)


# ------------------------------------------------------------------------------------------------ turns


def act(table: CardTable, number: int, verb: str, at: int, auto: deals.Auto | None = None) -> None:
    """Play a verb for the seat in turn. ``auto``: how and why, if nobody did. IllegalAction."""
    round, game = round_of(table), deals.game_of(table)
    place = deals.place_of(round, number)
    if table.phase != "playing" or place is None or table.acting != number:
        raise Refusal(f"illegal-{verb}", str(number))
    state, action = deals.state_of(round), Action(place, verb)
    after = game.apply(state, action)
    cost = game.committed(after)[place] - game.committed(state)[place]
    purses.move_at_table(_of(round, number).player_id, round, f"raise-{round.step}", -cost, seconds(at))
    round.moves = " ".join((*round.moves.split(), str(action)))
    round.autos = " ".join((*round.autos.split(), str(auto or "-")))
    round.step += 1
    _go_on(table, round, after, at)


def act_for(table: CardTable, at: int) -> None:
    """Out of time, away or a machine: what the seat's policy does."""
    assert table.acting is not None
    round, game = round_of(table), deals.game_of(table)
    seat, state = seat_at(table, table.acting), deals.state_of(round)
    policy = "basic" if seat is None or seat.bot else seat.policy
    left = purses.balance(_of(round, table.acting).player_id, table.game)
    may = frozenset(each.verb for each in game.legal_actions(state) if game.price(state, each) <= left)
    if table.acting == round.bank:
        policy = "bank"
    verb = game.automatic(state, "timid" if policy == "bank" else policy, may).verb
    reason = _reason(seat)
    act(table, table.acting, verb, at, deals.Auto("bot" if reason == "bot" else policy, reason))


def _reason(seat: TableSeat | None) -> str:
    """Why a seat is played for."""
    if seat is None or seat.leaving:
        return "left"
    return "bot" if seat.bot else "away" if seat.away else "late"


def affordable(table: CardTable, round: TableRound, number: int) -> tuple[str, ...]:
    """The verbs the seat in turn may play and can pay for."""
    game, state = deals.game_of(table), deals.state_of(round)
    left = purses.balance(_of(round, number).player_id, table.game)
    return tuple(each.verb for each in game.legal_actions(state) if game.price(state, each) <= left)


def _go_on(table: CardTable, round: TableRound, state: object, at: int) -> None:
    """On to the next turn, or to the end."""
    game = deals.game_of(table)
    if game.result(state) is not None:  # type: ignore[arg-type]
        settle(table, round, state, at)
        return
    place = game.legal_actions(state)[0].seat  # type: ignore[arg-type]
    table.acting = round.bets[place].number
    seat = seat_at(table, table.acting)
    quick = seat is None or seat.bot or seat.leaving
    table.clock_from, table.deadline = at, at + (BOT_PACE if quick else 1000 * rules_of(table).turn_clock)


# ------------------------------------------------------------------------------------------------ the end


def settle(table: CardTable, round: TableRound, state: object, at: int) -> None:
    """Pay; or, if nobody is there at all, give the stakes back. Then the seats of those who are away are free."""
    game = deals.game_of(table)
    result, committed = game.result(state), game.committed(state)  # type: ignore[arg-type]
    assert result is not None
    people = [seat for bet in round.bets if not bet.bot and (seat := seat_at(table, bet.number)) is not None]
    machines = any(bet.bot for bet in round.bets)
    void = not machines and all(seat.away or seat.leaving for seat in people)
    for place, bet in enumerate(round.bets):
        bet.payout = committed[place] if void else result.payouts[place]
        net = bet.payout - committed[place]
        bet.outcome = "VOID" if void else "ROUND_WON" if net > 0 else "ROUND_LOST" if net < 0 else "ROUND_EVEN"
        reason = "refund" if void else "bank" if bet.number == round.bank else "payout"
        purses.move_at_table(bet.player_id, round, reason, bet.payout, seconds(at))
    closes = rules_of(table).on_absent == "close" and any(seat.away and not seat.leaving for seat in people)
    _close_round(table, round, "void" if void else "done", at)
    for seat in list(table.seats):
        seat.ready = min(seat.ready, 1)
        if seat.leaving or seat.away:
            table.seats.remove(seat)
    _send_machines_home(table)
    if closes:
        close(table)
    else:
        table.phase, table.acting = "settled", None
        table.clock_from, table.deadline = at, at + PAUSE


def _close_round(table: CardTable, round: TableRound, status: str, at: int) -> None:
    """Reveal it; and commit to the next one."""
    round.status, round.finished_at = status, seconds(at)
    for bet in round.bets:
        bet.finished_at = round.finished_at if round.dealt else None
    deals.reveal(round)
    db.session.flush()
    table.rounds = round.seq
    deals.new_round(table, at)


def wait(table: CardTable) -> None:
    """For two who are ready."""
    _send_machines_home(table)
    table.phase, table.acting, table.clock_from, table.deadline = "waiting", None, None, None


def close(table: CardTable) -> None:
    """Nobody sits down here any more."""
    table.seats.clear()
    table.phase, table.acting, table.clock_from, table.deadline = "closed", None, None, None


def void(table: CardTable, at: int) -> bool:
    """End the round in play and give the stakes back: after a restore, when it cannot be known what people saw.

    Whether there was one.
    """
    round = round_of(table)
    in_play = round.status in ("betting", "live")
    if in_play:
        committed = deals.game_of(table).committed(deals.state_of(round)) if round.dealt else deals.stakes_of(round)
        for bet, chips in zip(round.bets, committed, strict=True):
            bet.payout, bet.outcome = chips, "VOID"
            purses.move_at_table(bet.player_id, round, "refund", chips, seconds(at))
        _close_round(table, round, "void", at)
    close(table)
    return in_play


def _send_machines_home(table: CardTable) -> None:
    """A machine keeps company, it does not sit alone."""
    if not any(not seat.bot for seat in table.seats):
        table.seats.clear()


def _chips(seat: TableSeat, table: CardTable, rules: Rules, at: int) -> int:
    return purses.open_at_table(seat.player_id, table.game, rules.bets, seconds(at))


def _next_bank(table: CardTable, seats: Sequence[TableSeat], chips: dict[int, int], least: int) -> TableSeat:
    """The first by chance, then clockwise. Who cannot pay the lowest bets of all is passed over, if others can."""
    numbers = [seat.number for seat in seats]
    if table.bank is None:
        first = secrets.choice(range(len(seats)))
    elif table.bank in numbers and table.banked < rules_of(table).bank_rounds:
        first = numbers.index(table.bank)
    else:
        first = next((index for index, number in enumerate(numbers) if number > table.bank), 0)
    turn = [*seats[first:], *seats[:first]]
    return next((seat for seat in turn if chips[seat.number] >= least), turn[0])


def _of(round: TableRound, number: int | None) -> RoundSeat:
    found = next((bet for bet in round.bets if bet.number == number), None)
    assert found is not None
    return found
