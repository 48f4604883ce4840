"""The audit of shared tables and their rounds: each round is replayed, and its ledger entries are added up."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import func, select

from webapp.engine.errors import EngineError
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import LedgerEntry, SharedTable, TableRound
from webapp.services.core.errors import Refusal
from webapp.services.operations.audit_finding import Finding
from webapp.services.records.stored_round import round_game, round_seed, round_state

ROUND_OF: Final = {"betting": "betting", "playing": "live"}
"""Status of a table's round by the phase of the table; in all other phases the round is still to come."""


def check_round(round: TableRound) -> Iterator[str]:
    """Check a round of a shared table: its seed, its replay, and its chips, whose sum over the seats is zero."""
    try:
        seed = round_seed(round)
    except Refusal:
        yield "has a sealed seed that no key here opens"
        if round.status == "void":
            kept = select(func.sum(LedgerEntry.amount)).where(LedgerEntry.round_key == round.key)
            yield from (
                f"has ledger entries of {int(chips)} for a player where 0 is due"
                for chips in db.session.scalars(kept.group_by(LedgerEntry.player_id))
                if chips
            )
        return
    if commitment(seed, round.key) != round.commitment:
        yield "has a seed that does not open its commitment"
    if round.step != len(round.moves.split()) or round.step != len(round.autos.split()):
        yield f"step is {round.step}, but there are {len(round.moves.split())} moves"
        return
    booked: dict[str, int] = {bet.player_id: 0 for bet in round.bets}
    rows = select(LedgerEntry.player_id, func.sum(LedgerEntry.amount)).where(LedgerEntry.round_key == round.key)
    booked |= {player: int(amount) for player, amount in db.session.execute(rows.group_by(LedgerEntry.player_id))}
    total = sum(booked.values())
    if round.finished_at is not None and total:
        yield f"has ledger entries of {total} where nothing is due"
    if not round.dealt:
        yield from _undealt_round(round, booked)
    unreadable = _unreadable(round)
    if unreadable:
        yield unreadable
    elif round.dealt:
        yield from _dealt_round(round, booked)
    elif round.moves:
        yield "is played without being dealt"


def _undealt_round(round: TableRound, booked: dict[str, int]) -> Iterator[str]:
    """Check that only stakes lie in a round without cards, and nothing in one that waits or was taken back."""
    held = {bet.player_id: bet.stake for bet in round.bets} if round.status == "betting" else {}
    for player, chips in booked.items():
        if chips != -held.get(player, 0):
            yield f"has ledger entries of {chips} for player {player} where {-held.get(player, 0)} is due"


def _unreadable(row: SharedTable | TableRound) -> str:
    """Return a sentence about rules that this version of the site does not know, or nothing."""
    try:
        round_game(row).rules(row.variant)
    except (EngineError, KeyError) as error:
        return f"has rules that cannot be read: {error}"
    return ""


def _dealt_round(round: TableRound, booked: dict[str, int]) -> Iterator[str]:
    game = round_game(round)
    try:
        state = round_state(round)
    except EngineError as error:
        yield f"does not replay: {error}"
        return
    result, committed = game.result(state), game.committed(state)
    if (result is not None) != (round.status in ("done", "void")) and round.status != "void":
        yield f"is {round.status}, but its replay says otherwise"
    for place, bet in enumerate(round.bets):
        payout = committed[place] if round.status == "void" else result.payouts[place] if result else None
        if bet.payout != payout:
            yield f"pays seat {bet.number} {payout} by the rules, {bet.payout} by the books"
        due = (payout or 0) - committed[place]
        if booked.get(bet.player_id, 0) != due:
            yield f"has ledger entries of {booked.get(bet.player_id, 0)} for seat {bet.number} where {due} is due"


def check_table(table: SharedTable) -> Iterator[str]:
    """Check that a shared table can be read, and stands where its round does."""
    unreadable = _unreadable(table)
    if unreadable:
        yield unreadable
    round = db.session.get(TableRound, table.round_key)
    if round is None or round.table_code != table.code:
        yield "has no round to come"
    elif round.status != ROUND_OF.get(table.phase, "ready"):
        yield f"is {table.phase}, but its round is {round.status}"


def check_numbers() -> Iterator[Finding]:
    """Check that the rounds of each table are numbered without gaps, from 1."""
    counted = select(TableRound.table_code, func.count(), func.min(TableRound.seq), func.max(TableRound.seq)).group_by(
        TableRound.table_code
    )
    for code, count, first, last in db.session.execute(counted):
        if (first, last) != (1, count):
            yield Finding(f"table {code}", f"has {count} rounds, numbered {first} to {last}")
