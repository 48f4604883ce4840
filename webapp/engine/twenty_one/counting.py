"""Systems of counting cards: what every card that is seen adds to the count.

A system is *balanced* if the tags of a whole deck add up to 0. Its count is divided by the decks that are unseen, which
is the *true count*. The count of a system that is not balanced is not divided: it starts below 0, and is the higher the
more cards are gone, so that it says the same as a true count at one point only, its *pivot*.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import floor, trunc
from typing import Final, Literal, Self, get_args

from webapp.engine.cards import Card
from webapp.engine.errors import SetupError
from webapp.engine.twenty_one.hand import value

DECK: Final = (*(4,) * 9, 16)
"""Cards of a deck by value, from the ace to the ten."""
MOST_TAG: Final = 4
"""Greatest tag of own systems."""
_MINUS: Final = dict.fromkeys(map(ord, "−–‐‑－﹣"), "-")
"""Signs that are typed or copied in place of a hyphen: the minus sign, a dash, and hyphens of other kinds."""

Rounding = Literal["floor", "truncate", "nearest"]
"""How a true count becomes a whole number: down, towards 0, or to the nearest one, a half up."""
ROUNDINGS: Final[tuple[Rounding, ...]] = get_args(Rounding)


@dataclass(frozen=True, slots=True)
class CountingSystem:
    """A system. ``name``: one word. ``tags``: what a card adds, from the ace to the ten."""

    name: str
    tags: tuple[int, ...]

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the system of this name, or with these ten tags: ``-1,1,1,1,1,1,0,0,0,-1``, with any minus sign.

        Raises:
            SetupError: there is no such system; or all cards count the same, so that they tell nothing.
        """
        name = name.translate(_MINUS)
        for known, tags in SYSTEMS.items():
            if name == known or name == _word(tags):
                return cls(known, tags)
        allowed = {str(tag): tag for tag in range(-MOST_TAG, MOST_TAG + 1)}
        words = name.split(",")
        if len(words) != len(DECK) or not {*words} <= {*allowed}:
            raise SetupError(f"no such system: {name[:80]!r}; there are {', '.join(SYSTEMS)}, and ten tags of your own")
        if len({*words}) == 1:
            raise SetupError("all cards count the same")
        return cls(name, tuple(allowed[word] for word in words))

    def tag(self, card: Card) -> int:
        """Return what a card adds to the count."""
        return self.tags[value(card) - 1]

    @property
    def runs(self) -> tuple[tuple[int, int, int], ...]:
        """Cards of neighbouring values that add the same: the first and the last of them, from 2 to the ace (11)."""
        tags = [(card, self.tags[(card - 1) % 10]) for card in range(2, 12)]
        grouped = ([card for card, _ in run] for _, run in groupby(tags, key=lambda each: each[1]))
        return tuple((run[0], run[-1], self.tags[(run[0] - 1) % 10]) for run in grouped)

    @property
    def surplus(self) -> int:
        """Sum of the tags of a whole deck, 0 if the system is balanced."""
        return sum(tag * cards for tag, cards in zip(self.tags, DECK, strict=True))

    @property
    def is_balanced(self) -> bool:
        """The tags of a whole deck add up to 0."""
        return not self.surplus

    @property
    def variance(self) -> float:
        """Variance of the tags of a deck."""
        squares = sum(tag**2 * cards for tag, cards in zip(self.tags, DECK, strict=True))
        return squares / 52 - (self.surplus / 52) ** 2

    def start(self, decks: int) -> int:
        """Return the count before the first card, so that a whole shoe ends at ``surplus``: -20 of KO, six decks."""
        return self.surplus * (1 - decks)

    def most(self, shoe: int, seen: int = 1) -> int:
        """Return the highest count, up or down, to which some of ``seen`` decks of a shoe with so many can come."""
        sides = (
            sum(max(sign * tag, 0) * cards for tag, cards in zip(self.tags, DECK, strict=True)) for sign in (1, -1)
        )
        return abs(self.start(shoe)) + max(sides) * seen

    def running(self, seen: Iterable[Card], decks: int) -> int:
        """Return the count once these cards of a shoe are seen."""
        return self.start(decks) + sum(map(self.tag, seen))


def is_system(text: str) -> bool:
    """Return whether ``CountingSystem.parse`` can read it."""
    try:
        CountingSystem.parse(text)
    except SetupError:
        return False
    return True


def true_count(running: int, decks: Fraction, rounding: Rounding) -> int:
    """Return the true count of a balanced system, as a whole number. ``decks``: those that are unseen."""
    exact = running / decks
    match rounding:
        case "floor":
            return floor(exact)
        case "truncate":
            return trunc(exact)
        case "nearest":
            return floor(exact + Fraction(1, 2))


def _word(tags: tuple[int, ...]) -> str:
    return ",".join(map(str, tags))


SYSTEMS: Final = {
    "hi-lo": (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1),
    "ko": (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1),
    "hi-opt-2": (0, 1, 1, 2, 2, 1, 1, 0, 0, -2),
    "zen": (-1, 1, 1, 2, 2, 2, 1, 0, 0, -2),
}
"""Tags of the usual systems, from the ace to the ten."""
NAMES: Final[Mapping[str, str]] = {"hi-lo": "Hi-Lo", "ko": "KO", "hi-opt-2": "Hi-Opt II", "zen": "Zen"}
"""Names of the systems, which are the same in all languages."""
HI_LO: Final = CountingSystem("hi-lo", SYSTEMS["hi-lo"])
