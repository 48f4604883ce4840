"""Words of joker poker."""

from typing import Final

from webapp.engine.draw_poker.words import DRAWN, MESSAGES, OUTCOMES, REFUSALS
from webapp.engine.words import N_, GameWords

WORDS: Final = GameWords(
    title=N_("Joker poker"),
    claim=N_("One wild joker, bets, up to three exchanges"),
    variants={
        "arcade": N_("Arcade, three exchanges"),
        "arcade-1": N_("Arcade, one exchange"),
        "kings-or-better": N_("Casino, kings or better"),
        "arcade-double": N_("Arcade, three exchanges, with double-up"),
        "arcade-1-double": N_("Arcade, one exchange, with double-up"),
        "kings-or-better-double": N_("Casino, kings or better, with double-up"),
    },
    outcomes=OUTCOMES,
    drawn=DRAWN,
    messages=MESSAGES,
    refusals=REFUSALS,
)
