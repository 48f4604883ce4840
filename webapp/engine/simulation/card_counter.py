"""A player who counts cards, and who may have a chart of his own for each count."""

from dataclasses import dataclass
from typing import Final

from webapp.engine.errors import SetupError
from webapp.engine.simulation.strategy_chart import Strategy
from webapp.engine.twenty_one.counting import CountingSystem, Rounding

FARTHEST: Final = 15
"""Counts on either side of that of a full shoe that are told apart, for a system whose greatest tag is 1."""


@dataclass(frozen=True)
class CardCounter:
    """How a player counts, and plays by it.

    ``charts`` has one chart for each of ``counts``; without them the player bets by the count, and plays by one chart.
    The chart is that of the count of all cards that lie open before anyone acts, the player's own and the dealer's
    among them; it is kept to the end of the round.

    leaves_at: after a round that ends at this count or below it the player leaves the table, and goes on at one with a
    new shoe. It is one of ``counts``.
    """

    system: CountingSystem
    charts: tuple[Strategy, ...] = ()
    leaves_at: int | None = None
    rounding: Rounding = "floor"

    def require_valid(self, decks: int) -> None:
        """Check it for a table.

        Raises:
            SetupError: the player would leave at a count that is not told apart, or that is better than a new shoe's.
        """
        least, most = self.counts(decks)[0], self.system.start(decks)
        if self.leaves_at is not None and not least <= self.leaves_at <= most:
            raise SetupError(f"a shoe is left at a count from {least} to {most}, not {self.leaves_at}")

    def counts(self, decks: int) -> range:
        """Return the counts that are told apart; the first and the last stand for all beyond them, too.

        They are true counts, rounded as ``rounding`` says; running counts of a system that is not balanced.
        """
        system = self.system
        far, ends = FARTHEST * max(map(abs, system.tags)), sorted((system.start(decks), system.surplus))
        return range(ends[0] - far, ends[1] + far + 1)
