"""Pay tables. A published name never changes its meaning: a changed table gets a new name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import Card, Rank
from webapp.engine.poker.examples import EXAMPLES, EXAMPLES_WITH_DEUCES, Example
from webapp.engine.poker.making import ALL_CARDS, making
from webapp.engine.poker.ranking import Category, Ranked, rank


@dataclass(frozen=True, slots=True)
class Line:
    """A line that pays a score, or a multiple of the bet, for hands of its categories whose first rank is high enough.

    ``joker``: only hands with a wild card (True), only hands without (False), or all. ``most``: the first rank is not
    higher. ``low_kicker``: the second rank is an ace, a two, a three or a four.
    """

    code: str
    pays: int
    categories: tuple[Category, ...]
    least: Rank = Rank.TWO
    joker: bool | None = None
    most: Rank = Rank.ACE
    low_kicker: bool = False

    @classmethod
    def of(cls, category: Category, pays: int) -> "Line":
        """Return the plain line of a category, named after it."""
        return cls(category.name, pays, (category,))

    def fits(self, ranked: Ranked, has_wild: bool) -> bool:
        """Return True if a hand of this rank is on it, with a wild card or without."""
        return (
            ranked.category in self.categories
            and self.least <= ranked.ranks[0] <= self.most
            and (self.joker is None or self.joker is has_wild)
            and (not self.low_kicker or ranked.ranks[1] in _LOW_KICKERS)
        )


_LOW_KICKERS: Final = (Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR)


@dataclass(frozen=True, slots=True)
class PayTable:
    """Lines, strong to weak; the first that fits a hand pays it. A hand that fits none is paid nothing.

    ``wild``: the rank of the wild cards, which is that of the joker or the deuce.
    """

    name: str
    lines: tuple[Line, ...]
    wild: Rank = Rank.JOKER

    @property
    def favours_player(self) -> bool:
        """Good play returns more than the bets."""
        return self.name == "arcade"

    @property
    def is_own(self) -> bool:
        """Somebody has chosen what it pays: its name says which lines."""
        return "=" in self.name

    @property
    def family(self) -> str:
        """The game whose lines it has, where tables of one game differ by what these pay."""
        return self.name.partition(",")[0]

    @property
    def has_wild_deuces(self) -> bool:
        """All deuces are wild."""
        return self.wild is Rank.TWO

    @property
    def breaks_aces(self) -> bool:
        """Four aces pay so much, and two pair so little, that two pair or a full house with aces may be broken."""
        pays = {line.code: line.pays for line in self.lines}
        return "FOUR_ACES" in pays and pays.get(Category.TWO_PAIR.name, 0) <= 1

    def line_of(self, hand: Sequence[Card]) -> Line | None:
        """Return the line that a hand is on; None if it is on none."""
        ranked, has_wild = self.rank(hand), self.has_wild(hand)
        for line in self.lines:
            if line.fits(ranked, has_wild):
                return line
        return None

    def has_wild(self, hand: Sequence[Card]) -> bool:
        """Return True if a wild card is in a hand."""
        return any(card.rank is self.wild for card in hand)

    def rank(self, hand: Sequence[Card]) -> Ranked:
        """Return the rank of a hand with its wild cards."""
        return rank(hand, self.wild)

    def making(self, hand: Sequence[Card]) -> tuple[int, ...]:
        """Return the positions, from 1, of the cards that make a hand, with the kicker that its line asks for."""
        line = self.line_of(hand)
        return ALL_CARDS if line and line.low_kicker else making(hand, self.wild)

    def example(self, line: Line) -> Example:
        """Return a hand that is on a line, for the rules."""
        return (EXAMPLES_WITH_DEUCES if self.wild is Rank.TWO else EXAMPLES).get(line.code) or EXAMPLES[line.code]

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
