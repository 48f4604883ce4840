"""Answers of the lab about a player who counts: what bets by the count earn and risk. Money is in units of the bet."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Final, Self, TypeAlias

from webapp.engine.simulation.bankroll_paths import bankroll_paths
from webapp.engine.simulation.bet_ramp import BetRamp, Prospects, deviation_give_or_take, gain
from webapp.engine.simulation.statistics import Statistics
from webapp.web.api.serialize import ABSENT, Absent, answer_from

_Range: TypeAlias = tuple[float | None, float | None]
_RISK: Final = 0.01


@dataclass(frozen=True, kw_only=True, slots=True)
class CountedRoundsAnswer:
    """Rounds before whose deal the count was the same. The first and the last stand for all counts beyond them, too."""

    count: Annotated[int, "True count, rounded; running count of a system that is not balanced."]
    rounds: Annotated[int, "Number of rounds."]
    share: Annotated[float, "Share of all rounds."]
    share_give_or_take: Annotated[
        float | None, "Half the 95 % confidence interval of the share; null for a run of one chunk."
    ]
    mean: Annotated[float, "Mean of a round, for each unit that is bet."]
    standard_deviation: Annotated[float, "Standard deviation of a round, for each unit that is bet."]
    give_or_take: Annotated[float, "Half the 95 % confidence interval of the mean."]
    units: Annotated[tuple[int, ...], "Units that each of `ramps` bets, on each box."]


@dataclass(frozen=True, kw_only=True, slots=True)
class BankrollAnswer:
    """Bankrolls after a number of rounds of a trip, in units: computed, as those of a Brownian motion."""

    rounds: Annotated[int, "Number of rounds."]
    quantiles: Annotated[
        tuple[float, ...], "What 5, 25, 50, 75 and 95 % of the players have at most; 0 for who lost it on the way."
    ]
    half_kelly: Annotated[float, "Median of players who always bet for half Kelly, in proportion to what they have."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProspectsAnswer:
    """What a ramp of bets earns and risks. Mean, deviation and growth are those of a hundred rounds."""

    ramp: Annotated[str, "Bets in units by the count, `count:units`, each up to the next."]
    mean: Annotated[float, "Mean of a hundred rounds."]
    interval95: Annotated[tuple[float, float], "95 % confidence interval of the mean."]
    standard_deviation: Annotated[float, "Standard deviation of a hundred rounds."]
    deviation_give_or_take: Annotated[
        float | None, "Half the 95 % confidence interval of the deviation; null for a run of one chunk."
    ]
    bet: Annotated[float, "Mean bet on each box, of the rounds that are bet on."]
    played: Annotated[float, "Share of the rounds that are bet on."]
    score: Annotated[float, "SCORE; 0 for who loses."]
    score_interval95: Annotated[tuple[float, float], "SCORE at the ends of `interval95`."]
    n0: Annotated[float | None, "N0, in rounds; null for who loses."]
    n0_interval95: Annotated[_Range, "N0 at the ends of `interval95`; null where it has no bound."]
    ruin: Annotated[float, "Chance to lose `bankroll` sooner or later."]
    ruin_interval95: Annotated[tuple[float, float], "That chance at the ends of `interval95`."]
    trip_ruin: Annotated[float, "Chance to lose `bankroll` within `trip` rounds."]
    trip_ruin_interval95: Annotated[tuple[float, float], "That chance at the ends of `interval95`."]
    bankroll_for_1_percent: Annotated[float | None, "Bankroll that is lost with a chance of 1 %; null for who loses."]
    bankroll_interval95: Annotated[_Range, "That bankroll at the ends of `interval95`; null where it has no bound."]
    half_kelly_growth: Annotated[float, "Growth of the logarithm of a bankroll with bets at half Kelly."]
    growth_interval95: Annotated[tuple[float, float], "That growth at the ends of `interval95`."]
    paths: Annotated[tuple[BankrollAnswer, ...], "Bankrolls on the way through the trip, from its beginning."]
    trips: Annotated[
        tuple[tuple[float, ...], ...], "Bankrolls of trips that were played, after the rounds of `paths`; 0 once lost."
    ]

    @classmethod
    def of(
        cls,
        statistics: Statistics,
        bet: int,
        ramp: BetRamp,
        bankroll: int,
        trip: int,
        trips: Sequence[Sequence[int]] = (),
    ) -> Self:
        """Return what a ramp earns and risks over rounds that were played with flat bets of ``bet`` chips.

        trips: bankrolls in chips on the way through trips that were played with this ramp.
        """
        prospects = Prospects.of(statistics.by_count, bet, ramp)
        low, high = prospects.ends
        around = deviation_give_or_take(statistics, bet, ramp)
        return cls(
            ramp=str(ramp),
            mean=100 * prospects.mean,
            interval95=(100 * low.mean, 100 * high.mean),
            standard_deviation=10 * prospects.deviation,
            deviation_give_or_take=None if around is None else 10 * around,
            bet=prospects.bet,
            played=prospects.played,
            score=prospects.score,
            score_interval95=(low.score, high.score),
            n0=_finite(prospects.n0),
            n0_interval95=(_finite(high.n0), _finite(low.n0)),
            ruin=prospects.ruin(bankroll),
            ruin_interval95=(high.ruin(bankroll), low.ruin(bankroll)),
            trip_ruin=prospects.trip_ruin(bankroll, trip),
            trip_ruin_interval95=(high.trip_ruin(bankroll, trip), low.trip_ruin(bankroll, trip)),
            bankroll_for_1_percent=_finite(prospects.bankroll_for(_RISK)),
            bankroll_interval95=(_finite(high.bankroll_for(_RISK)), _finite(low.bankroll_for(_RISK))),
            half_kelly_growth=100 * prospects.half_kelly_growth,
            growth_interval95=(100 * low.half_kelly_growth, 100 * high.half_kelly_growth),
            paths=tuple(answer_from(BankrollAnswer, point) for point in bankroll_paths(prospects, bankroll, trip)),
            trips=tuple(tuple(money / bet for money in line) for line in trips),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class GainAnswer:
    """What the first ramp wins in a hundred rounds more than the second, on the same cards."""

    mean: Annotated[float, "Mean."]
    interval95: Annotated[tuple[float, float], "95 % confidence interval of the mean."]


@dataclass(frozen=True, kw_only=True, slots=True)
class BetsByCountAnswer:
    """Results of a player who counts, with one ramp of bets or two."""

    ramps: Annotated[tuple[ProspectsAnswer, ...], "What each ramp earns and risks."]
    gain: Annotated[GainAnswer | Absent, "Only for two ramps: the first less the second."] = ABSENT
    counts: Annotated[tuple[CountedRoundsAnswer, ...], "Rounds by the count before their deal."]

    @classmethod
    def of(cls, statistics: Statistics, bet: int, ramps: Sequence[BetRamp], bankroll: int, trip: int) -> Self:
        """Return the results of one ramp, or of two that are held against the same rounds, of ``bet`` chips a box."""
        staked = statistics.results[0].bet
        return cls(
            ramps=tuple(
                ProspectsAnswer.of(statistics, bet, ramp, bankroll, trip, [each[place] for each in statistics.trips])
                for place, ramp in enumerate(ramps)
            ),
            gain=_gain(statistics, bet, *ramps) if len(ramps) == 2 else ABSENT,
            counts=tuple(
                CountedRoundsAnswer(
                    count=count,
                    rounds=moments.rounds,
                    share=moments.rounds / statistics.rounds,
                    share_give_or_take=_share_give_or_take(statistics, count),
                    mean=moments.mean / staked,
                    standard_deviation=moments.standard_deviation / staked,
                    give_or_take=moments.half_width95 / staked,
                    units=tuple(ramp.units(count) for ramp in ramps),
                )
                for count, moments in statistics.by_count.items()
            ),
        )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _share_give_or_take(statistics: Statistics, count: int) -> float | None:
    return statistics.give_or_take(lambda each, moments: moments.rounds if each == count else 0)


def _gain(statistics: Statistics, bet: int, first: BetRamp, second: BetRamp) -> GainAnswer:
    mean, half = (100 * value for value in gain(statistics.by_count, bet, first, second))
    return GainAnswer(mean=mean, interval95=(mean - half, mean + half))
