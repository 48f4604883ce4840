"""Words of draw poker and its double-up."""

from collections.abc import Mapping
from typing import Final

from webapp.engine.poker import words as poker
from webapp.engine.words import N_, Argument, Form, Message, Sentence, Text

OUTCOMES: Final = poker.OUTCOMES
DRAWN: Final = poker.DRAWN

_RANKS: Final = {"picked": Argument("picked", Form.RANK), "open": Argument("open", Form.RANK)}
_MISSING: Final = {"suit": Argument("suit", Form.SUIT)}

MESSAGES: Final[Mapping[str, Sentence]] = {
    **poker.MESSAGES,
    "DEALT": N_("Dealt: %(cards)s"),
    "DREW": N_("Drawn: %(cards)s"),
    "NEAR_ROYAL_FLUSH": Message(N_("One %(suit)s short of a royal flush"), _MISSING),
    "NEAR_STRAIGHT_FLUSH": Message(N_("One %(suit)s short of a straight flush"), _MISSING),
    "HELD_NONE": N_("Nothing worth keeping"),
    "HELD_CARDS": "%(cards)s",
    "HELD_ROYAL": N_("%(count)s cards to a royal flush"),
    "HELD_STRAIGHT_FLUSH": N_("%(count)s cards to a straight flush"),
    "HELD_FLUSH": N_("%(count)s cards to a flush"),
    "HELD_STRAIGHT_OPEN": N_("%(count)s cards to a straight, open at both ends"),
    "HELD_STRAIGHT": N_("%(count)s cards to a straight"),
    "HELD_WILD": N_("Only what is wild"),
    "HELD_HIGH_ONE": N_("One high card"),
    "HELD_HIGH_TWO": N_("Two high cards"),
    "HELD_SUITED": N_("Two cards of one suit"),
    "HELD_OTHER": N_("Other cards"),
    "KEPT_ALL": N_("All five kept"),
    "STOPPED": N_("All five kept"),
    "LINES_PAY": N_("%(paying)s of %(count)s hands pay %(score)s"),
    "LINES_PAY_ONE": N_("One of %(count)s hands pays %(score)s"),
    "LINES_PAY_NONE": N_("None of the %(count)s hands pays"),
    "OPEN_CARD": N_("Beat the %(card)s"),
    "DOUBLE_WIN": Message(
        N_("The %(picked)s beats the %(open)s"), _RANKS, alike=N_("%(picked)s equals %(open)s, and wins")
    ),
    "DOUBLE_TIE": Message(N_("%(picked)s meets %(open)s"), _RANKS),
    "DOUBLE_LOSE": Message(N_("The %(picked)s loses to the %(open)s"), _RANKS),
    "DOUBLED_ONCE": N_("Doubled once"),
    "DOUBLED_TWICE": N_("Doubled twice"),
    "DOUBLED_TIMES": N_("Doubled %(count)s times"),
    "COLLECTED": N_("Collected %(score)s"),
    "COLLECTED_AT_LIMIT": N_("Collected %(score)s: the limit of this table"),
}

REFUSALS: Final[Mapping[str, Text]] = {
    "hold": N_("Hold cards by their positions, 1 to 5, each at most once. Your hand is as it was."),
    "mark": N_("Only the cards 1 to 5 can be held, before they are exchanged."),
    "pick": N_("Pick one of the four cards, 1 to 4. The same cards are still on the table."),
}
