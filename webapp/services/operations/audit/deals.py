"""The audit of daily deals: their commitments are kept."""

from collections.abc import Iterator

from webapp.engine.shuffling import commitment
from webapp.models import DailyDeal
from webapp.services.core.clock import now_ms
from webapp.services.core.days import closes_at, day_of
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import unseal_seed


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
