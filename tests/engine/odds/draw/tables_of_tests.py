"""The pay tables that the odds are tested with, each with its number of jokers."""

from typing import Final

from webapp.engine.cards import JOKER, STANDARD_DECK, Card, Rank
from webapp.engine.poker.pay_tables import ARCADE, KINGS_OR_BETTER, QUEST, Line, PayTable
from webapp.engine.poker.ranking import Category

JACKS_OR_BETTER: Final = PayTable(
    "jacks-or-better-9-6",
    (
        Line.of(Category.ROYAL_FLUSH, 800),
        Line.of(Category.STRAIGHT_FLUSH, 50),
        Line.of(Category.FOUR_OF_A_KIND, 25),
        Line.of(Category.FULL_HOUSE, 9),
        Line.of(Category.FLUSH, 6),
        Line.of(Category.STRAIGHT, 4),
        Line.of(Category.THREE_OF_A_KIND, 3),
        Line.of(Category.TWO_PAIR, 2),
        Line("JACKS_OR_BETTER", 1, (Category.ONE_PAIR,), least=Rank.JACK),
    ),
)
PAY_TABLES: Final = ((JACKS_OR_BETTER, 0), (QUEST, 0), (ARCADE, 1), (KINGS_OR_BETTER, 1))


def deck(jokers: int) -> tuple[Card, ...]:
    return (*STANDARD_DECK, JOKER)[: 52 + jokers]
