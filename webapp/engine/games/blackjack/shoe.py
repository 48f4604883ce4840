"""The cut card of a shoe of blackjack, and how many cards one round may take."""

from dataclasses import dataclass
from math import ceil
from typing import Final, Protocol

from webapp.engine.bets import Bets

FOR_THE_DEALER: Final = 8
FOR_A_BOX: Final = 6


class ShoeRules(Protocol):
    """The rules that say how a shoe is dealt."""

    @property
    def decks(self) -> int: ...

    @property
    def penetration(self) -> float: ...

    @property
    def shuffled_each_round(self) -> bool: ...

    @property
    def bets(self) -> Bets | None: ...


def size(rules: ShoeRules) -> int:
    """Return how many cards a shoe has."""
    return 52 * rules.decks


def cut_card(rules: ShoeRules) -> int:
    """Return the place of the cut card: once as many cards are dealt, the shoe is shuffled before the next round."""
    return ceil(round(100 * rules.penetration) * size(rules) / 100)


def reserve(rules: ShoeRules, boxes: int) -> int:
    """Return the maximum number of cards of a round, which is also the minimum with which it may begin.

    These are the cards behind the cut card, or enough for these boxes if there are fewer; where each round is dealt
    from all cards, all of them. The number depends on the rules alone and not on the cards that are available: a record
    contains only those that were dealt, and its replay must end in the same way.
    """
    if rules.shuffled_each_round:
        return size(rules)
    return max(size(rules) - cut_card(rules), FOR_THE_DEALER + FOR_A_BOX * boxes)


@dataclass(frozen=True, slots=True)
class CutCard:
    """The latest position of the cut card for a number of decks."""

    decks: int
    place: int
    cards: int


def shuffled_at(rules: ShoeRules) -> int:
    """Return after how many cards the shoe is shuffled: at the cut card, or when too few are left for all boxes."""
    boxes = rules.bets.boxes if rules.bets else 1
    return min(cut_card(rules), size(rules) - reserve(rules, boxes) + 1)
