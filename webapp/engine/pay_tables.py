"""What hands pay. A published name never changes its meaning: a changed table gets a new name."""

from dataclasses import dataclass
from typing import Final

from webapp.engine.poker import Category


@dataclass(frozen=True, slots=True)
class PayTable:
    """Lines of (category, score or multiplier), strong to weak. A category without a line pays nothing."""

    name: str
    lines: tuple[tuple[Category, int], ...]

    def pays(self, category: Category) -> int:
        return dict(self.lines).get(category, 0)


QUEST: Final = PayTable(
    "quest",
    (
        (Category.ROYAL_FLUSH, 10_000),
        (Category.STRAIGHT_FLUSH, 2_000),
        (Category.FOUR_OF_A_KIND, 1_000),
        (Category.FULL_HOUSE, 500),
        (Category.FLUSH, 400),
        (Category.STRAIGHT, 300),
        (Category.THREE_OF_A_KIND, 200),
        (Category.TWO_PAIR, 100),
        (Category.ONE_PAIR, 50),
    ),
)
