"""The queue of unfinished jobs: a job is put in, if there is a place for it, and has its turns."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import delete, exists, func, select

from webapp.extensions import db
from webapp.models import UNFINISHED, LabJob
from webapp.services.core.errors import Refusal

MOST_OWN: Final = 3
"""Most unfinished jobs of one player."""
MOST_LONG: Final = 40
"""Most unfinished jobs of more than SHORT rounds, of all players."""
MOST_ALL: Final = 60
"""Most unfinished jobs of any length, of all players."""
SHORT: Final = 1_000_000
"""Rounds that are played in one turn.

Somebody who comes as ever new players fills the places of the long jobs and not those of the short ones, which are free
again sooner than one address may take them.
"""


AT_ONCE: Final = 100
"""Jobs that one request removes at most."""
MOST_KEPT_OWN: Final = 100
"""Finished jobs that are kept of one player: who begins more loses the oldest."""
MOST_KEPT: Final = 20_000
"""Finished jobs that are kept of all players; with an uploaded chart one takes up to 16 KB."""


def put_in(job: LabJob) -> None:
    """Put a job into the queue, within ``writing``, if there is a place for it.

    Raises:
        Refusal: ``lab-too-many``, ``lab-busy`` or ``lab-busy-long``.
    """
    require_place(job.player_id, job.rounds)
    make_room(job.player_id)
    db.session.add(job)


def make_room(player: str) -> None:
    """Remove the oldest finished jobs beyond those that are kept, within ``writing``."""
    finished = select(LabJob.key).where(LabJob.status.not_in(UNFINISHED))
    newest_first = finished.order_by(LabJob.created_at.desc(), LabJob.key)
    for beyond in (
        newest_first.where(LabJob.player_id == player).offset(MOST_KEPT_OWN - 1),
        newest_first.offset(MOST_KEPT - 1),
    ):
        keys = db.session.scalars(beyond.limit(AT_ONCE)).all()
        if keys:
            db.session.execute(delete(LabJob).where(LabJob.key.in_(keys)))


def require_place(player: str, rounds: int) -> None:
    """Check that there is a place for one more job of this player.

    Raises:
        Refusal: ``lab-too-many``, ``lab-busy`` or ``lab-busy-long``.
    """
    unfinished = select(func.count()).select_from(LabJob).where(LabJob.status.in_(UNFINISHED))
    if db.session.scalars(unfinished.where(LabJob.player_id == player)).one() >= MOST_OWN:
        raise Refusal("lab-too-many")
    if db.session.scalars(unfinished).one() >= MOST_ALL:
        raise Refusal("lab-busy")
    if rounds > SHORT and db.session.scalars(unfinished.where(LabJob.rounds > SHORT)).one() >= MOST_LONG:
        raise Refusal("lab-busy-long")


def is_empty() -> bool:
    """Return True if no job is unfinished."""
    return not db.session.scalar(select(exists().where(LabJob.status.in_(UNFINISHED))))


def keys_in_turn() -> list[str]:
    """Return the keys of all unfinished jobs in the order of their turns."""
    columns = (LabJob.key, LabJob.player_id, LabJob.last_turn, LabJob.created_at)
    rows = db.session.execute(select(*columns).where(LabJob.status.in_(UNFINISHED))).all()
    return in_turn((row.key, row.player_id, row.last_turn, row.created_at) for row in rows)


def in_turn(jobs: Iterable[tuple[str, str, int, int]]) -> list[str]:
    """Sort jobs, given as key, player, number of the last turn and time of creation; return their keys.

    Players take turns, so that one with three jobs waits as long as one with one: the first job of each player, the
    player whose turn is longest ago before the others, then the second job of each.
    """
    by_age = sorted(jobs, key=lambda job: (job[3], job[0]))
    last_turns = {player: max(job[2] for job in by_age if job[1] == player) for _, player, _, _ in by_age}
    jobs_before: dict[str, int] = {}
    ranked = []
    for key, player, _, created_at in by_age:
        rank = jobs_before.get(player, 0)
        jobs_before[player] = rank + 1
        ranked.append((rank, last_turns[player], created_at, key))
    return [key for *_, key in sorted(ranked)]
