"""Index numbers: the counts of cards at which another action becomes the best. This needs no NumPy."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from math import ceil, exp, floor, sqrt
from typing import Any, Final, NamedTuple, Protocol, Self, runtime_checkable

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.value import TableStore
from webapp.engine.twenty_one.counting import CountingSystem, Rounding

UPCARDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
"""The dealer's cards, in the order in which charts are usually printed."""

LETTERS: Final = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}
"""Letters of the actions in charts."""
_DEPTHS: Final = 20
_FRESH: Final = 0.2
"""Share of a fresh deck that is seen in a round."""
_FAR: Final = 2.5
"""Standard deviations from what is expected within which a running count comes up."""


class _Depth(NamedTuple):
    """How much of a shoe is seen: decks ``unseen``, and the mean and the variance of the ``running`` count there."""

    unseen: float
    running: float
    variance: float


@dataclass(frozen=True, slots=True)
class Turn:
    """A count at which the best action changes. ``count``: see ``CountIndices``. below, above: verbs of actions."""

    count: float
    below: str
    above: str


@dataclass(frozen=True, slots=True)
class Play:
    """A decision of basic strategy.

    hand: a hard total ``16``, a soft hand ``A7``, or a pair ``88``. up: the dealer's card. basic: verb of the best
    action from a full shoe. turns: in ascending order.
    """

    hand: str
    up: str
    basic: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class CountIndices:
    """The index numbers of a table.

    All counts are per 52 cards that are unseen, and from the pivot of the system: for a balanced system they are true
    counts. The cards of the hand and the dealer's card are counted.

    decks: of the shoe. dealt: the share of them that is dealt before the shuffle. least, most: limits between which
    turns are looked for. insurance: the count from which it pays, None if it cannot be bought or never pays in between.
    """

    system: CountingSystem
    decks: int
    dealt: float
    plays: tuple[Play, ...]
    insurance: float | None
    least: float
    most: float

    @classmethod
    def of(
        cls,
        rules: BlackjackRules,
        system: CountingSystem,
        plays: tuple[Play, ...],
        insurance: float | None,
        limits: tuple[float, float],
    ) -> Self:
        """Return the index numbers of a table with these rules."""
        dealt = rules.cut_card / rules.shoe_cards if rules.cut_card else _FRESH
        return cls(system, rules.decks, dealt, plays, insurance, *limits)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any], rules: BlackjackRules) -> Self:
        """Read what ``as_json`` returns, for the same rules. Turns beyond the limits are lost."""
        plays = tuple(
            Play(
                *(play["hand"], play["dealer"], play["basic"]),
                tuple(Turn(turn["count"], turn["below"], turn["above"]) for turn in play["turns"]),
            )
            for play in fields["plays"]
        )
        system = CountingSystem(fields["system"], tuple(fields["tags"]))
        return cls.of(rules, system, plays, fields["insurance_count"], tuple(fields["limits"]))

    def index(self, count: float, rounding: Rounding = "floor") -> int:
        """Return the index number of a turn: the count of the player from which the action above it is played.

        It is the true count, rounded: rounded down it stands for all up to the next one, rounded towards 0 below 0 for
        all from the one before and 0 for both, to the nearest for those around it. A turn counts from the middle.
        Where the system is not balanced it is the lowest running count that gains on average over the depths of the
        shoe, each as often as it has this count; the gain is taken to rise evenly with the count for each 52 cards.
        """
        if self.system.is_balanced:
            match rounding:
                case "floor":
                    return ceil(count - 0.5)
                case "truncate":
                    return max(1, ceil(count - 0.5)) if count > 0 else min(0, ceil(count + 0.5))
                case "nearest":
                    return ceil(count)
        ends = [self.system.surplus + count * depth.unseen for depth in self._depths]
        return next(running for running in range(floor(min(ends)), ceil(max(ends)) + 2) if self._gains(running, count))

    @property
    def limits(self) -> tuple[int, int]:
        """Lowest and highest index number that is of use; running counts beyond it hardly come up."""
        if self.system.is_balanced:
            return self.index(self.least), self.index(self.most)
        reach = [(depth.running, _FAR * sqrt(depth.variance)) for depth in self._depths]
        return round(min(running - far for running, far in reach)), round(max(running + far for running, far in reach))

    def turns(self, play: Play) -> tuple[tuple[int, Turn], ...]:
        """Return the turns of a decision that are within the limits, with their index numbers."""
        least, most = self.limits
        indices = ((self.index(turn.count), turn) for turn in play.turns)
        return tuple((index, turn) for index, turn in indices if least <= index <= most)

    @cached_property
    def _depths(self) -> tuple[_Depth, ...]:
        """Depths evenly from the first card to the cut card."""
        system, cards, depths = self.system, 52 * self.decks, []
        for step in range(_DEPTHS):
            seen = cards * self.dealt * (step + 0.5) / _DEPTHS
            running = system.start(self.decks) + system.surplus * seen / 52
            variance = system.variance * seen * (cards - seen) / (cards - 1)
            depths.append(_Depth((cards - seen) / 52, running, variance))
        return tuple(depths)

    def _gains(self, running: int, count: float) -> bool:
        """Return True if a running count is as high as a count for each 52 cards, on average over the depths."""
        weights = [-((running - depth.running) ** 2) / (2 * depth.variance) for depth in self._depths]
        most = max(weights)
        above = [(running - self.system.surplus) / depth.unseen - count for depth in self._depths]
        chances = [
            exp(weight - most) / sqrt(depth.variance) for weight, depth in zip(weights, self._depths, strict=True)
        ]
        return sum(chance * gain for chance, gain in zip(chances, above, strict=True)) >= 0

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        plays = [
            {
                "hand": play.hand,
                "dealer": play.up,
                "basic": play.basic,
                "turns": [asdict(turn) | {"index": index} for index, turn in self.turns(play)],
            }
            for play in self.plays
        ]
        insurance = self.insurance
        return {
            "system": self.system.name,
            "tags": list(self.system.tags),
            "balanced": self.system.is_balanced,
            "start": self.system.start(self.decks),
            "limits": list(self.limits),
            "insurance": None if insurance is None else self.index(insurance),
            "insurance_count": insurance,
            "plays": plays,
        }


@runtime_checkable
class IndexingCounts(Protocol):
    """Odds of a game whose players count cards."""

    def count_indices(self, variant: str, system: CountingSystem, store: TableStore) -> CountIndices:
        """Return the index numbers of a table. NoOdds."""
