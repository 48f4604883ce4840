"""Bets: what may be staked at a table, and where."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

MOST_OF_SEVERAL: Final = 9_999_999
"""The most on each of several lines."""


@dataclass(frozen=True, slots=True)
class Bets:
    """Limits in chips, and the places where a stake may lie.

    start: chips of a full purse. least, most: for each place; ``most`` None is all that the purse holds. boxes: how
    many places there are. places: their names, in the order of the stakes. positional: if true every place means
    something else, so stakes have a number for each of them, 0 where nothing lies; otherwise places are alike, and are
    filled from the first. chips: the sizes of chips that are offered, the smallest first. lines: how many times the
    stake of the one place may be laid, once for each of several hands that are played alike.
    """

    start: int = 100
    least: int = 1
    most: int | None = None
    boxes: int = field(init=False)
    places: tuple[str, ...] = ("bet",)
    positional: bool = False
    chips: tuple[int, ...] = (1, 5, 25, 100)
    lines: tuple[int, ...] = (1,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "boxes", len(self.places))

    def allow(self, stakes: tuple[int, ...]) -> bool:
        """Return whether these stakes may lie on the table."""
        most = max(stakes, default=0) if self.most is None else self.most
        if len(stakes) > 1 and len(self.lines) > 1:
            alike = len(stakes) in self.lines and len(set(stakes)) == 1
            return alike and self.least <= stakes[0] <= min(most, MOST_OF_SEVERAL)
        placed = [stake for stake in stakes if stake or not self.positional]
        fits = len(stakes) == self.boxes if self.positional else len(stakes) <= self.boxes
        return fits and bool(placed) and all(self.least <= stake <= most for stake in placed)

    def most_for(self, purse: int, lines: int = 1) -> int:
        """Return the highest stake that a purse can pay in one place or on each of several lines; 0 if none."""
        most = min(purse // lines, purse if self.most is None else self.most)
        return 0 if most < self.least else most if lines == 1 else min(most, MOST_OF_SEVERAL)


def stakes_from(fields: Sequence[int | None], bets: Bets | None) -> tuple[int, ...]:
    """Return the stakes of the fields of a form, one a place; None is a field that was left empty.

    Where places are alike empty fields are left out, and one that says 0 alone is no stake.
    """
    if bets is not None and bets.positional:
        return tuple(chips or 0 for chips in fields)
    stakes = tuple(chips for chips in fields if chips is not None)
    return () if stakes == (0,) else stakes
