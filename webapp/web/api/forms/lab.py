"""Forms and queries of the lab."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class ExerciseQuery:
    """An exercise."""

    seed: Annotated[str, "Whole number; random by default."] = ""
    games: Annotated[str, "Games to be played, at most 100."] = "12"
    decks: Annotated[str, "Decks in a shoe."] = "2"
    stand: Annotated[str, "Total on which the player stands."] = "17"
    natural_beats_21: Annotated[bool, "A natural wins against 21 of three cards or more."] = False
    one_shoe: Annotated[bool, "Deal all games from one shoe."] = False


@dataclass(frozen=True, slots=True)
class ChartQuery:
    """The table of a strategy chart."""

    table: Annotated[str, "Name of the table, or own rules in one word."] = "vegas"


@dataclass(frozen=True, slots=True)
class StrategyQuery:
    """A strategy to be returned as CSV."""

    strategy: Annotated[str, "Name of the strategy."] = "basic"
    table: Annotated[str, "Name of the table, or own rules in one word, for which the strategy is computed."] = "vegas"


@dataclass(frozen=True, slots=True)
class SimulationForm:
    """A simulation; with `compare` or `other_table` a comparison of two. Rules may also be given field by field."""

    table: Annotated[str, "Name of the table, or own rules in one word."] = ""
    strategy: Annotated[str, "Name of the strategy, or `sheet` for an uploaded one."] = "basic"
    rounds: Annotated[str, "Number of rounds."] = ""
    seed: Annotated[str, "Whole number; random by default."] = ""
    bet: Annotated[str, "Bet of each round, in chips."] = "10"
    nonce: Annotated[str, "Any word; the same word again returns the same simulation."] = ""
    compare: Annotated[str, "`1` for a comparison."] = ""
    other_table: Annotated[str, "The second table."] = ""
    other_strategy: Annotated[str, "The second strategy."] = "basic"
