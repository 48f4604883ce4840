"""Words that all games of twenty-one share: results of a hand and of a round, and what was done."""

from collections.abc import Mapping
from typing import Final

from webapp.engine.words import N_, NP_, Text

OUTCOMES: Final[Mapping[str, Text]] = {
    "BLACKJACK": N_("Blackjack"),
    "WIN": N_("Won"),
    "DEALER_BUST": N_("Dealer bust"),
    "PUSH": N_("Push"),
    "LOSE": N_("Lost"),
    "BUST": N_("Bust"),
    "DEALER_BLACKJACK": N_("Dealer’s blackjack"),
    "ROUND_WON": N_("Round won"),
    "ROUND_EVEN": N_("Round even"),
    "ROUND_LOST": N_("Round lost"),
    "VOID": N_("Void"),
}

MOVES: Final[Mapping[str, Text]] = {
    "hit": NP_("move", "hit"),
    "stand": NP_("move", "stand"),
    "double": NP_("move", "double"),
    "split": NP_("move", "split"),
}
