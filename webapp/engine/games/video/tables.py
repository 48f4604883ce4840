"""The pay tables of video poker: families of lines, and what each of their published tables pays."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from webapp.engine.cards import Rank
from webapp.engine.poker.pay_tables import Line, PayTable
from webapp.engine.poker.ranking import Category

_FOUR: Final = (Category.FOUR_OF_A_KIND,)
_ROYAL: Final = (Category.ROYAL_FLUSH,)
_LINES: Final = (
    *(Line.of(category, 1) for category in Category),
    Line("NATURAL_ROYAL", 1, _ROYAL, joker=False),
    Line("WILD_ROYAL", 1, _ROYAL, joker=True),
    Line("FOUR_ACES_LOW", 1, _FOUR, least=Rank.ACE, low_kicker=True),
    Line("FOUR_ACES", 1, _FOUR, least=Rank.ACE),
    Line("FOUR_LOW_LOW", 1, _FOUR, most=Rank.FOUR, low_kicker=True),
    Line("FOUR_LOW", 1, _FOUR, most=Rank.FOUR),
    Line("FOUR_HIGH", 1, _FOUR, least=Rank.FIVE, most=Rank.KING),
    Line("JACKS_OR_BETTER", 1, (Category.ONE_PAIR,), least=Rank.JACK),
)
_LINE_OF_WORD: Final = {line.code.lower(): line for line in _LINES}


def _family(name: str, *pays: str, wild: Rank = Rank.JOKER) -> PayTable:
    lines = (line.split("=") for row in pays for line in row.split())
    return PayTable(name, tuple(replace(_LINE_OF_WORD[word], pays=int(chips)) for word, chips in lines), wild)


FAMILIES: Final[Mapping[str, PayTable]] = {
    table.name: table
    for table in (
        _family(
            "jacks",
            "royal_flush=800 straight_flush=50 four_of_a_kind=25",
            "full_house=9 flush=6 straight=4 three_of_a_kind=3 two_pair=2 jacks_or_better=1",
        ),
        _family(
            "bonus",
            "royal_flush=800 four_aces=80 straight_flush=50 four_low=40 four_high=25",
            "full_house=8 flush=5 straight=4 three_of_a_kind=3 two_pair=2 jacks_or_better=1",
        ),
        _family(
            "double-bonus",
            "royal_flush=800 four_aces=160 four_low=80 straight_flush=50 four_high=50",
            "full_house=10 flush=7 straight=5 three_of_a_kind=3 two_pair=1 jacks_or_better=1",
        ),
        _family(
            "double-double",
            "royal_flush=800 four_aces_low=400 four_aces=160 four_low_low=160 four_low=80",
            "straight_flush=50 four_high=50 full_house=9 flush=6 straight=4",
            "three_of_a_kind=3 two_pair=1 jacks_or_better=1",
        ),
        _family(
            "deuces",
            "natural_royal=800 four_deuces=200 wild_royal=25 five_of_a_kind=15 straight_flush=9 four_of_a_kind=5",
            "full_house=3 flush=2 straight=2 three_of_a_kind=1",
            wild=Rank.TWO,
        ),
    )
}
"""The lines of each family, and what its best known table pays."""

PRESETS: Final[Mapping[str, tuple[str, Mapping[str, int]]]] = {
    "jacks-9-6": ("jacks", {}),
    "jacks-8-5": ("jacks", {"full_house": 8, "flush": 5}),
    "jacks-6-5": ("jacks", {"full_house": 6, "flush": 5}),
    "bonus-8-5": ("bonus", {}),
    "double-bonus-10-7": ("double-bonus", {}),
    "double-double-9-6": ("double-double", {}),
    "deuces-full": ("deuces", {}),
    "deuces-illinois": (
        "deuces",
        {"five_of_a_kind": 16, "straight_flush": 10, "four_of_a_kind": 4, "full_house": 4, "flush": 3},
    ),
}
"""The family of each table, and the lines that pay something else there. The default is the first."""

RETURNS: Final[Mapping[str, Fraction]] = {
    "jacks-9-6": Fraction(1653526326983, 1661102543100),
    "jacks-8-5": Fraction(1616226757427, 1661102543100),
    "jacks-6-5": Fraction(1577983249081, 1661102543100),
    "bonus-8-5": Fraction(1647248502503, 1661102543100),
    "double-bonus-10-7": Fraction(18086612134, 18055462425),
    "double-double-9-6": Fraction(822086155841, 830551271550),
    "deuces-full": Fraction(32187682693, 31944279675),
    "deuces-illinois": Fraction(552196412883, 553700847700),
}
"""What optimal play gets back of each coin: kept here, since lists show it and the odds take a second each."""


def paying(table: PayTable, pays: Mapping[str, int]) -> PayTable:
    """Return a pay table with some lines changed, each by its code in lower case."""
    return replace(
        table, lines=tuple(replace(line, pays=pays.get(line.code.lower(), line.pays)) for line in table.lines)
    )
