"""The audit of solo hands and their shoes, of daily deals, and of the counters of outcomes.

Each hand is replayed, and its ledger entries are added up. A hand without chips has none: what it would have won or
lost is in its row.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import case, func, select

from webapp.engine.errors import EngineError
from webapp.engine.game import replay
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import (
    AGAIN,
    DAILY,
    IS_PUBLIC,
    OPEN,
    PLAY,
    DailyDeal,
    Hand,
    LedgerEntry,
    OutcomeStatistics,
    PrunedCount,
    Purse,
    RoundSeat,
    Shoe,
    TableRound,
)
from webapp.services.core.clock import closes_at, day_of, now_ms, starts_at
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import hand_seed, is_unreadable, seed_owner, unseal_seed
from webapp.services.operations.audit_finding import Finding
from webapp.services.purses import CEILING, PAID
from webapp.services.records.stored_hand import hand_game, hand_moves, hand_setup, join_numbers, net_of, unpaid_of
from webapp.services.solo.prepared import UNNUMBERED, is_prepared


def check_daily_deal(deal: DailyDeal) -> Iterator[str]:
    """Check that the seed opens the commitment, that it was public in time, and that it was not opened early."""
    if deal.key != f"{deal.day}-{deal.game}":
        yield f"is of {deal.day} and {deal.game}"
    if day_of(deal.published_at) > deal.day:
        yield "was published after its day"
    if deal.revealed_seed is not None and now_ms() < closes_at(deal.day):
        yield "was opened before its day was over"
    try:
        seed = bytes.fromhex(deal.revealed_seed) if deal.revealed_seed else unseal_seed(deal.sealed_seed, deal)
    except Refusal:
        yield "has a sealed seed that no key here opens"
        return
    if commitment(seed, deal.key) != deal.commitment:
        yield "has a seed that does not open its commitment"


UNDEALT: Final = "-"
"""Outcome, among the counts of pruned hands, of those that were numbered and never dealt."""
_PAID = case((LedgerEntry.reason.in_(PAID), LedgerEntry.amount), else_=0)
_STAKED, _RETURNED = func.sum(_PAID - LedgerEntry.amount).label("staked"), func.sum(_PAID).label("returned")
_CHIPS = (
    select(LedgerEntry.hand_key.label("hand"), _STAKED, _RETURNED)
    .where(LedgerEntry.hand_key.is_not(None))
    .group_by(LedgerEntry.hand_key)
    .subquery()
)
_AT_TABLES = (
    select(LedgerEntry.round_key.label("round"), LedgerEntry.player_id.label("player"), _STAKED, _RETURNED)
    .where(LedgerEntry.round_key.is_not(None))
    .group_by(LedgerEntry.round_key, LedgerEntry.player_id)
    .subquery()
)
_OUTCOME = func.coalesce(Hand.outcome, "")
_SEAT_OUTCOME = func.coalesce(RoundSeat.outcome, "")
_COUNTED = (
    select(
        Hand.player_id,
        Hand.game,
        Hand.variant,
        _OUTCOME,
        func.count(),
        func.coalesce(func.sum(_CHIPS.c.staked), 0),
        func.coalesce(func.sum(_CHIPS.c.returned), 0),
    )
    .outerjoin(_CHIPS, _CHIPS.c.hand == Hand.key)
    .where(IS_PUBLIC)
    .group_by(Hand.player_id, Hand.game, Hand.variant, _OUTCOME)
    .union_all(
        select(
            RoundSeat.player_id,
            TableRound.game,
            TableRound.variant,
            _SEAT_OUTCOME,
            func.count(),
            func.coalesce(func.sum(_AT_TABLES.c.staked), 0),
            func.coalesce(func.sum(_AT_TABLES.c.returned), 0),
        )
        .join(TableRound, TableRound.key == RoundSeat.round_key)
        .outerjoin(
            _AT_TABLES,
            (_AT_TABLES.c.round == RoundSeat.round_key) & (_AT_TABLES.c.player == RoundSeat.player_id),
        )
        .where(RoundSeat.finished_at.is_not(None))
        .group_by(RoundSeat.player_id, TableRound.game, TableRound.variant, _SEAT_OUTCOME)
    )
)
"""Outcomes of all that is over, counted from the hands and rounds themselves, as ``OutcomeStatistics`` keeps them."""


def wrong_counters() -> Iterator[tuple[str, str]]:
    """Return players whose counters are not what their finished hands and rounds add up to, and how they differ."""
    kept = {
        (row.player_id, row.game, row.variant, row.outcome): (row.hands, row.staked, row.returned)
        for row in db.session.scalars(select(OutcomeStatistics))
    }
    sums = {tuple(key): (count, int(staked), int(back)) for *key, count, staked, back in db.session.execute(_COUNTED)}
    for gone in db.session.scalars(select(PrunedCount).where(PrunedCount.outcome != UNDEALT)):
        key = (gone.player_id, gone.game, gone.variant, gone.outcome)
        hands, staked, returned = sums.get(key, (0, 0, 0))
        sums[key] = (hands + gone.hands, staked + gone.staked, returned + gone.returned)
    for key in sorted(kept.keys() | sums.keys()):
        if kept.get(key) != sums.get(key):
            player, game, variant, outcome = key
            said, is_so = kept.get(key, (0, 0, 0)), sums.get(key, (0, 0, 0))
            yield player, f"counts {said} of {game}/{variant} {outcome}, the hands say {is_so}"


def check_hand(hand: Hand) -> Iterator[str]:
    """Check a hand: its row by itself, its seed, its replay, and its chips."""
    yield from _facts(hand)
    if hand.cut is None:
        return
    try:
        seed = hand_seed(hand, {})
    except Refusal:
        if hand.kind != PLAY:
            return  # there is a finding for what has its cards
        yield "has a sealed seed that no key here opens"
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
    due = hand.status not in OPEN and hand.cut is not None and seed_owner(hand) is hand
    if (hand.revealed_seed is not None) != due and not _given_up(hand):
        yield f"is {hand.status}, and its seed is {'hidden' if hand.revealed_seed is None else 'revealed'}"
    if is_prepared(hand) and (hand.status != "ready" or hand.cut is not None):
        yield f"is {hand.status} and has no number"
    if hand.cut is None and (hand.status == "live" or hand.moves):
        yield "is played without a cut"
    day = hand.daily_deal.day if hand.daily_deal else None
    if hand.kind == DAILY and day is not None and not starts_at(day) <= hand.created_at < closes_at(day):
        yield "was begun on another day"
    if hand.original is not None and hand.original.finished_at is None:
        yield "is of a hand that is not over"
    if hand.original is not None and hand.original.player_id == hand.player_id and hand.kind != AGAIN:
        yield "counts, though its player knew the cards"


def _end(hand: Hand, state: Any) -> Iterator[str]:
    """Check end and chips against the rules."""
    game = hand_game(hand)
    if hand.status == "void":
        yield from _chips(hand, 0, 0)
        return
    result = game.result(state)
    payouts = None if result is None else join_numbers(result.payouts)
    if payouts != hand.payouts:
        yield f"pays {payouts} by the rules, {hand.payouts} by the books"
    if (result is not None) != (hand.status == "done"):
        yield f"is {hand.status}, but its replay says otherwise"
    if hand.kind == PLAY:
        payout = sum(result.payouts) - unpaid_of(hand, state) if result else 0
        yield from _chips(hand, sum(game.committed(state)), payout)
        return
    net = None if result is None else net_of(game, hand.variant, state)
    if net != hand.net:
        yield f"wins {net} by the rules, {hand.net} by the books"
    yield from _chips(hand, 0, 0)


def _chips(hand: Hand, committed: int, payout: int) -> Iterator[str]:
    """Check the ledger entries of a hand. A payout may be smaller only if it has filled the purse to the ceiling.

    The row of an older hand does not say how much was not paid.
    """
    entries = db.session.scalars(select(LedgerEntry).where(LedgerEntry.hand_key == hand.key)).all()
    paid = next((entry for entry in entries if entry.reason == "payout"), None)
    filling = paid if paid is not None and paid.balance_after == CEILING else None
    if filling is not None and hand.net is None:
        payout = min(payout, filling.amount)
    if hand.kind == PLAY and hand.net is not None and filling is None:
        yield "says that a purse was full which was not"
    booked, due = sum(entry.amount for entry in entries), payout - committed
    if booked != due:
        yield f"has ledger entries of {booked} where {due} is due"


def check_shoe(shoe: Shoe) -> Iterator[str]:
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
            if hand.status != "void":  # it has used no cards
                at = hand.offset + hand_game(hand).dealt(state)[0]


def _given_up(owner: Hand | Shoe) -> bool:
    """Return True if it ended while no key opened it: the sealed seed stays, in case the key comes back."""
    ended = owner.closed_at if isinstance(owner, Shoe) else owner.finished_at
    return ended is not None and owner.revealed_seed is None and owner.sealed_seed is not None


def check_numbers() -> Iterator[Finding]:
    """Check that the hands of each player and game are numbered without gaps, and the purse knows the last number.

    Hands that were pruned are counted in their place.
    """
    pruned = {
        (player, game): count
        for player, game, count in db.session.execute(
            select(PrunedCount.player_id, PrunedCount.game, func.sum(PrunedCount.hands)).group_by(
                PrunedCount.player_id, PrunedCount.game
            )
        )
    }
    counted = (
        select(Hand.player_id, Hand.game, func.count(), func.min(Hand.seq), func.max(Hand.seq), Purse.hands)
        .outerjoin(Purse, (Purse.player_id == Hand.player_id) & (Purse.game == Hand.game))
        .where(Hand.seq != UNNUMBERED)
        .group_by(Hand.player_id, Hand.game, Purse.hands)
    )
    for player, game, count, first, last, known in db.session.execute(counted):
        gone = int(pruned.get((player, game), 0))
        whole = (first, last) == (1, count) if not gone else 1 <= (first or 0) <= (last or 0) <= count + gone
        if known != count + gone or not whole:
            kept = f", {gone} were pruned" if gone else ""
            yield Finding(
                f"player {player}", f"has {count} hands of {game}, numbered {first} to {last}, of {known}{kept}"
            )
