"""Runs of the lab: begun, looked at, stopped. They are played by workers of their own, see ``labour``."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from sqlalchemy import func, select, update

from webapp.engine.games.blackjack.rules import parse_rules
from webapp.engine.shuffling import is_word
from webapp.engine.simulation.experiment import CHUNK, Experiment, make_scenario
from webapp.engine.simulation.statistics import Statistics
from webapp.engine.simulation.strategies import require_name
from webapp.engine.simulation.strategy_csv import loads
from webapp.extensions import db
from webapp.models import UNFINISHED, LabJob
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import one_at_a_time, writing

UPLOADED_CHART: Final = "sheet"
"""What is called the strategy of who brings a table of one's own."""

MOST_OWN: Final = 3
MOST_LONG: Final = 40
MOST_ALL: Final = 60
"""How many unfinished runs one visitor may have, how many all together of long ones, and of any."""
SHORT: Final = 1_000_000
"""Rounds that are played in one turn. Whoever keeps coming as somebody new fills the places of the long runs, not those
of the short: these are free again sooner than one address may take them."""


@dataclass(frozen=True, slots=True)
class ScenarioRequest:
    """One side as it is asked for. ``sheet`` is the text of an uploaded strategy; its name is then OWN_SHEET."""

    table: str
    strategy: str
    sheet: str | None = None

    def require(self) -> None:
        """SetupError, SheetError: before anything is stored. What is expensive to make is made by the workers."""
        parse_rules(self.table)
        if self.sheet is None:
            require_name(self.strategy)
        else:
            loads(self.sheet)


@dataclass(frozen=True, slots=True)
class JobRequest:
    """What is to be simulated; with an ``other``, compared."""

    choice: ScenarioRequest
    rounds: int
    seed: int
    bet: int = 10
    other: ScenarioRequest | None = None

    @property
    def choices(self) -> tuple[ScenarioRequest, ...]:
        return (self.choice,) if self.other is None else (self.choice, self.other)


@dataclass(frozen=True, slots=True)
class Job:
    """A run as it is now. ``place``: how many are served before it comes to its turn, None once it is finished."""

    key: str
    wish: JobRequest
    chunk: int
    status: str
    count: Statistics
    seconds: float
    interrupted: int
    stopping: bool
    created_at: int
    place: int | None
    is_mine: bool

    @property
    def finished(self) -> bool:
        return self.status not in UNFINISHED

    @property
    def share(self) -> float:
        return self.count.rounds / self.wish.rounds

    @property
    def rounds_per_second(self) -> float:
        return self.count.rounds / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        speed = self.rounds_per_second
        return (self.wish.rounds - self.count.rounds) / speed if speed else None


def is_equipped() -> bool:
    """Whether NumPy is installed (the extra ``lab``)."""
    return find_spec("numpy") is not None


def begin(player: str, nonce: str, wish: JobRequest) -> str:
    """The key of a run that waits for its turn. The same player's same nonce is the same run: it is begun once.

    SetupError, SheetError for what cannot be simulated; Refusal ``lab-too-many``, ``lab-busy``, ``lab-busy-long``,
    ``bad-nonce``.
    """
    if not is_word(nonce):
        raise Refusal("bad-nonce", nonce[:80])
    for choice in wish.choices:
        choice.require()
    key = hashlib.sha256(f"{player}:{nonce}".encode()).hexdigest()[:16]
    with writing() as session:
        one_at_a_time("lab")
        if session.get(LabJob, key) is not None:
            return key
        unfinished = select(func.count()).select_from(LabJob).where(LabJob.status.in_(UNFINISHED))
        if session.scalars(unfinished.where(LabJob.player_id == player)).one() >= MOST_OWN:
            raise Refusal("lab-too-many")
        if session.scalars(unfinished).one() >= MOST_ALL:
            raise Refusal("lab-busy")
        is_long = wish.rounds > SHORT
        if is_long and session.scalars(unfinished.where(LabJob.rounds > SHORT)).one() >= MOST_LONG:
            raise Refusal("lab-busy-long")
        session.add(_row(key, player, wish))
    return key


def _row(key: str, player: str, wish: JobRequest) -> LabJob:
    other = wish.other
    return LabJob(
        key=key,
        player_id=player,
        table=wish.choice.table,
        strategy=wish.choice.strategy,
        sheet=wish.choice.sheet,
        other_table=other and other.table,
        other_strategy=other and other.strategy,
        other_sheet=other and other.sheet,
        rounds=wish.rounds,
        seed=wish.seed,
        bet=wish.bet,
        chunk=CHUNK,
        status="waiting",
        created_at=now_ms(),
    )


def job_for(key: str, player: str | None) -> Job:
    """Anybody with the link may look. Refusal ``run-not-found``."""
    row = db.session.get(LabJob, key) if is_word(key) and len(key) <= 16 else None
    if row is None:
        raise Refusal("run-not-found")
    return _run(row, player, queue() if row.status in UNFINISHED else [])


def stop(player: str | None, key: str) -> None:
    """Ask the workers to end a run of this player. What was counted is kept; one that has ended stays as it is."""
    if not is_word(key):
        raise Refusal("run-not-found")
    with writing() as session:
        mine = (LabJob.key == key, LabJob.player_id == player)
        if session.scalars(select(LabJob.key).where(*mine)).one_or_none() is None:
            raise Refusal("run-not-found")
        asked = update(LabJob).where(*mine, LabJob.status.in_(UNFINISHED)).values(stop_asked=True)
        session.execute(asked)
        # nobody is at it: there is nothing to wait for
        waits = update(LabJob).where(*mine, LabJob.status == "waiting")
        session.execute(waits.values(status="stopped", finished_at=now_ms()))
    db.session.expire_all()


def latest_jobs(player: str | None, most: int) -> tuple[Job, ...]:
    """Of this player, newest first."""
    if player is None:
        return ()
    mine = select(LabJob).where(LabJob.player_id == player).order_by(LabJob.created_at.desc(), LabJob.key).limit(most)
    order = queue()
    return tuple(_run(row, player, order) for row in db.session.scalars(mine))


def queue() -> list[str]:
    """Keys of all unfinished runs, in the order in which they come to their turn.

    By turns among the players, so that who has begun three waits no less than who has begun one: the first run of each,
    whoever was served longest ago before the others, then the second of each.
    """
    columns = (LabJob.key, LabJob.player_id, LabJob.served, LabJob.created_at)
    rows = db.session.execute(select(*columns).where(LabJob.status.in_(UNFINISHED))).all()
    return in_turn((row.key, row.player_id, row.served, row.created_at) for row in rows)


def in_turn(runs: Iterable[tuple[str, str, int, int]]) -> list[str]:
    """``runs``: key, player, number of the last turn, when begun."""
    listed = sorted(runs, key=lambda run: (run[3], run[0]))
    served = {player: max(run[2] for run in listed if run[1] == player) for _, player, _, _ in listed}
    before: dict[str, int] = {}
    ranked = []
    for key, player, _, created in listed:
        rank = before.get(player, 0)
        before[player] = rank + 1
        ranked.append((rank, served[player], created, key))
    return [key for *_, key in sorted(ranked)]


def experiment_of(row: LabJob) -> Experiment:
    """With strategies computed where they are: for the workers."""
    other = make_scenario(row.other_table, row.other_strategy or "", row.other_sheet) if row.other_table else None
    side = make_scenario(row.table, row.strategy, row.sheet)
    return Experiment(side, row.rounds, row.seed, row.bet, row.chunk, other)


def statistics_of(row: LabJob) -> Statistics:
    if not row.counted:
        return Statistics.empty(row.bet, 3 if row.other_table else 1)
    return Statistics.from_json(json.loads(row.counted))


def dump_statistics(count: Statistics) -> str:
    """What ``count_of`` reads."""
    return json.dumps(count.as_json(), separators=(",", ":"))


def _run(row: LabJob, player: str | None, order: list[str]) -> Job:
    other = ScenarioRequest(row.other_table, row.other_strategy or "", row.other_sheet) if row.other_table else None
    return Job(
        key=row.key,
        wish=JobRequest(ScenarioRequest(row.table, row.strategy, row.sheet), row.rounds, row.seed, row.bet, other),
        chunk=row.chunk,
        status=row.status,
        count=statistics_of(row),
        seconds=row.seconds,
        interrupted=row.interrupted,
        stopping=row.stop_asked and row.status in UNFINISHED,
        created_at=row.created_at,
        place=order.index(row.key) if row.key in order else None,
        is_mine=player is not None and row.player_id == player,
    )
