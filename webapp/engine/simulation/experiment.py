"""Experiments: one or two scenarios, how many rounds of them, and the seed."""

from dataclasses import dataclass
from typing import Final

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import BlackjackRules, parse_rules
from webapp.engine.simulation.bankroll_paths import TripPlan
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.strategy_by_name import strategy_by_name
from webapp.engine.simulation.strategy_chart import Strategy
from webapp.engine.simulation.strategy_csv import loads

CHUNK: Final = 250_000
"""Rounds of a chunk. The same seed with the same size of chunks gives the same statistics to the last bit."""

LIMITS: Final = {"rounds": (1, 10**15), "seed": (0, 2**63 - 1), "bet": (1, 1000), "chunk": (1, 10**9)}


@dataclass(frozen=True)
class Scenario:
    """Rules, and the strategy by which they are played.

    counter: of a player who counts. boxes: how many are played, each with the same bet.

    Raises:
        SetupError: the table has not so many boxes, or the player would leave it at a count that cannot be.
    """

    rules: BlackjackRules
    strategy: Strategy
    counter: CardCounter | None = None
    boxes: int = 1

    def __post_init__(self) -> None:
        most = self.rules.bets.boxes if self.rules.bets else 1
        if not 1 <= self.boxes <= most:
            raise SetupError(f"boxes must be from 1 to {most}, not {self.boxes}")
        if self.counter is not None:
            self.counter.require_valid(self.rules.decks)


@dataclass(frozen=True)
class Experiment:
    """Rounds of one scenario, or a comparison of two.

    In a comparison both scenarios play every round from a fresh shoe, and from the same one. ``bet`` is in chips, on
    each box; 3:2 and halves are rounded down to a chip, as at the table. ``trips`` are played by one who counts.

    Raises:
        SetupError: a number is out of LIMITS.
    """

    scenario: Scenario
    rounds: int
    seed: int
    bet: int = 10
    chunk: int = CHUNK
    other: Scenario | None = None
    trips: TripPlan | None = None

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            if not least <= getattr(self, name) <= most:
                raise SetupError(f"{name} must be from {least} to {most}, not {getattr(self, name)}")
        if self.other is not None and (self.scenario.counter or self.other.counter):
            raise SetupError("there is nothing to count in a comparison: each round has a fresh shoe")
        if self.other is not None and (self.scenario.boxes > 1 or self.other.boxes > 1):
            raise SetupError("one box is compared with one box")

    @property
    def staked(self) -> int:
        """Chips that are bet before each deal, on all boxes."""
        return self.bet * self.scenario.boxes

    @property
    def chunks(self) -> int:
        """Number of chunks; the last one may be smaller than ``chunk``."""
        return -(-self.rounds // self.chunk)

    def rounds_in(self, number: int) -> int:
        """Return the number of rounds of chunk ``number``."""
        return min(self.chunk, self.rounds - number * self.chunk)


def make_scenario(variant: str, strategy: str, chart: str | None = None) -> Scenario:
    """Build a scenario from the words for its rules and its strategy, or from the text of a chart.

    Raises:
        SetupError: there are no such rules, or there is no such strategy.
        StrategyCsvError: the chart cannot be read.
    """
    rules = parse_rules(variant)
    return Scenario(rules, strategy_by_name(strategy, rules) if chart is None else loads(chart))
