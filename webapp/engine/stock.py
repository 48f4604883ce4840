"""The pile that cards are dealt from."""

from dataclasses import dataclass

from webapp.engine.cards import Card
from webapp.engine.errors import SetupError


@dataclass(frozen=True, slots=True)
class Stock:
    """Cards in the order in which they are dealt, and how many are dealt already."""

    cards: tuple[Card, ...]
    taken: int = 0

    def __len__(self) -> int:
        return len(self.cards) - self.taken

    def take(self, n: int) -> tuple[tuple[Card, ...], "Stock"]:
        """Return the next ``n`` cards and the stock without them. SetupError if there are not so many."""
        end = self.taken + n
        if end > len(self.cards):
            raise SetupError(f"{n} cards wanted, {len(self)} left")
        return self.cards[self.taken : end], Stock(self.cards, end)
