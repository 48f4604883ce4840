"""The books, gone through from the beginning: every hand replayed, every purse added up."""

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
from webapp.services.tables import round_cards

BATCH = 500
ROUND_OF = {"betting": "betting", "playing": "live"}
"""Status of a table's round by the phase of the table; in all other phases the round is still to come."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is off: where, and what."""

    where: str
    what: str


def audit() -> Iterator[Finding]:
    """Every finding; none if all is as it should be. Reads only, and all of it as it was at one moment."""
    with _one_moment():
        yield from _findings()


@contextmanager
def _one_moment() -> Iterator[None]:
    """People may play on meanwhile. SQLite shows a transaction the books as they were when it began to read; PostgreSQL
    does if it is told to, else every query sees what has just been played.
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
            yield from _chips(hand, 0)
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
    """What the row says of itself."""
    if hand.step != len(hand.moves.split()):
        yield f"step is {hand.step}, but there are {len(hand.moves.split())} moves"
    due = hand.status not in OPEN and hand.cut is not None and hand.shoe_key is None
    if (hand.revealed_seed is not None) != due and not _given_up(hand):
        yield f"is {hand.status}, and its seed is {'hidden' if hand.revealed_seed is None else 'revealed'}"
    if hand.cut is None and (hand.status == "live" or hand.moves):
        yield "is played without a cut"


def _end(hand: Hand, state: Any) -> Iterator[str]:
    """What the rules say of its end and its chips."""
    game = hand_game(hand)
    result = game.result(state)
    payouts = None if result is None else join_numbers(result.payouts)
    if payouts != hand.payouts:
        yield f"pays {payouts} by the rules, {hand.payouts} by the books"
    if (result is not None) != (hand.status == "done"):
        yield f"is {hand.status}, but its replay says otherwise"
    void = hand.status == "void"
    yield from _chips(hand, 0 if void else sum(result.payouts if result else ()) - sum(game.committed(state)))


def _chips(hand: Hand, due: int) -> Iterator[str]:
    entries = db.session.scalars(select(LedgerEntry).where(LedgerEntry.hand_key == hand.key)).all()
    booked = sum(entry.amount for entry in entries)
    capped = any(entry.balance_after == CEILING for entry in entries)
    if booked > due or (booked < due and not capped):
        yield f"has ledger entries of {booked} where {due} is due"


def _shoe(shoe: Shoe) -> Iterator[str]:
    """Its hands follow each other without a card between them; it is revealed when it is closed."""
    if (shoe.revealed_seed is not None) != (shoe.closed_at is not None and shoe.cut is not None) and not _given_up(
        shoe
    ):
        state, seed = "open" if shoe.closed_at is None else "closed", "revealed" if shoe.revealed_seed else "hidden"
        yield f"is {state}, its seed {seed}"
    if shoe.revealed_seed and commitment(bytes.fromhex(shoe.revealed_seed), shoe.key) != shoe.commitment:
        yield "has a seed that does not open its commitment"
    if is_unreadable(shoe):
        return  # which its hands have told
    at = 0
    dealt = select(Hand).where(Hand.shoe_key == shoe.key, Hand.cut.is_not(None)).order_by(Hand.seq)
    for hand in db.session.scalars(dealt):
        if hand.offset != at:
            yield f"has hand {hand.key} at {hand.offset}, the one before ended at {at}"
        with suppress(Refusal, EngineError):  # what does not open or replay is told of its hand
            state = replay(hand_game(hand), hand_setup(hand, hand_seed(hand, {})), hand_moves(hand))
            at = hand.offset + hand_game(hand).dealt(state)[0]


def _given_up(deck: SeedOwner) -> bool:
    """Whether it ended when no key opened it: its seed is in its box still, for when the key comes back."""
    ended = deck.closed_at if isinstance(deck, Shoe) else deck.finished_at
    return ended is not None and deck.revealed_seed is None and deck.sealed_seed is not None


def _round(round: TableRound) -> Iterator[str]:
    """Of a shared table: its seed, its replay, its chips, which must come to nothing among the seats."""
    try:
        seed = round_cards.round_seed(round)
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
        round_cards.round_game(row).rules(row.variant)
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
    game = round_cards.round_game(round)
    try:
        state = round_cards.round_state(round)
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
    """Rounds of a table are numbered without gaps; the last one is the one to come, or in play."""
    counted = select(TableRound.table_code, func.count(), func.min(TableRound.seq), func.max(TableRound.seq)).group_by(
        TableRound.table_code
    )
    for code, count, first, last in db.session.execute(counted):
        if (first, last) != (1, count):
            yield Finding(f"table {code}", f"has {count} rounds, numbered {first} to {last}")


def _numbers() -> Iterator[Finding]:
    """Hands of a player and game are numbered without gaps, and the purse knows the last number."""
    counted = (
        select(Hand.player_id, Hand.game, func.count(), func.min(Hand.seq), func.max(Hand.seq), Purse.hands)
        .outerjoin(Purse, (Purse.player_id == Hand.player_id) & (Purse.game == Hand.game))
        .group_by(Hand.player_id, Hand.game, Purse.hands)
    )
    for player, game, count, first, last, known in db.session.execute(counted):
        if (first, last, known) != (1, count, count):
            yield Finding(f"player {player}", f"has {count} hands of {game}, numbered {first} to {last}, of {known}")


def _purses() -> Iterator[Finding]:
    """A balance is the sum of its entries, and every entry says the balance after it."""
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
