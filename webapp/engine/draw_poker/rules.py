"""The rules of a table of draw poker, as a value."""

from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from webapp.engine.action import ALONE, Action
from webapp.engine.bets import Bets
from webapp.engine.draw_poker.double_up import CARDS, DoubleUp
from webapp.engine.poker.pay_tables import PayTable
from webapp.engine.spec import MarkingWhatPays, Preference
from webapp.engine.words import N_

HAND: Final = 5
POSITIONS: Final = tuple(range(1, HAND + 1))
HOLDS: Final = tuple(
    Action(ALONE, "hold", held) for held in chain.from_iterable(combinations(POSITIONS, n) for n in range(HAND + 1))
)
HOLD: Final = HOLDS[0].verb
STOP: Final = Action(ALONE, "stop")
DOUBLE: Final = Action(ALONE, "double")
COLLECT: Final = Action(ALONE, "collect")
PICKS: Final = tuple(Action(ALONE, "pick", (n,)) for n in range(1, CARDS))

HOLD_WHAT_PAYS: Final = Preference(
    "hold_paying",
    N_("Hold what pays"),
    {"first": N_("In my first twenty hands"), "always": N_("On"), "never": N_("Off")},
)
MARKING: Final = MarkingWhatPays(HOLD_WHAT_PAYS.name, always="always", never="never", at_first="first", hands=20)


@dataclass(frozen=True, slots=True)
class DrawRules:
    """All numbers of a table. The pages print the rules from this value."""

    pay_table: PayTable
    exchanges: int = 1
    jokers: int = 0
    may_stop: bool = False
    """If true the player may end the exchanges early."""
    bets: Bets | None = None
    """With bets the pay table multiplies the bet; without, it is the score."""
    double_up: DoubleUp | None = None

    def __post_init__(self) -> None:
        if self.most_lines > 1 and (self.exchanges > 1 or self.double_up):
            raise ValueError("several hands are drawn at tables with one exchange and no double-up")

    @property
    def most_lines(self) -> int:
        """How many hands can be drawn from one hold, at most."""
        return max(self.bets.lines) if self.bets else 1

    def __getitem__(self, field: str) -> object:
        """Return a rule that own tables may choose: what a line pays, by its code in lower case. KeyError."""
        return {line.code.lower(): line.pays for line in self.pay_table.lines}[field]

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of these rules, in the order of the lines: other tables have other lines in between."""
        return tuple(line.code.lower() for line in self.pay_table.lines)

    @property
    def pays(self) -> bool:
        """Chips or a score."""
        return True
