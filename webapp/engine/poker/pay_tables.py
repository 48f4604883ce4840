"""Pay tables. A published name never changes its meaning: a changed table gets a new name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import Card, Rank
from webapp.engine.poker.examples import EXAMPLES, Example
from webapp.engine.poker.ranking import Category, rank


@dataclass(frozen=True, slots=True)
class Line:
    """A line that pays a score, or a multiple of the bet, for hands of its categories whose first rank is high enough.

    ``joker``: only hands with one (True), only hands without (False), or all.
    """

    code: str
    pays: int
    categories: tuple[Category, ...]
    least: Rank = Rank.TWO
    joker: bool | None = None

    @classmethod
    def of(cls, category: Category, pays: int) -> "Line":
        """Return the plain line of a category, named after it."""
        return cls(category.name, pays, (category,))

    @property
    def example(self) -> Example:
        """A hand that is on it, for the rules."""
        return EXAMPLES[self.code]


@dataclass(frozen=True, slots=True)
class PayTable:
    """Lines, strong to weak; the first that fits a hand pays it. A hand that fits none is paid nothing."""

    name: str
    lines: tuple[Line, ...]

    @property
    def favours_player(self) -> bool:
        """Good play returns more than the bets."""
        return self.name == "arcade"

    def line_of(self, hand: Sequence[Card]) -> Line | None:
        """Return the line that a hand is on; None if it is on none."""
        ranked = rank(hand)
        for line in self.lines:
            if (
                ranked.category in line.categories
                and ranked.ranks[0] >= line.least
                and (line.joker is None or line.joker is any(card.is_joker for card in hand))
            ):
                return line
        return None

    def pays(self, hand: Sequence[Card]) -> int:
        """Return what a hand pays."""
        line = self.line_of(hand)
        return line.pays if line else 0


QUEST: Final = PayTable(
    "quest",
    (
        Line.of(Category.ROYAL_FLUSH, 10_000),
        Line.of(Category.STRAIGHT_FLUSH, 2_000),
        Line.of(Category.FOUR_OF_A_KIND, 1_000),
        Line.of(Category.FULL_HOUSE, 500),
        Line.of(Category.FLUSH, 400),
        Line.of(Category.STRAIGHT, 300),
        Line.of(Category.THREE_OF_A_KIND, 200),
        Line.of(Category.TWO_PAIR, 100),
        Line.of(Category.ONE_PAIR, 50),
    ),
)

ARCADE: Final = PayTable(
    "arcade",
    (
        Line.of(Category.FIVE_OF_A_KIND, 200),
        Line.of(Category.ROYAL_FLUSH, 100),
        Line.of(Category.STRAIGHT_FLUSH, 50),
        Line.of(Category.FOUR_OF_A_KIND, 30),
        Line.of(Category.FULL_HOUSE, 10),
        Line.of(Category.FLUSH, 8),
        Line.of(Category.STRAIGHT, 5),
        Line.of(Category.THREE_OF_A_KIND, 3),
        Line.of(Category.TWO_PAIR, 2),
        Line.of(Category.JOKER, 2),
        Line.of(Category.ONE_PAIR, 1),
    ),
)

KINGS_OR_BETTER: Final = PayTable(
    "kings-or-better",
    (
        Line("NATURAL_ROYAL", 800, (Category.ROYAL_FLUSH,), joker=False),
        Line.of(Category.FIVE_OF_A_KIND, 200),
        Line("WILD_ROYAL", 100, (Category.ROYAL_FLUSH,), joker=True),
        Line.of(Category.STRAIGHT_FLUSH, 50),
        Line.of(Category.FOUR_OF_A_KIND, 20),
        Line.of(Category.FULL_HOUSE, 7),
        Line.of(Category.FLUSH, 5),
        Line.of(Category.STRAIGHT, 3),
        Line.of(Category.THREE_OF_A_KIND, 2),
        Line.of(Category.TWO_PAIR, 1),
        Line("KINGS_OR_BETTER", 1, (Category.ONE_PAIR, Category.JOKER), least=Rank.KING),
    ),
)
