"""``prune``: delete what is older than the settings ``keep_*`` of ``webapp.config`` allow. Finished hands stay."""

from dataclasses import dataclass

from sqlalchemy import delete
from sqlalchemy.engine import CursorResult

from webapp.config import Config
from webapp.models import AGAIN, Hand, LabJob
from webapp.services import sign_in_links
from webapp.services.core.clock import DAY, now_ms, was_set_forward
from webapp.services.core.transaction import writing
from webapp.services.operations.retention.newcomers import prune_newcomers
from webapp.services.operations.retention.tables import prune_tables


@dataclass(frozen=True, slots=True)
class Pruned:
    """Numbers of rows of each kind that were taken away."""

    tables: int = 0
    newcomers: int = 0
    lab_jobs: int = 0
    practice_hands: int = 0


def prune(config: Config, now: int) -> Pruned:
    """Take away what is older than the settings say. Safe while people play, and to be broken off at any moment.

    The order matters: a player whose table or job is gone may be a newcomer.
    """

    def before(days: int) -> int:
        return now - days * DAY if days else 0

    old = before(config.keep_days)
    tables = prune_tables(old) if old else 0
    jobs = _prune_jobs(old) if old else 0
    practised = _prune_practice(old) if old else 0
    sign_in_links.delete_expired(now)
    newcomers = prune_newcomers(old) if old else 0
    return Pruned(tables, newcomers, jobs, practised)


def prune_by_timer(config: Config) -> None:
    """Take away the same, unless the time of day may be wrong."""
    if not was_set_forward():
        prune(config, now_ms())


def _prune_jobs(before: int) -> int:
    with writing() as session:
        result = session.execute(delete(LabJob).where(LabJob.finished_at < before))
        assert isinstance(result, CursorResult)
        return int(result.rowcount)


def _prune_practice(before: int) -> int:
    """Take away hands that were played again by who knew the cards. A first try counts among those of the others."""
    with writing() as session:
        old = delete(Hand).where(Hand.kind == AGAIN, Hand.finished_at < before)
        result = session.execute(old)
        assert isinstance(result, CursorResult)
        return int(result.rowcount)
