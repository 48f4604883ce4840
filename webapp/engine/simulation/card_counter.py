"""A player who counts cards, and who may have a chart of his own for each count."""

from dataclasses import dataclass
from typing import Final

from webapp.engine.simulation.strategy_chart import Strategy
from webapp.engine.twenty_one.counting import CountingSystem

FARTHEST: Final = 15
"""Counts on either side of that of a full shoe that are told apart, for a system whose greatest tag is 1."""


@dataclass(frozen=True)
class CardCounter:
    """How a player counts, and plays by it.

    ``charts`` has one chart for each of ``counts``; without them the player bets by the count, and plays by one chart.
    The chart is that of the count of all cards that lie open before anyone acts, the player's own and the dealer's
    among them; it is kept to the end of the round.
    """

    system: CountingSystem
    charts: tuple[Strategy, ...] = ()

    def counts(self, decks: int) -> range:
        """Return the counts that are told apart; the first and the last stand for all beyond them, too.

        They are true counts, rounded down; running counts of a system that is not balanced.
        """
        system = self.system
        far, ends = FARTHEST * max(map(abs, system.tags)), sorted((system.start(decks), system.surplus))
        return range(ends[0] - far, ends[1] + far + 1)
