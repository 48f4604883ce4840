"""Strategies for pages of the lab.

That of best play is computed, and the site's process does not import NumPy for it: it is a question to the odds desk.
"""

from webapp.engine.simulation.experiment import make_scenario
from webapp.engine.simulation.strategy_by_name import BEST
from webapp.engine.simulation.strategy_chart import Strategy
from webapp.engine.simulation.strategy_csv import loads
from webapp.services.odds import desk


def strategy(name: str, table: str) -> Strategy:
    """Return the strategy of this name for the rules of a table.

    Raises:
        SetupError: there is no such table, or no such strategy.
        Refusal: ``odds-later``: it cannot be computed now.
    """
    if name == BEST:
        return loads(desk.ask("chart", {"table": table})["csv"], name)
    return make_scenario(table, name).strategy
