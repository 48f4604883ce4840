"""The rules of a blackjack table, as a value, and as one word of a link: ``vegas``, ``vegas,decks=2,soft_17=hit``.

What follows from a rule is said here once; play, settlement, simulation and basic strategy all ask for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from webapp.engine import rule_notation
from webapp.engine.bets import Bets
from webapp.engine.cards import Card
from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack import shoe
from webapp.engine.twenty_one.hand import value

DEALER_STANDS: Final = 17
"""Lowest hard total on which the dealer stands, at every table."""

_BONUSES: Final = {"3:2": (3, 2), "6:5": (6, 5), "1:1": (1, 1)}
_DOUBLE_TOTALS: Final = {"any": range(22), "9-11": range(9, 12), "10-11": range(10, 12), "none": range(0)}

BOXES: Final = ("box-1", "box-2", "box-3")
BETS: Final = Bets(start=1000, least=10, most=1000, places=BOXES, chips=(10, 25, 100, 500))


@dataclass(frozen=True, slots=True)
class BlackjackRules:
    """Field by field what a casino prints on its card. Every combination can be played."""

    decks: int = 6
    penetration: float = 0.75
    """Share of the shoe that is dealt before it is shuffled, always between rounds."""
    shuffle: Literal["cut_card", "continuous"] = "cut_card"
    """``continuous``: a machine takes the cards of each round back and shuffles all of them before the next."""
    soft_17: Literal["stand", "hit"] = "stand"
    hole_card: Literal["peek", "no_peek"] = "peek"
    """``peek``: the dealer looks for blackjack before anyone acts. ``no_peek``: the second card comes last of all."""
    lose: Literal["original", "all"] = "original"
    """A dealer's blackjack without a peek takes the first bet of a box, or all that was put in."""
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
    deal: Literal["face_up", "pitch"] = "face_up"
    """Looks of the player's first cards, and nothing else: ``pitch`` deals them face down for the player to turn."""
    naturals: bool = True
    fresh_deck: bool = False
    """If true every round is dealt from a new deck; otherwise a shoe lives across rounds."""
    bets: Bets | None = BETS

    @property
    def pays(self) -> bool:
        """Chips are paid; without bets a round is only won, lost or drawn."""
        return self.bets is not None

    def dealer_draws(self, total: int, soft: bool) -> bool:
        """Return True if the dealer takes another card to this total."""
        return total < DEALER_STANDS or (soft and total == DEALER_STANDS and self.soft_17 == "hit")

    def blackjack_bonus(self, bet: int) -> int:
        """Return the chips that a natural wins beside its bet, rounded down to a chip."""
        won, per = _BONUSES[self.blackjack_pays]
        return bet * won // per

    @property
    def only_hit_and_stand(self) -> bool:
        """No hand is ever doubled, split or surrendered."""
        return self.double_on == "none" and self.split_by == "none" and self.surrender == "none"

    def insurance_loses(self, known: Sequence[Card]) -> bool:
        """Return True if at most every third of the cards that are not known is a ten."""
        tens = 16 * self.decks - sum(value(card) == 10 for card in known)
        return 3 * tens <= 52 * self.decks - len(known)

    def may_double_total(self, total: int) -> bool:
        """Return True if two cards of this total, as it is displayed, may be doubled."""
        return total in _DOUBLE_TOTALS[self.double_on]

    @property
    def loses_first_bet_only(self) -> bool:
        """A dealer's natural that is found after the boxes have played takes no more than the first bet of a box."""
        return self.hole_card == "no_peek" and self.lose == "original"

    @property
    def surrender_is_early(self) -> bool:
        """A surrender comes before it is known if the dealer has a natural, and saves half the bet even from one."""
        return self.surrender == "late" and self.hole_card == "no_peek" and self.naturals

    @property
    def shuffled_each_round(self) -> bool:
        """Every round is dealt from all cards: those seen before say nothing about it."""
        return self.fresh_deck or self.shuffle == "continuous"

    @property
    def shoe_cards(self) -> int:
        """Cards of a whole shoe."""
        return shoe.size(self)

    @property
    def cut_card(self) -> int | None:
        """Cards after which the shoe is shuffled; None where every round is dealt from all cards."""
        return None if self.shuffled_each_round else shoe.shuffled_at(self)

    @property
    def cut_percent(self) -> int | None:
        """Part of the shoe in front of the cut card, in whole per cent; None where there is no cut card."""
        return None if self.cut_card is None else round(100 * self.cut_card / self.shoe_cards)

    @property
    def deepest_cut_cards(self) -> tuple[shoe.CutCard, ...]:
        """The latest cut card of own rules, for each number of decks with which not every share can be had."""
        return _deepest_cut_cards()

    def most_cards(self, boxes: int) -> int:
        """Return the maximum number of cards of a round with this number of boxes."""
        return shoe.reserve(self, boxes)

    @property
    def in_force(self) -> tuple[str, ...]:
        """Fields of CHOICES that make a difference beside the others: what a table has to say of itself."""
        moot = {"penetration"} if self.shuffled_each_round else {"shuffle"}
        if self.fresh_deck:
            moot.add("shuffle")
        if self.hole_card == "peek" or not self.naturals:
            moot.add("lose")
        if not self.naturals:
            moot |= {"blackjack_pays", "insurance", "hole_card"}
        if self.split_by == "none":
            moot |= {"double_after_split", "max_hands", "resplit_aces", "hit_split_aces"}
        if self.double_on == "none":
            moot.add("double_after_split")
        return tuple(name for name in CHOICES if name not in moot)


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
    "shuffle": ("cut_card", "continuous"),
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
    "deal": ("face_up", "pitch"),
}
"""Choices of *own rules*. The rest belongs to the preset."""


@cache
def _deepest_cut_cards() -> tuple[shoe.CutCard, ...]:
    deepest = max(float(str(share)) for share in CHOICES["penetration"])
    shoes = (replace(PRESETS["vegas"], decks=int(str(decks)), penetration=deepest) for decks in CHOICES["decks"])
    return tuple(
        shoe.CutCard(rules.decks, shoe.shuffled_at(rules), shoe.size(rules))
        for rules in shoes
        if shoe.shuffled_at(rules) < shoe.cut_card(rules)
    )


def _word(choice: object) -> str:
    return str(choice).lower()


_CHOICE_OF_WORD: Final = {name: {_word(choice): choice for choice in choices} for name, choices in CHOICES.items()}


def _choice(name: str, word: str) -> object:
    return _CHOICE_OF_WORD[name][word]


def parse_rules(text: str, presets: Mapping[str, BlackjackRules] = PRESETS) -> BlackjackRules:
    """Parse the name of a table. SetupError for an unknown preset, field or value, and for any other spelling."""
    return rule_notation.parse_rule_words(
        text, presets, _choice, lambda rules, preset: format_rules(rules, preset, presets)
    )


def rules_from_choices(words: Mapping[str, str], preset: str = "vegas") -> BlackjackRules:
    """Return own rules, chosen field by field; the rest is as in the preset. SetupError for a wrong choice."""
    changes = (f"{name}={word}" for name, word in words.items())
    return replace(PRESETS[preset], **rule_notation.parse_choices(changes, _choice))


def format_rules(rules: BlackjackRules, preset: str = "vegas", presets: Mapping[str, BlackjackRules] = PRESETS) -> str:
    """Return the word for rules: a preset, and in the order of the fields what differs from it.

    SetupError if something differs that cannot be chosen.
    """
    differing = rule_notation.differences(rules, presets[preset])
    for name, choice in differing:
        if choice not in CHOICES.get(name, ()):
            raise SetupError(f"{preset} cannot be played with {name}={_word(choice)}")
    return ",".join((preset, *(f"{name}={_word(choice)}" for name, choice in differing)))
