"""What pages of the lab need computed: the chart of best play, and what is to be expected of an exercise.

The site's process does not import NumPy for them either: they are questions to the odds desk.
"""

from webapp.engine.games.blackjack.rules import parse_rules
from webapp.engine.simulation.exercise import Exercise, Expected
from webapp.engine.simulation.strategy.by_name import BEST, strategy_by_name
from webapp.engine.simulation.strategy.chart import Strategy
from webapp.engine.simulation.strategy.strategy_csv import loads
from webapp.services.odds import desk


def strategy(name: str, table: str) -> Strategy:
    """Return the strategy of this name for the rules of a table.

    Raises:
        SetupError: there is no such table, or no such strategy.
        Refusal: ``odds-later``: it cannot be computed now.
    """
    rules = parse_rules(table)
    return loads(desk.ask("chart", {"table": table})["csv"], name) if name == BEST else strategy_by_name(name, rules)


def expected(exercise: Exercise) -> Expected:
    """Return what is to be expected of an exercise. Refusal ``odds-later``: it cannot be computed now."""
    asked = {name: str(getattr(exercise, name)) for name in ("games", "decks", "stand")}
    found = desk.ask("exercise", asked | {"natural_beats_21": "1" if exercise.natural_beats_21 else ""})
    return Expected(found["mean"], found["deviation"], tuple(found["sums"]))
