"""Simulation jobs: begun, looked at, stopped. They wait in ``queue``, and ``supervisor`` has them played."""

import hashlib
import json
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Final, Self

from sqlalchemy import select, update

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import BlackjackRules, parse_rules
from webapp.engine.shuffling import is_word
from webapp.engine.simulation.bankroll_paths import TripPlan
from webapp.engine.simulation.bet_ramp import BetRamp
from webapp.engine.simulation.experiment import CHUNK
from webapp.engine.simulation.statistics import Statistics
from webapp.engine.simulation.strategy_by_name import require_name
from webapp.engine.simulation.strategy_csv import loads
from webapp.engine.twenty_one.counting import CountingSystem, Rounding
from webapp.extensions import db
from webapp.models import UNFINISHED, LabJob
from webapp.services.core.clock import now_ms
from webapp.services.core.database import one_at_a_time, writing
from webapp.services.core.errors import Refusal
from webapp.services.lab import queue
from webapp.services.lab.pool import ExperimentWords

UPLOADED_CHART: Final = "sheet"
"""Public name of the strategy of an uploaded chart."""


@dataclass(frozen=True, slots=True)
class ScenarioRequest:
    """A scenario that somebody asks for; ``chart`` is the text of an uploaded strategy, named UPLOADED_CHART."""

    variant: str
    strategy: str
    chart: str | None = None

    @property
    def rules(self) -> BlackjackRules:
        """The rules of the table."""
        return parse_rules(self.variant)

    def require_valid(self) -> None:
        """Check the request before it is stored, without computing the strategy.

        Raises:
            SetupError: there are no such rules, or there is no such strategy.
            StrategyCsvError: the chart cannot be read.
        """
        parse_rules(self.variant)
        if self.chart is None:
            require_name(self.strategy)
        else:
            loads(self.chart)


@dataclass(frozen=True, slots=True)
class CountingRequest:
    """How the player of a scenario counts, bets and plays.

    system: a word, as ``CountingSystem`` reads it. ramps: one, or two that are held against the same rounds, as
    ``BetRamp`` reads them. index_plays: leaves the strategy, and insures, at the index numbers of the table. bankroll:
    in units. trip: in rounds. boxes: how many are played, each with the bet of the ramp. leave: the
    count at which the player leaves for a new shoe, None for one who stays. rounding: of true counts.
    """

    system: str
    ramps: tuple[str, ...]
    index_plays: bool = False
    bankroll: int = 1000
    trip: int = 1000
    boxes: int = 1
    leave: int | None = None
    rounding: Rounding = "floor"

    @property
    def bet_ramps(self) -> tuple[BetRamp, ...]:
        """The ramps.

        Raises:
            SetupError: there is no such ramp.
        """
        return tuple(map(BetRamp.parse, self.ramps))

    @property
    def is_balanced(self) -> bool:
        """The player counts by a system that has true counts."""
        return CountingSystem.parse(self.system).is_balanced

    def require_valid(self) -> None:
        """Check the request before it is stored.

        Raises:
            SetupError: there is no such system, or no such ramp.
        """
        CountingSystem.parse(self.system)
        if not self.bet_ramps:
            raise SetupError("nothing is bet by the count")

    def as_text(self) -> str:
        """Return what ``from_text`` reads."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read it as it is stored."""
        fields = json.loads(text)
        return cls(**fields | {"ramps": tuple(fields["ramps"])})


@dataclass(frozen=True, slots=True)
class JobRequest:
    """An experiment that somebody asks for; with an ``other`` scenario it is a comparison."""

    scenario: ScenarioRequest
    rounds: int
    seed: int
    bet: int = 10
    other: ScenarioRequest | None = None
    counting: CountingRequest | None = None

    @property
    def scenarios(self) -> tuple[ScenarioRequest, ...]:
        """The scenario, or both of them."""
        return (self.scenario,) if self.other is None else (self.scenario, self.other)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is now; ``place`` is the number of jobs before it in the queue, None once it is finished."""

    key: str
    request: JobRequest
    chunk: int
    status: str
    statistics: Statistics
    seconds: float
    interrupted: int
    stopping: bool
    created_at: int
    place: int | None
    is_own: bool

    @property
    def finished(self) -> bool:
        """True if it is done, stopped or failed."""
        return self.status not in UNFINISHED

    @property
    def rounds_per_second(self) -> float:
        """Speed so far, 0 before anything is counted."""
        return self.statistics.rounds / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Time that the remaining rounds take at the speed so far."""
        speed = self.rounds_per_second
        return (self.request.rounds - self.statistics.rounds) / speed if speed else None


def is_equipped() -> bool:
    """Return True if NumPy is installed (the extra ``lab``)."""
    return find_spec("numpy") is not None


def begin(player: str, nonce: str, request: JobRequest) -> str:
    """Store a job, which then waits for its turn, and return its key.

    The same nonce of the same player gives the same job, which is begun once.

    Raises:
        SetupError: there are no such rules, or there is no such strategy.
        StrategyCsvError: a chart cannot be read.
        Refusal: ``bad-nonce``, or the queue has no place for it.
    """
    if not is_word(nonce):
        raise Refusal("bad-nonce", nonce[:80])
    for part in (*request.scenarios, *([request.counting] if request.counting else ())):
        part.require_valid()
    key = hashlib.sha256(f"{player}:{nonce}".encode()).hexdigest()[:16]
    with writing() as session:
        one_at_a_time("lab")
        if session.get(LabJob, key) is not None:
            return key
        queue.put_in(_row(key, player, request))
    return key


def _row(key: str, player: str, request: JobRequest) -> LabJob:
    other = request.other
    return LabJob(
        key=key,
        player_id=player,
        variant=request.scenario.variant,
        strategy=request.scenario.strategy,
        chart=request.scenario.chart,
        other_variant=other and other.variant,
        other_strategy=other and other.strategy,
        other_chart=other and other.chart,
        counting=request.counting and request.counting.as_text(),
        rounds=request.rounds,
        seed=request.seed,
        bet=request.bet,
        chunk=CHUNK,
        status="waiting",
        created_at=now_ms(),
    )


def job_for(key: str, player: str | None) -> Job:
    """Return a job for anybody who has its key.

    Raises:
        Refusal: ``run-not-found``.
    """
    row = db.session.get(LabJob, key) if is_word(key) and len(key) <= 16 else None
    if row is None:
        raise Refusal("run-not-found")
    return _job(row, player, queue.keys_in_turn() if row.status in UNFINISHED else [])


def stop(player: str | None, key: str) -> None:
    """End a job of this player, and keep its statistics so far. A job that is finished stays as it is.

    Raises:
        Refusal: ``run-not-found``.
    """
    if not is_word(key):
        raise Refusal("run-not-found")
    with writing() as session:
        is_theirs = (LabJob.key == key, LabJob.player_id == player)
        if session.scalars(select(LabJob.key).where(*is_theirs)).one_or_none() is None:
            raise Refusal("run-not-found")
        session.execute(update(LabJob).where(*is_theirs, LabJob.status.in_(UNFINISHED)).values(stop_requested=True))
        # no supervisor has the waiting job, so it ends here
        waiting = update(LabJob).where(*is_theirs, LabJob.status == "waiting")
        session.execute(waiting.values(status="stopped", finished_at=now_ms()))
    db.session.expire_all()


def latest_jobs(player: str | None, most: int) -> tuple[Job, ...]:
    """Return the latest jobs of a player, newest first."""
    if player is None:
        return ()
    latest = select(LabJob).where(LabJob.player_id == player).order_by(LabJob.created_at.desc(), LabJob.key).limit(most)
    order = queue.keys_in_turn()
    return tuple(_job(row, player, order) for row in db.session.scalars(latest))


def words_of(row: LabJob) -> ExperimentWords:
    """Return the experiment of a job in words, but for the index numbers of its table."""
    counting = counting_of(row)
    return ExperimentWords(
        *(row.variant, row.strategy, row.chart),
        *(row.other_variant, row.other_strategy, row.other_chart),
        *(row.rounds, row.seed, row.bet, row.chunk),
        system=counting.system if counting else None,
        boxes=counting.boxes if counting else 1,
        leave=counting.leave if counting else None,
        rounding=counting.rounding if counting else "floor",
        trips=TripPlan(counting.bet_ramps, counting.bankroll, counting.trip) if counting else None,
    )


def counting_of(row: LabJob) -> CountingRequest | None:
    """Return how the player of a job counts; None for one who does not."""
    return CountingRequest.from_text(row.counting) if row.counting else None


def statistics_of(row: LabJob) -> Statistics:
    """Return the statistics of a job so far."""
    if not row.statistics:
        counting = counting_of(row)
        return Statistics.empty(row.bet * (counting.boxes if counting else 1), 3 if row.other_variant else 1)
    return Statistics.from_json(json.loads(row.statistics))


def dump_statistics(statistics: Statistics) -> str:
    """Return the text that ``statistics_of`` reads."""
    return json.dumps(statistics.as_json(), separators=(",", ":"))


def _job(row: LabJob, player: str | None, order: list[str]) -> Job:
    scenario, other = ScenarioRequest(row.variant, row.strategy, row.chart), None
    if row.other_variant:
        other = ScenarioRequest(row.other_variant, row.other_strategy or "", row.other_chart)
    return Job(
        key=row.key,
        request=JobRequest(scenario, row.rounds, row.seed, row.bet, other, counting_of(row)),
        chunk=row.chunk,
        status=row.status,
        statistics=statistics_of(row),
        seconds=row.seconds,
        interrupted=row.interrupted,
        stopping=row.stop_requested and row.status in UNFINISHED,
        created_at=row.created_at,
        place=order.index(row.key) if row.key in order else None,
        is_own=player is not None and row.player_id == player,
    )
