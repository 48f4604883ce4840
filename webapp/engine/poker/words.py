"""Names of poker hands: as a line of a pay table, and as a sentence with the ranks that are spoken."""

from collections.abc import Mapping
from typing import Final

from webapp.engine.words import N_, NP_, Argument, Form, Message, Sentence, Text

OUTCOMES: Final[Mapping[str, Text]] = {
    "NOTHING": N_("No hand"),
    "ONE_PAIR": N_("One pair"),
    "JOKER": N_("Joker"),
    "TWO_PAIR": N_("Two pair"),
    "THREE_OF_A_KIND": N_("Three of a kind"),
    "STRAIGHT": N_("Straight"),
    "FLUSH": N_("Flush"),
    "FULL_HOUSE": N_("Full house"),
    "FOUR_OF_A_KIND": N_("Four of a kind"),
    "STRAIGHT_FLUSH": N_("Straight flush"),
    "ROYAL_FLUSH": N_("Royal flush"),
    "FIVE_OF_A_KIND": N_("Five of a kind"),
    "NATURAL_ROYAL": N_("Natural royal flush"),
    "WILD_ROYAL": N_("Wild royal flush"),
    "FOUR_DEUCES": N_("Four deuces"),
    "FOUR_ACES_LOW": N_("Four aces with a 2, 3 or 4"),
    "FOUR_ACES": N_("Four aces"),
    "FOUR_LOW_LOW": N_("Four 2s, 3s or 4s with an ace to 4"),
    "FOUR_LOW": N_("Four 2s, 3s or 4s"),
    "FOUR_HIGH": N_("Four 5s to kings"),
    "JACKS_OR_BETTER": N_("Jacks or better"),
    "KINGS_OR_BETTER": N_("Pair of kings or aces"),
}

DRAWN: Final[Mapping[str, Text]] = {
    "ONE_PAIR": NP_("cards make", "a pair"),
    "JOKER": NP_("cards make", "a pair with the joker"),
    "TWO_PAIR": NP_("cards make", "two pair"),
    "THREE_OF_A_KIND": NP_("cards make", "three of a kind"),
    "STRAIGHT": NP_("cards make", "a straight"),
    "FLUSH": NP_("cards make", "a flush"),
    "FULL_HOUSE": NP_("cards make", "a full house"),
    "FOUR_OF_A_KIND": NP_("cards make", "four of a kind"),
    "STRAIGHT_FLUSH": NP_("cards make", "a straight flush"),
    "ROYAL_FLUSH": NP_("cards make", "the royal flush"),
    "FIVE_OF_A_KIND": NP_("cards make", "five of a kind"),
    "NATURAL_ROYAL": NP_("cards make", "the natural royal flush"),
    "WILD_ROYAL": NP_("cards make", "the wild royal flush"),
    "FOUR_DEUCES": NP_("cards make", "four deuces"),
    "FOUR_ACES_LOW": NP_("cards make", "four aces with a 2, 3 or 4"),
    "FOUR_ACES": NP_("cards make", "four aces"),
    "FOUR_LOW_LOW": NP_("cards make", "four 2s, 3s or 4s with an ace to 4"),
    "FOUR_LOW": NP_("cards make", "four 2s, 3s or 4s"),
    "FOUR_HIGH": NP_("cards make", "four of a rank from 5 to king"),
    "JACKS_OR_BETTER": NP_("cards make", "a pair of jacks or better"),
    "KINGS_OR_BETTER": NP_("cards make", "a pair of kings or aces"),
}
"""The same lines within a sentence: what cards make that come."""

_SEVERAL: Final = {"ranks": Argument("high", Form.PLURAL)}
_HIGHEST: Final = {"rank": Argument("high")}
_TWO_RANKS: Final = {"high": Argument("high", Form.PLURAL), "low": Argument("low", Form.PLURAL)}

MESSAGES: Final[Mapping[str, Sentence]] = {
    "NOTHING": N_("No hand"),
    "ONE_PAIR": Message(N_("Pair of %(ranks)s"), _SEVERAL),
    "JOKER": Message(N_("Joker: a pair of %(ranks)s"), _SEVERAL),
    "TWO_PAIR": Message(N_("Two pair, %(high)s and %(low)s"), _TWO_RANKS),
    "THREE_OF_A_KIND": Message(N_("Three %(ranks)s"), _SEVERAL),
    "STRAIGHT": Message(N_("Straight to the %(rank)s"), _HIGHEST),
    "FLUSH": Message(N_("Flush, %(rank)s high"), _HIGHEST),
    "FULL_HOUSE": Message(N_("Full house, %(high)s over %(low)s"), _TWO_RANKS),
    "FOUR_OF_A_KIND": Message(N_("Four %(ranks)s"), _SEVERAL),
    "STRAIGHT_FLUSH": Message(N_("Straight flush to the %(rank)s"), _HIGHEST),
    "ROYAL_FLUSH": N_("Royal flush"),
    "FIVE_OF_A_KIND": Message(N_("Five %(ranks)s"), _SEVERAL),
    "FOUR_DEUCES": N_("Four deuces"),
}
