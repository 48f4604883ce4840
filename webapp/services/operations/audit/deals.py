"""The audit of practice hands and daily deals: commitments are kept, and every hand is replayed."""

from collections.abc import Iterator

from webapp.engine.errors import EngineError
from webapp.engine.shuffling import commitment
from webapp.models import AGAIN, DAILY, DailyDeal, Hand, PracticeHand
from webapp.services.core.clock import now_ms
from webapp.services.core.days import closes_at, day_of, starts_at
from webapp.services.core.errors import Refusal
from webapp.services.records.stored_hand import join_numbers
from webapp.services.records.stored_practice import day_of_row, net_of, practice_replay, seed_of, source_of


def check_daily_deal(deal: DailyDeal) -> Iterator[str]:
    """Check that the seed opens the commitment, that it was public in time, and that it was not opened early."""
    if deal.key != f"{deal.day}-{deal.game}":
        yield f"is of {deal.day} and {deal.game}"
    if day_of(deal.published_at) > deal.day:
        yield "was published after its day"
    if deal.revealed_seed is not None and now_ms() < closes_at(deal.day):
        yield "was opened before its day was over"
    try:
        seed = seed_of(deal)
    except Refusal:
        yield "has a sealed seed that no key here opens"
        return
    if commitment(seed, deal.key) != deal.commitment:
        yield "has a seed that does not open its commitment"


def check_practice_hand(row: PracticeHand) -> Iterator[str]:
    """Check a practice hand: its row by itself, and its replay."""
    source = source_of(row)
    if row.step != len(row.moves.split()):
        yield f"step is {row.step}, but there are {len(row.moves.split())} moves"
    day = day_of_row(row)
    if row.kind == DAILY and day is not None and not starts_at(day) <= row.created_at < closes_at(day):
        yield "was begun on another day"
    if isinstance(source, Hand):
        if source.finished_at is None:
            yield "is of a hand that is not over"
        if source.player_id == row.player_id and row.kind != AGAIN:
            yield "counts, though its player knew the cards"
    try:
        replay = practice_replay(row)
    except Refusal:
        return  # there is a finding for what has its cards
    except (EngineError, KeyError) as error:
        yield f"does not replay: {error}"
        return
    payouts = None if replay.result is None else join_numbers(replay.result.payouts)
    net = None if replay.result is None else net_of(replay.game, row.variant, replay.last)
    if (payouts, net) != (row.payouts, row.net):
        yield f"pays {payouts} by the rules, {row.payouts} by the books"
    if (replay.result is not None) != (row.status == "done"):
        yield f"is {row.status}, but its replay says otherwise"
