"""The audit: every stored hand and round is replayed, every ledger added up, and whatever does not agree is named."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from webapp.engine.errors import EngineError
from webapp.engine.game import replay
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import OPEN, Hand, LedgerEntry, Purse, SharedTable, Shoe, TableRound
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import SeedOwner, hand_seed, is_unreadable, seed_owner
from webapp.services.purses import CEILING
from webapp.services.records.stored_hand import hand_game, hand_moves, hand_setup, join_numbers
from webapp.services.records.stored_round import round_game, round_seed, round_state

BATCH = 500
ROUND_OF = {"betting": "betting", "playing": "live"}
"""Status of a table's round by the phase of the table; in all other phases the round is still to come."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: ``where`` it is, and ``what`` is wrong."""

    where: str
    what: str


def audit() -> Iterator[Finding]:
    """Return all findings, none if all is as it should be. Reads only, and everything as of one moment."""
    with _one_moment():
        yield from _findings()


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read the whole database as of one moment, though people play on.

    SQLite shows a transaction what was stored when it began to read; PostgreSQL does so at a higher isolation level.
    """
    db.session.rollback()
    try:
        if db.engine.dialect.name == "postgresql":
            wanted = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            db.session.connection(execution_options=wanted)
        yield
    finally:
        db.session.rollback()


def _findings() -> Iterator[Finding]:
    for hand in db.session.scalars(select(Hand).execution_options(yield_per=BATCH)):
        for what in _hand(hand):
            yield Finding(f"hand {hand.key}", what)
    for shoe in db.session.scalars(select(Shoe).execution_options(yield_per=BATCH)):
        for what in _shoe(shoe):
            yield Finding(f"shoe {shoe.key}", what)
    for round in db.session.scalars(select(TableRound).execution_options(yield_per=BATCH)):
        for what in _round(round):
            yield Finding(f"round {round.key}", what)
    yield from _numbers()
    for table in db.session.scalars(select(SharedTable).execution_options(yield_per=BATCH)):
        for what in _table(table):
            yield Finding(f"table {table.code}", what)
    yield from _rounds_of_tables()
    yield from _purses()


def _hand(hand: Hand) -> Iterator[str]:
    yield from _facts(hand)
    if hand.cut is None:
        return
    try:
        seed = hand_seed(hand, {})
    except Refusal:
        yield "has a sealed box that no key here opens"
        if hand.status == "void":
            yield from _chips(hand, 0, 0)
        return
    if commitment(seed, seed_owner(hand).key) != hand.commitment:
        yield "has a seed that does not open its commitment"
    try:
        state = replay(hand_game(hand), hand_setup(hand, seed), hand_moves(hand))
    except (EngineError, KeyError) as error:
        yield f"does not replay: {error}"
        return
    yield from _end(hand, state)


def _facts(hand: Hand) -> Iterator[str]:
    """Check the row by itself: moves, cut and seed."""
    if hand.step != len(hand.moves.split()):
        yield f"step is {hand.step}, but there are {len(hand.moves.split())} moves"
    due = hand.status not in OPEN and hand.cut is not None and hand.shoe_key is None
    if (hand.revealed_seed is not None) != due and not _given_up(hand):
        yield f"is {hand.status}, and its seed is {'hidden' if hand.revealed_seed is None else 'revealed'}"
    if hand.cut is None and (hand.status == "live" or hand.moves):
        yield "is played without a cut"


def _end(hand: Hand, state: Any) -> Iterator[str]:
    """Check end and chips against the rules."""
    game = hand_game(hand)
    result = game.result(state)
    payouts = None if result is None else join_numbers(result.payouts)
    if payouts != hand.payouts:
        yield f"pays {payouts} by the rules, {hand.payouts} by the books"
    if (result is not None) != (hand.status == "done"):
        yield f"is {hand.status}, but its replay says otherwise"
    if hand.status == "void":
        yield from _chips(hand, 0, 0)
    else:
        yield from _chips(hand, sum(game.committed(state)), sum(result.payouts) if result else 0)


def _chips(hand: Hand, committed: int, payout: int) -> Iterator[str]:
    """Check the ledger entries of a hand. A payout may be smaller only if it has filled the purse to the ceiling."""
    entries = db.session.scalars(select(LedgerEntry).where(LedgerEntry.hand_key == hand.key)).all()
    paid = next((entry for entry in entries if entry.reason == "payout"), None)
    if paid is not None and paid.balance_after == CEILING:
        payout = min(payout, paid.amount)
    booked, due = sum(entry.amount for entry in entries), payout - committed
    if booked != due:
        yield f"has ledger entries of {booked} where {due} is due"


def _shoe(shoe: Shoe) -> Iterator[str]:
    """Check that the hands follow each other without a card between them, and that a closed shoe is revealed."""
    if (shoe.revealed_seed is not None) != (shoe.closed_at is not None and shoe.cut is not None) and not _given_up(
        shoe
    ):
        state, seed = "open" if shoe.closed_at is None else "closed", "revealed" if shoe.revealed_seed else "hidden"
        yield f"is {state}, its seed {seed}"
    if shoe.revealed_seed and commitment(bytes.fromhex(shoe.revealed_seed), shoe.key) != shoe.commitment:
        yield "has a seed that does not open its commitment"
    if is_unreadable(shoe):
        return  # there is a finding for each of its hands already
    at = 0
    dealt = select(Hand).where(Hand.shoe_key == shoe.key, Hand.cut.is_not(None)).order_by(Hand.seq)
    for hand in db.session.scalars(dealt):
        if hand.offset != at:
            yield f"has hand {hand.key} at {hand.offset}, the one before ended at {at}"
        with suppress(Refusal, EngineError):  # there is a finding for the hand itself
            state = replay(hand_game(hand), hand_setup(hand, hand_seed(hand, {})), hand_moves(hand))
            at = hand.offset + hand_game(hand).dealt(state)[0]


def _given_up(owner: SeedOwner) -> bool:
    """Return True if it ended while no key opened it: the sealed seed stays, in case the key comes back."""
    ended = owner.closed_at if isinstance(owner, Shoe) else owner.finished_at
    return ended is not None and owner.revealed_seed is None and owner.sealed_seed is not None


def _round(round: TableRound) -> Iterator[str]:
    """Check a round of a shared table: its seed, its replay, and its chips, whose sum over the seats is zero."""
    try:
        seed = round_seed(round)
    except Refusal:
        yield "has a seed that does not open its commitment, or does not open at all"
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
    """Return a sentence about rules that today's house does not know, or nothing."""
    try:
        round_game(row).rules(row.variant)
    except (EngineError, KeyError) as error:
        return f"has rules that cannot be read: {error}"
    return ""


def _table(table: SharedTable) -> Iterator[str]:
    """Check that a shared table can be read, and stands where its round does."""
    unreadable = _unreadable(table)
    if unreadable:
        yield unreadable
    round = db.session.get(TableRound, table.round_key)
    if round is None or round.table_code != table.code:
        yield "has no round to come"
    elif round.status != ROUND_OF.get(table.phase, "ready"):
        yield f"is {table.phase}, but its round is {round.status}"


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


def _rounds_of_tables() -> Iterator[Finding]:
    """Check that the rounds of each table are numbered without gaps, from 1."""
    counted = select(TableRound.table_code, func.count(), func.min(TableRound.seq), func.max(TableRound.seq)).group_by(
        TableRound.table_code
    )
    for code, count, first, last in db.session.execute(counted):
        if (first, last) != (1, count):
            yield Finding(f"table {code}", f"has {count} rounds, numbered {first} to {last}")


def _numbers() -> Iterator[Finding]:
    """Check that the hands of each player and game are numbered without gaps, and the purse knows the last number."""
    counted = (
        select(Hand.player_id, Hand.game, func.count(), func.min(Hand.seq), func.max(Hand.seq), Purse.hands)
        .outerjoin(Purse, (Purse.player_id == Hand.player_id) & (Purse.game == Hand.game))
        .group_by(Hand.player_id, Hand.game, Purse.hands)
    )
    for player, game, count, first, last, known in db.session.execute(counted):
        if (first, last, known) != (1, count, count):
            yield Finding(f"player {player}", f"has {count} hands of {game}, numbered {first} to {last}, of {known}")


def _purses() -> Iterator[Finding]:
    """Check that each balance is the sum of its entries, and that every entry states the balance after it."""
    running: dict[tuple[str, str], int] = {}
    entries = select(LedgerEntry).order_by(LedgerEntry.id).execution_options(yield_per=BATCH)
    for entry in db.session.scalars(entries):
        purse = (entry.player_id, entry.game)
        running[purse] = running.get(purse, 0) + entry.amount
        if entry.balance_after != running[purse]:
            yield Finding(f"ledger entry {entry.id}", f"says {entry.balance_after} where the sum is {running[purse]}")
    best = (
        select(LedgerEntry.player_id, LedgerEntry.game, func.max(LedgerEntry.amount))
        .where(LedgerEntry.reason == "payout")
        .group_by(LedgerEntry.player_id, LedgerEntry.game)
    )
    highest = {(player, game): amount for player, game, amount in db.session.execute(best)}
    for row in db.session.scalars(select(Purse)):
        key = (row.player_id, row.game)
        if row.balance != running.get(key, 0):
            yield Finding(f"purse {key[0]} {key[1]}", f"holds {row.balance}, its entries {running.get(key, 0)}")
        if row.best != highest.get(key, 0):
            yield Finding(f"purse {key[0]} {key[1]}", f"best is {row.best}, its payouts say {highest.get(key, 0)}")
