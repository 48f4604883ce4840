"""Strategy charts: an action for every hand and dealer's card, and the codes that hands are counted by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

WORDS: Final = ("S", "H", "Dh", "Ds", "Rh", "Rs", "Rp", "P")
"""Cells of a chart: stand, hit, double or else hit, double or else stand, surrender or else hit, stand or split, split.
"""

NO_SPLIT: Final = "-"
"""Cell in the line of a pair: the hand is played by its total."""

UPCARDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
"""The dealer's cards, in the order in which charts are usually printed."""

HARD: Final = tuple(str(total) for total in range(4, 22))
SOFT: Final = tuple(f"A{kicker}" for kicker in range(2, 10))
PAIRS: Final = ("22", "33", "44", "55", "66", "77", "88", "99", "TT", "AA")
HANDS: Final = (*HARD, *SOFT, *PAIRS)

SOFT_CODE: Final = 32
"""Bit of a hand code that says that an ace counts 11. The lower five bits are the total."""
MOST_CODE: Final = 30
"""Hand code of every hard total from 30 on."""

Row = tuple[str, ...]

_LINE_OF: Final = {hand: line for line, hand in enumerate(HANDS)}
_COLUMN_OF: Final = {upcard: column for column, upcard in enumerate(UPCARDS)}


@dataclass(frozen=True)
class Strategy:
    """A way to play, as a chart: one of ``rows`` for each of HANDS, with a word for each of UPCARDS.

    A pair that is not split, or may not be split, is played by its total; two aces are then played as A2. A soft 21
    stands. ``insure`` takes every insurance that is offered.
    """

    name: str
    rows: tuple[Row, ...]
    insure: bool = False

    @classmethod
    def of(cls, name: str, rows: Mapping[str, Row], insure: bool = False) -> Self:
        """Build a strategy from rows by hand."""
        return cls(name, tuple(rows[hand] for hand in HANDS), insure)

    def row(self, hand: str) -> Row:
        """Return the words for a hand, one for each of UPCARDS."""
        return self.rows[_LINE_OF[hand]]

    def word(self, hand: str, upcard: str) -> str:
        """Return the word for a hand against a dealer's card."""
        return self.row(hand)[_COLUMN_OF[upcard]]


def add_card(code: int, card: int) -> int:
    """Return the code of a hand with one more card, from 1, the ace, to 13, the king.

    Code 0 is the hand without cards.
    """
    hard = (code & 31) - (10 if code & SOFT_CODE else 0) + min(card, 10)
    has_ace = bool(code & SOFT_CODE) or card == 1
    return SOFT_CODE + hard + 10 if has_ace and hard <= 11 else min(hard, MOST_CODE)


def code_of(hand: str) -> int:
    """Return the code of one of HARD or SOFT."""
    return SOFT_CODE + 11 + int(hand[1]) if hand in SOFT else int(hand)


def hand_of(code: int) -> str:
    """Return the line of HARD or SOFT by which a hand of this code is played."""
    total = code & 31
    return f"A{max(2, total - 11)}" if code & SOFT_CODE else str(max(4, total))
