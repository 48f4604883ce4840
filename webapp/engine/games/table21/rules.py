"""Rules of a table at which one of the players banks, as a value and as one word: ``house,turn_clock=30``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from webapp.engine import rule_notation
from webapp.engine.bets import Bets
from webapp.engine.errors import SetupError

SEATS: Final = 5
PURSE: Final = 1000
CHIPS: Final = (10, 50, 100)
BANKER_STANDS: Final = 17
"""The banker draws below this total, stands on a hard one of it or more, and chooses at a soft one."""
WORST: Final = 2
"""The most that a bet can cost the banker, in bets: a double and both hands of a split are two, a natural is less."""


@dataclass(frozen=True, slots=True)
class Table21Rules:
    """Limits in chips, clocks in seconds."""

    min_bet: int = 10
    max_bet: int = 200
    bet_clock: int = 20
    turn_clock: int = 20
    """Seconds for each action."""
    bank_rounds: int = 1
    """Rounds that one player banks before the next one does."""
    absent_after: int = 30
    """Seconds without a heartbeat, in any phase, after which a player is away."""
    on_absent: Literal["free", "close"] = "free"
    """If somebody is still away at the end of a round, the seat is free, or the whole table closes."""
    blackjack_pays: Literal["3:2"] = "3:2"

    @property
    def bets(self) -> Bets:
        """Limits of one seat's bet."""
        return Bets(start=PURSE, least=self.min_bet, most=self.max_bet, chips=CHIPS)

    @property
    def pays(self) -> bool:
        """Chips."""
        return True

    def most_bet(self, bank: int, placed: int, to_come: int) -> int:
        """Return the highest bet that the banker can pay at its worst; 0 if not even the lowest.

        bank: chips that the banker has put up; placed: the sum of the bets that lie; to_come: seats that still bet
        after this one, for each of which the lowest bet is kept free.
        """
        most = min(self.max_bet, bank // WORST - placed - to_come * self.min_bet)
        return most if most >= self.min_bet else 0

    def bet_limits(self, stakes: Mapping[int, int], banker: int, seat: int) -> tuple[int, int]:
        """Return the lowest and the highest bet of a seat, as the banker can pay them; (0, 0) for none.

        stakes: the bets by seat, 0 for one that is to come, and what the banker has put up.
        """
        others = [chips for other, chips in stakes.items() if other not in (banker, seat)]
        most = self.most_bet(stakes[banker], sum(others), others.count(0))
        return (self.min_bet, most) if most else (0, 0)

    def least_bank(self, players: int) -> int:
        """Return the chips a banker needs at least, to pay the lowest bets of all at their worst."""
        return WORST * self.min_bet * players

    def full_bank(self, players: int) -> int:
        """Return the chips with which a banker can pay whatever may be bet."""
        return WORST * self.max_bet * players


PRESETS: Final[Mapping[str, Table21Rules]] = {"house": Table21Rules()}

CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "min_bet": (1, 5, 10, 20, 50, 100),
    "max_bet": (50, 100, 200, 500, 1000),
    "bet_clock": (10, 20, 30, 60),
    "turn_clock": (10, 20, 30, 60),
    "bank_rounds": (1, 2, 3),
    "absent_after": (15, 30, 60, 120),
    "on_absent": ("free", "close"),
}
"""Choices that are offered. Other numbers may be asked for too, within RANGES."""

RANGES: Final[Mapping[str, range]] = {
    "min_bet": range(1, 101),
    "max_bet": range(1, 1001),
    "bet_clock": range(1, 301),
    "turn_clock": range(1, 301),
    "bank_rounds": range(1, 4),
    "absent_after": range(4, 601),  # pages send heartbeats three times as often, and it takes a second to spread them
}


def parse_rules(text: str, presets: Mapping[str, Table21Rules] = PRESETS) -> Table21Rules:
    """Parse the name of a table. SetupError for an unknown preset, field or value, and for any other spelling."""
    return rule_notation.parse_rule_words(
        text, presets, _choice, lambda rules, preset: format_rules(rules, preset, presets)
    )


def rules_from_choices(words: Mapping[str, str]) -> Table21Rules:
    """Return rules chosen field by field, the rest as at the first table. SetupError for a wrong choice."""
    rules = Table21Rules(**rule_notation.parse_choices((f"{name}={word}" for name, word in words.items()), _choice))
    format_rules(rules)
    return rules


def format_rules(rules: Table21Rules, preset: str = "house", presets: Mapping[str, Table21Rules] = PRESETS) -> str:
    """Return the word for rules: a preset, and by field what differs from it. SetupError if they cannot be."""
    if rules.max_bet < rules.min_bet:
        raise SetupError(f"the highest bet is below the lowest: {rules.max_bet} < {rules.min_bet}")
    differing = rule_notation.differences(rules, presets[preset])
    return ",".join((preset, *(f"{name}={choice}" for name, choice in differing)))


def _choice(name: str, word: str) -> object:
    if word.isascii() and word.isdigit() and len(word) <= 6 and int(word) in RANGES.get(name, ()):
        return int(word)
    if word in CHOICES.get(name, ()):
        return word
    raise KeyError(name)
