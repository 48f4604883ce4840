"""The audit: replays every stored hand and round, adds up every ledger, and lists all differences."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from sqlalchemy import select

from webapp.extensions import db
from webapp.models import DailyDeal, Hand, SharedTable, Shoe, TableRound
from webapp.services.core.transaction import reading_as_of_now
from webapp.services.operations.audit import deals, purses, shared, solo
from webapp.services.operations.audit.finding import BATCH, Finding
from webapp.services.operations.audit.outcome_counts import wrong_counters

Row = TypeVar("Row", Hand, Shoe, TableRound, SharedTable, DailyDeal)


def audit() -> Iterator[Finding]:
    """Return all findings. Only reads, within one consistent snapshot."""
    with reading_as_of_now(as_long_as_it_takes=True):
        yield from _rows(Hand, lambda hand: f"hand {hand.key}", solo.check_hand)
        yield from _rows(Shoe, lambda shoe: f"shoe {shoe.key}", solo.check_shoe)
        yield from _rows(TableRound, lambda round: f"round {round.key}", shared.check_round)
        yield from solo.check_numbers()
        yield from _rows(DailyDeal, lambda deal: f"daily deal {deal.key}", deals.check_daily_deal)
        for player, what in wrong_counters():
            yield Finding(f"player {player}", what)
        yield from _rows(SharedTable, lambda table: f"table {table.code}", shared.check_table)
        yield from shared.check_numbers()
        yield from purses.check_purses()


def _rows(model: type[Row], where: Callable[[Row], str], check: Callable[[Row], Iterator[str]]) -> Iterator[Finding]:
    """Return the findings about all rows of a model."""
    for row in db.session.scalars(select(model).execution_options(yield_per=BATCH)):
        for what in check(row):
            yield Finding(where(row), what)
