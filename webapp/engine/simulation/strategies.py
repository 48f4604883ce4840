"""How a simulated player plays: a table by total and dealer's card, and whether insurance is taken."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from webapp.engine.errors import SetupError

WORDS: Final = ("S", "H", "Dh", "Ds", "Rh", "Rs", "Rp", "P")
"""A cell of a table: stand, hit, double or else hit, double or else stand, surrender or else ..., split."""

NO_SPLIT: Final = "-"
"""In the line of a pair: it is played by its total."""

UPCARDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
"""The dealer's cards, in the order in which such tables are printed."""

HARD: Final = tuple(str(total) for total in range(4, 22))
SOFT: Final = tuple(f"A{kicker}" for kicker in range(2, 10))
PAIRS: Final = ("22", "33", "44", "55", "66", "77", "88", "99", "TT", "AA")
HANDS: Final = (*HARD, *SOFT, *PAIRS)

NAMES: Final = ("basic", "mimic", "never-bust")
STANDS: Final = {f"stand-{total}": total for total in range(4, 22)}
"""Names of those that stand on a total, and nothing else."""

Row = tuple[str, ...]

_LINE_OF: Final = {hand: line for line, hand in enumerate(HANDS)}
_COLUMN_OF: Final = {upcard: column for column, upcard in enumerate(UPCARDS)}


@dataclass(frozen=True)
class Strategy:
    """``rows``: one for each of HANDS, with a word for each of UPCARDS.

    A pair that is not split is played by its total, and so is one that may not be; two aces are then played as A2. A
    soft 21 stands.
    """

    name: str
    rows: tuple[Row, ...]
    insure: bool = False

    @classmethod
    def of(cls, name: str, rows: Mapping[str, Row], insure: bool = False) -> Self:
        return cls(name, tuple(rows[hand] for hand in HANDS), insure)

    def row(self, hand: str) -> Row:
        return self.rows[_LINE_OF[hand]]

    def word(self, hand: str, upcard: str) -> str:
        return self.row(hand)[_COLUMN_OF[upcard]]


def require_name(name: str) -> None:
    """SetupError unless there is such a strategy."""
    if name not in NAMES:
        least_of(name)


def least_of(name: str) -> int:
    """The N of ``stand-N``. SetupError."""
    if name in STANDS:
        return STANDS[name]
    raise SetupError(f"no such strategy: {name[:80]!r}; there are {', '.join(NAMES)} and stand-4 to stand-21")
