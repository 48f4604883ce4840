"""The cards of a shoe that nobody has seen. The site's process checks questions by them: this needs no NumPy."""

from collections import Counter
from collections.abc import Iterable

from webapp.engine.cards import Card
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.twenty_one.hand import value


class ImpossibleCards(ImpossibleSpot):
    """Cards are named that cannot all have been seen."""


class Unseen:
    """A shoe without the cards that are seen.

    Raises:
        ImpossibleCards: a card is seen more often than the shoe has it.
    """

    def __init__(self, decks: int, seen: Iterable[Card]) -> None:
        counted = Counter(seen)
        for card, count in counted.items():
            if count > decks:
                shoe = "there is one deck" if decks == 1 else f"there are {decks} decks"
                text = f"{card} is named {count} times, and {shoe}"
                raise ImpossibleCards("too-many", text, card=str(card), count=count, decks=decks)
        values = Counter(value(card) for card in counted.elements())
        self.counts = tuple((16 if points == 10 else 4) * decks - values[points] for points in range(1, 11))
        """Unseen cards by value, from the ace to the ten."""
        self._decks = decks
        self._ranks = Counter(card.rank for card in counted.elements())

    def of_rank(self, card: Card) -> int:
        """Return how many cards of a card's rank are unseen."""
        return 4 * self._decks - self._ranks[card.rank]
