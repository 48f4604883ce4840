"""Words of quest poker."""

from typing import Final

from webapp.engine.draw_poker.words import DRAWN, MESSAGES, OUTCOMES, REFUSALS
from webapp.engine.words import N_, GameWords

WORDS: Final = GameWords(
    title=N_("Quest poker"),
    claim=N_("One exchange, then double or collect"),
    variants={"quest": N_("House rules"), "quest-ties-win": N_("An equal card wins")},
    outcomes=OUTCOMES,
    drawn=DRAWN,
    messages=MESSAGES,
    refusals=REFUSALS,
)
