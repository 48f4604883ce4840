"""The cards that a player has not seen."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from webapp.engine.cards import Card
from webapp.engine.odds.blackjack.compositions import VALUES, index_of
from webapp.engine.odds.question import ImpossibleSpot

Array = Any


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
        self.counts: Array = np.array([4 * decks] * (VALUES - 1) + [16 * decks])
        """Unseen cards by value, int64[10]."""
        for card, count in counted.items():
            self.counts[index_of(card)] -= count
        self._decks = decks
        self._ranks = Counter(card.rank for card in counted.elements())

    def of_rank(self, card: Card) -> int:
        """Return how many cards of a card's rank are unseen."""
        return 4 * self._decks - self._ranks[card.rank]
