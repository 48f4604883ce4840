"""The round of a shared table: who plays it, its pack, and the phases of the table without a round.

All functions run inside the caller's transaction.
"""

from typing import Final

from sqlalchemy.exc import NoResultFound

from webapp.engine.errors import EngineError
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import RoundSeat, SharedTable, TableRound, TableSeat
from webapp.services import purses
from webapp.services.core.randomness import new_key, new_seed
from webapp.services.fairness.sealing import sealer
from webapp.services.records import stored_round
from webapp.services.records.stored_round import is_sealed, round_seed

FEWEST: Final = 2
"""Seats that a round needs."""


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


def note_turn(table: SharedTable) -> None:
    """Record that bets, cards or turn change with the next version: commands for earlier ones are refused."""
    table.turn_version = table.version + 1


def move_chips(round: TableRound, player: str, reason: str, chips: int, at: int) -> None:
    """Give chips to a player for a reason, or take them (below zero)."""
    purses.move_at_table(player, round, reason, chips, at)


def wait(table: SharedTable) -> None:
    """Let the table wait until two seats are ready."""
    note_turn(table)
    dismiss_bots(table)
    table.phase, table.acting, table.clock_from, table.deadline = "waiting", None, None, None


def close_table(table: SharedTable) -> None:
    """Close the table for good and free its seats."""
    note_turn(table)
    table.seats.clear()
    table.phase, table.acting, table.clock_from, table.deadline = "closed", None, None, None
    table.opened_from = None


def dismiss_bots(table: SharedTable) -> None:
    """Free the seats of the bots if nobody else sits at the table."""
    if all(seat.bot for seat in table.seats):
        table.seats.clear()


def new_round(table: SharedTable, now: int) -> TableRound:
    """Draw the seed of the next round, commit to it, and add the round to the table."""
    seed, key = new_seed(), new_key()
    round = TableRound(
        key=key,
        table_code=table.code,
        game=table.game,
        variant=table.variant,
        seq=table.rounds + 1,
        status="ready",
        commitment=commitment(seed, key),
        sealed_seed=sealer().seal(key, table.code, seed),
        moves="",
        autos="",
        step=0,
        dealt=False,
        created_at=now,
        bets=[],
    )
    table.round_key = key
    db.session.add(round)
    return round


def reveal(round: TableRound) -> None:
    """Reveal the seed of a round. If no key opens it, it stays sealed until the key comes back."""
    if is_sealed(round):
        return
    round.revealed_seed, round.sealed_seed = round_seed(round).hex(), None
