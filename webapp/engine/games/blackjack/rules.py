"""The rules of a blackjack table, as a value, and in one word for a link: ``vegas``, ``vegas,decks=2,soft_17=hit``."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from webapp.engine import rule_words
from webapp.engine.errors import SetupError
from webapp.engine.game import Bets

DEALER_STANDS: Final = 17
"""Lowest hard total on which the dealer stands, at every table."""

_BONUSES: Final = {"3:2": (3, 2), "6:5": (6, 5), "1:1": (1, 1)}
_DOUBLE_TOTALS: Final = {"any": range(22), "9-11": range(9, 12), "10-11": range(10, 12), "none": range(0)}

PLACES: Final = Bets(start=1000, least=10, most=1000, boxes=3)


@dataclass(frozen=True, slots=True)
class BlackjackRules:
    """Field by field what a casino prints on its card. Every combination can be played."""

    decks: int = 6
    penetration: float = 0.75
    """Share of the shoe that is dealt before it is shuffled, always between rounds."""
    soft_17: Literal["stand", "hit"] = "stand"
    hole_card: Literal["peek", "no_peek"] = "peek"
    """``peek``: the dealer looks for blackjack before anyone acts. ``no_peek``: the second card comes last of all."""
    lose: Literal["original", "all"] = "original"
    """What a dealer's blackjack takes from a box without a peek: its first bet, or all that was put in."""
    blackjack_pays: Literal["3:2", "6:5", "1:1"] = "3:2"
    double_on: Literal["any", "9-11", "10-11", "none"] = "any"
    double_after_split: bool = True
    split_by: Literal["value", "rank", "none"] = "value"
    max_hands: int = 4
    resplit_aces: bool = False
    hit_split_aces: bool = False
    surrender: Literal["none", "late"] = "none"
    insurance: bool = True
    auto_stand_21: bool = True
    naturals: bool = True
    fresh_deck: bool = False
    """Whether every round is dealt from a new deck; otherwise a shoe lives across rounds."""
    bets: Bets | None = PLACES

    @property
    def pays(self) -> bool:
        """Without bets a round is won, lost or drawn, and that is all."""
        return self.bets is not None

    def dealer_draws(self, total: int, soft: bool) -> bool:
        """Return True if the dealer takes another card to this total."""
        return total < DEALER_STANDS or (soft and total == DEALER_STANDS and self.soft_17 == "hit")

    def blackjack_bonus(self, bet: int) -> int:
        """Return the chips that a natural wins beside its bet, rounded down to a chip."""
        won, per = _BONUSES[self.blackjack_pays]
        return bet * won // per

    def may_double_total(self, total: int) -> bool:
        """Return True if two cards of this total, as it is displayed, may be doubled."""
        return total in _DOUBLE_TOTALS[self.double_on]

    @property
    def in_force(self) -> tuple[str, ...]:
        """Fields of CHOICES that make a difference beside the others: what a table has to say of itself."""
        idle = {"penetration"} if self.fresh_deck else set()
        if self.hole_card == "peek" or not self.naturals:
            idle.add("lose")
        if not self.naturals:
            idle |= {"blackjack_pays", "insurance", "hole_card"}
        if self.split_by == "none":
            idle |= {"double_after_split", "max_hands", "resplit_aces", "hit_split_aces"}
        if self.double_on == "none":
            idle.add("double_after_split")
        return tuple(name for name in CHOICES if name not in idle)


PRESETS: Final[Mapping[str, BlackjackRules]] = {
    "vegas": BlackjackRules(),
    "downtown": BlackjackRules(decks=2, soft_17="hit"),
    "european": BlackjackRules(hole_card="no_peek", double_on="9-11", lose="all"),
    "single": BlackjackRules(decks=1, blackjack_pays="6:5", soft_17="hit", double_after_split=False),
    "classic": BlackjackRules(
        decks=1,
        fresh_deck=True,
        bets=None,
        naturals=False,
        double_on="none",
        split_by="none",
        insurance=False,
        auto_stand_21=False,
    ),
}

CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "decks": tuple(range(1, 9)),
    "penetration": tuple(percent / 100 for percent in range(50, 91, 5)),
    "soft_17": ("stand", "hit"),
    "hole_card": ("peek", "no_peek"),
    "lose": ("original", "all"),
    "blackjack_pays": ("3:2", "6:5", "1:1"),
    "double_on": ("any", "9-11", "10-11", "none"),
    "double_after_split": (True, False),
    "split_by": ("value", "rank", "none"),
    "max_hands": (2, 3, 4),
    "resplit_aces": (False, True),
    "hit_split_aces": (False, True),
    "surrender": ("none", "late"),
    "insurance": (True, False),
    "auto_stand_21": (True, False),
}
"""What *own rules* may choose from. The rest belongs to the preset."""


def _word(choice: object) -> str:
    return str(choice).lower()


_CHOICE_OF_WORD: Final = {name: {_word(choice): choice for choice in choices} for name, choices in CHOICES.items()}


def _choice(name: str, word: str) -> object:
    return _CHOICE_OF_WORD[name][word]


def parse_rules(text: str, presets: Mapping[str, BlackjackRules] = PRESETS) -> BlackjackRules:
    """The rules a word stands for. SetupError names what is not understood, or not written the one right way."""
    return rule_words.parse_rule_words(
        text, presets, _choice, lambda rules, preset: format_rules(rules, preset, presets)
    )


def rules_from_choices(words: Mapping[str, str], preset: str = "vegas") -> BlackjackRules:
    """Own rules, chosen field by field; what is not chosen is as in the preset. SetupError for a wrong choice."""
    changes = (f"{name}={word}" for name, word in words.items())
    return replace(PRESETS[preset], **rule_words.parse_choices(changes, _choice))


def format_rules(rules: BlackjackRules, preset: str = "vegas", presets: Mapping[str, BlackjackRules] = PRESETS) -> str:
    """The word for rules: a preset, and in the order of the fields what differs from it.

    SetupError if something differs that is not a table's to choose.
    """
    differing = rule_words.differences(rules, presets[preset])
    for name, choice in differing:
        if choice not in CHOICES.get(name, ()):
            raise SetupError(f"{preset} cannot be played with {name}={_word(choice)}")
    return ",".join((preset, *(f"{name}={_word(choice)}" for name, choice in differing)))
