"""What is to be simulated: rules and strategy, how many rounds, from which seed."""

from dataclasses import dataclass
from typing import Final

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import BlackjackRules, parse_rules
from webapp.engine.simulation.named_strategies import strategy_by_name
from webapp.engine.simulation.strategies import Strategy
from webapp.engine.simulation.strategy_csv import loads

CHUNK: Final = 250_000
"""Rounds of a chunk. With the same seed and the same size of chunks the figures are the same to the last bit."""

LIMITS: Final = {"rounds": (1, 10**15), "seed": (0, 2**63 - 1), "bet": (1, 1000), "chunk": (1, 10**9)}


@dataclass(frozen=True)
class Scenario:
    """Rules, and how they are played."""

    rules: BlackjackRules
    strategy: Strategy


@dataclass(frozen=True)
class Experiment:
    """With an ``other`` side two are compared: both play every round from a fresh shoe, and from the same one.

    bet: chips, from which 3:2 and halves are rounded down as at the table. SetupError for what is out of LIMITS.
    """

    side: Scenario
    rounds: int
    seed: int
    bet: int = 10
    chunk: int = CHUNK
    other: Scenario | None = None

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            if not least <= getattr(self, name) <= most:
                raise SetupError(f"{name} must be from {least} to {most}, not {getattr(self, name)}")

    @property
    def chunks(self) -> int:
        return -(-self.rounds // self.chunk)

    def rounds_of(self, number: int) -> int:
        """How many rounds chunk ``number`` has: the last one may be smaller."""
        return min(self.chunk, self.rounds - number * self.chunk)


def make_scenario(table: str, strategy: str, sheet: str | None = None) -> Scenario:
    """From words: a table's, a strategy's, or the text of a sheet. SetupError, SheetError."""
    rules = parse_rules(table)
    return Scenario(rules, strategy_by_name(strategy, rules) if sheet is None else loads(sheet))
