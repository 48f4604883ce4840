"""Answers of the lab: simulations, their statistics, and the exercise. Money is in units of the bet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from flask import url_for

from webapp.engine.cards import Card
from webapp.engine.simulation.exercise_chances import Expected
from webapp.engine.simulation.exercise_play import Exercise, GamePlayed
from webapp.engine.simulation.statistics import Moments, RoundStatistics, Statistics
from webapp.services.lab.jobs import CountingRequest, Job
from webapp.web.api.prospects_answers import BetsByCountAnswer, CountedRoundsAnswer, GainAnswer, ProspectsAnswer
from webapp.web.api.serialize import ABSENT, Absent, answer_from


@dataclass(frozen=True, slots=True)
class NetAnswer:
    """Number of rounds with a certain result."""

    net: Annotated[float, "Won or lost."]
    rounds: Annotated[int, "Number of rounds."]
    share: Annotated[float, "Share of all rounds."]


@dataclass(frozen=True, slots=True)
class EstimateAnswer:
    """The estimate after a number of rounds."""

    rounds: Annotated[int, "Number of rounds."]
    mean: Annotated[float, "Mean of a round."]
    standard_error: Annotated[float, "Standard error of the mean."]

    @classmethod
    def of(cls, moments: Moments, bet: int) -> "EstimateAnswer":
        """Return the estimate of moments that are in chips."""
        return cls(moments.rounds, moments.mean / bet, moments.standard_error / bet)


@dataclass(frozen=True, kw_only=True)
class StatisticsAnswer:
    """Statistics of simulated rounds."""

    rounds: Annotated[int, "Number of rounds played."]
    mean: Annotated[float, "Mean of a round."]
    standard_error: Annotated[float, "Standard error of the mean."]
    interval95: Annotated[tuple[float, float], "95 % confidence interval of the mean."]
    standard_deviation: Annotated[float, "Standard deviation of a round."]
    rates: Annotated[Mapping[str, float], "Mean number of naturals, doubles, splits ... in a round."]
    distribution: Annotated[tuple[NetAnswer, ...], "Distribution of the result of a round."]

    @classmethod
    def of_rounds(cls, statistics: RoundStatistics) -> "StatisticsAnswer":
        """Return the answer that describes the statistics of one scenario, or of a difference."""
        return cls(**_statistics(statistics))


@dataclass(frozen=True, kw_only=True)
class SimulationAnswer(StatisticsAnswer):
    """Statistics of a simulation so far; for a comparison those of its first scenario."""

    asked: Annotated[int, "Number of rounds requested."]
    rounds_per_second: Annotated[float, "Speed."]
    other: Annotated[StatisticsAnswer | Absent, "Only for comparisons: statistics of the second scenario."] = ABSENT
    difference: Annotated[StatisticsAnswer | Absent, "Only for comparisons: first minus second, by round."] = ABSENT
    convergence: Annotated[
        tuple[EstimateAnswer, ...], "Estimates in the course of the simulation, or of the difference."
    ]

    @classmethod
    def of_simulation(cls, asked: int, statistics: Statistics, seconds: float) -> "SimulationAnswer":
        """Return the answer that describes a simulation with at least one round."""
        return cls(**_simulation(asked, statistics, seconds))


@dataclass(frozen=True, kw_only=True)
class JobAnswer:
    """A simulation without results yet."""

    run: Annotated[str, "Key of the simulation."]
    status: Annotated[str, "`waiting`, `running`, `done`, `stopped` or `failed`."]
    place: Annotated[int | None, "Number of jobs before it in the queue; null once it is finished."]
    interrupted: Annotated[int, "How often it was interrupted and continued."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    strategy: Annotated[str, "Name of the strategy; `sheet` for an uploaded one."]
    other_table: Annotated[str | Absent, "Only for comparisons: the second table."] = ABSENT
    other_strategy: Annotated[str | Absent, "Only for comparisons: the second strategy."] = ABSENT
    count: Annotated[str | Absent, "Only for a player who counts: the system."] = ABSENT
    ramp: Annotated[str | Absent, "Only for a player who counts: bets by the count."] = ABSENT
    other_ramp: Annotated[str | Absent, "A second ramp, held against the same rounds."] = ABSENT
    index_plays: Annotated[bool | Absent, "Only for a player who counts: plays by index numbers, too."] = ABSENT
    bankroll: Annotated[int | Absent, "Only for a player who counts: units."] = ABSENT
    trip: Annotated[int | Absent, "Only for a player who counts: rounds."] = ABSENT
    boxes: Annotated[int | Absent, "Only for a player who counts: boxes that are played."] = ABSENT
    rounding: Annotated[
        str | Absent, "Only for a player who counts: of true counts, `floor`, `truncate` (towards 0) or `nearest`."
    ] = ABSENT
    leave: Annotated[int | Absent, "Only for a player who leaves for a new shoe: at this count or below it."] = ABSENT
    seed: Annotated[int, "Seed; equal seeds give equal rounds."]
    bet: Annotated[int, "Bet on each box, in chips; one unit for a player who counts."]
    chunk: Annotated[int, "Rounds in a chunk; results depend on it."]
    asked: Annotated[int, "Number of rounds requested."]
    rounds: Annotated[int, "Number of rounds played."]
    url: Annotated[str, "Page of the simulation."]

    @classmethod
    def of(cls, job: Job) -> "JobAnswer":
        """Return the answer that describes a job: with its statistics as soon as there are any."""
        request = job.request
        facts: dict[str, Any] = {
            "run": job.key,
            "status": job.status,
            "place": job.place,
            "interrupted": job.interrupted,
            "table": request.scenario.variant,
            "strategy": request.scenario.strategy,
            "other_table": request.other.variant if request.other else ABSENT,
            "other_strategy": request.other.strategy if request.other else ABSENT,
            "seed": request.seed,
            "bet": request.bet,
            "chunk": job.chunk,
            "asked": request.rounds,
            "rounds": job.statistics.rounds,
            "url": url_for("lab.job", key=job.key),
        }
        if request.counting:
            facts |= _counting(request.counting)
        if not job.statistics.rounds:
            return cls(**facts)
        if found := counting_answer(job):
            facts |= {"ramps": found.ramps, "gain": found.gain, "counts": found.counts}
        return CountedJobAnswer(**facts | _simulation(request.rounds, job.statistics, job.seconds))


@dataclass(frozen=True, kw_only=True)
class CountedJobAnswer(SimulationAnswer, JobAnswer):
    """A simulation with its results so far."""

    ramps: Annotated[
        tuple[ProspectsAnswer, ...] | Absent, "Only for a player who counts: what each ramp earns and risks."
    ] = ABSENT
    gain: Annotated[GainAnswer | Absent, "Only for two ramps: the first less the second."] = ABSENT
    counts: Annotated[
        tuple[CountedRoundsAnswer, ...] | Absent, "Only for a player who counts: rounds by the count before their deal."
    ] = ABSENT


def counting_answer(job: Job) -> BetsByCountAnswer | None:
    """Return the results of a player who counts; None for another."""
    asked = job.request.counting
    if asked is None:
        return None
    return BetsByCountAnswer.of(job.statistics, job.request.bet, asked.bet_ramps, asked.bankroll, asked.trip)


def _counting(asked: CountingRequest) -> dict[str, Any]:
    ramp, *others = asked.ramps
    return {
        "count": asked.system,
        "ramp": ramp,
        "other_ramp": others[0] if others else ABSENT,
        "index_plays": asked.index_plays,
        "bankroll": asked.bankroll,
        "trip": asked.trip,
        "boxes": asked.boxes,
        "rounding": asked.rounding,
        "leave": ABSENT if asked.leave is None else asked.leave,
    }


@dataclass(frozen=True, slots=True)
class LabAnswer:
    """The lab."""

    most_rounds: Annotated[int, "Maximum number of rounds of a simulation."]
    runs: Annotated[tuple[JobAnswer | CountedJobAnswer, ...], "The visitor's latest simulations."]


def _statistics(statistics: RoundStatistics) -> dict[str, Any]:
    distribution = statistics.distribution.items()
    return {
        "rounds": statistics.rounds,
        "mean": statistics.mean,
        "standard_error": statistics.standard_error,
        "interval95": statistics.interval95,
        "standard_deviation": statistics.standard_deviation,
        "rates": statistics.rates,
        "distribution": tuple(
            NetAnswer(net / statistics.bet, times, times / statistics.rounds) for net, times in distribution
        ),
    }


def _simulation(asked: int, statistics: Statistics, seconds: float) -> dict[str, Any]:
    first, *others = statistics.results
    facts = _statistics(first) | {
        "asked": asked,
        "rounds_per_second": statistics.rounds / seconds if seconds else 0.0,
        "convergence": tuple(EstimateAnswer.of(mark, first.bet) for mark in statistics.convergence),
    }
    if others:
        other, difference = others
        facts |= {"other": StatisticsAnswer.of_rounds(other), "difference": StatisticsAnswer.of_rounds(difference)}
    return facts


@dataclass(frozen=True, kw_only=True, slots=True)
class GamePlayedAnswer:
    """One game of an exercise."""

    player: Annotated[tuple[Card, ...], "Cards of the player."]
    dealer: Annotated[tuple[Card, ...], "Cards of the dealer."]
    player_total: Annotated[int, "Total of the player."]
    dealer_total: Annotated[int, "Total of the dealer."]
    score: Annotated[int, "-2, 0, 2 or 3."]
    label: Annotated[str, "Its outcome."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedAnswer:
    """Exact distribution of the sum of an exercise."""

    mean: Annotated[float, "Mean of a game."]
    sum: Annotated[float, "Mean of the sum."]
    standard_deviation: Annotated[float, "Standard deviation of the sum."]
    at_most: Annotated[float, "Probability of a sum that is no higher."]
    at_least: Annotated[float, "Probability of a sum that is no lower."]

    @classmethod
    def of(cls, games: int, total: int, expected: Expected) -> "ExpectedAnswer":
        """Return what to expect of an exercise of so many games, and how often its sum is as far off as ``total``."""
        place = total + 2 * games
        return cls(
            mean=expected.mean,
            sum=games * expected.mean,
            standard_deviation=games**0.5 * expected.deviation,
            at_most=min(1.0, sum(expected.sums[: place + 1])),
            at_least=min(1.0, sum(expected.sums[place:])),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ExerciseAnswer:
    """The exercise: a number of games against a dealer, and the sum of their scores."""

    seed: Annotated[int, "Seed; equal seeds give equal games."]
    decks: Annotated[int, "Decks in a shoe."]
    stand: Annotated[int, "Total on which the player stands."]
    natural_beats_21: Annotated[bool, "A natural wins against 21 of three cards or more."]
    one_shoe: Annotated[bool, "Games are dealt from one shoe, until it has too few cards for another."]
    shoes: Annotated[int, "Number of shoes that the games were dealt from."]
    games: Annotated[tuple[GamePlayedAnswer, ...], "The games in order."]
    total: Annotated[int, "Sum of the scores."]
    mean: Annotated[float, "Mean score."]
    expected: Annotated[ExpectedAnswer, "Exact values."]

    @classmethod
    def of(cls, task: Exercise, games: Sequence[GamePlayed], expected: Expected) -> "ExerciseAnswer":
        """Return the answer that describes an exercise, with what is to be expected."""
        total = sum(game.score for game in games)
        return answer_from(
            cls,
            task,
            shoes=games[-1].shoe,
            games=tuple(answer_from(GamePlayedAnswer, game) for game in games),
            total=total,
            mean=total / task.games,
            expected=ExpectedAnswer.of(task.games, total, expected),
        )
