"""The pay tables that the odds are tested with, each with its number of jokers."""

from typing import Final

from webapp.engine.cards import JOKER, STANDARD_DECK, Card
from webapp.engine.games.video.tables import FAMILIES
from webapp.engine.poker.pay_tables import ARCADE, KINGS_OR_BETTER, QUEST

PAY_TABLES: Final = ((QUEST, 0), (ARCADE, 1), (KINGS_OR_BETTER, 1), *((table, 0) for table in FAMILIES.values()))


def deck(jokers: int) -> tuple[Card, ...]:
    return (*STANDARD_DECK, JOKER)[: 52 + jokers]
