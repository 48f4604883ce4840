"""Words of video poker."""

from typing import Final

from webapp.engine.draw_poker.words import DRAWN, MESSAGES, OUTCOMES, REFUSALS
from webapp.engine.games.video.own_tables import CHOICES, FAMILY
from webapp.engine.games.video.tables import RETURNS
from webapp.engine.words import N_, GameWords

WORDS: Final = GameWords(
    title=N_("Video poker"),
    claim=N_("Jacks or better, bonus and wild deuces"),
    variants={
        "jacks-9-6": N_("Jacks or Better 9/6"),
        "jacks-8-5": N_("Jacks or Better 8/5"),
        "jacks-6-5": N_("Jacks or Better 6/5"),
        "bonus-8-5": N_("Bonus Poker 8/5"),
        "double-bonus-10-7": N_("Double Bonus 10/7"),
        "double-double-9-6": N_("Double Double Bonus 9/6"),
        "deuces-full": N_("Deuces Wild, full pay"),
        "deuces-illinois": N_("Deuces Wild, Not So Ugly Ducks"),
    },
    outcomes=OUTCOMES,
    drawn=DRAWN,
    messages=MESSAGES,
    refusals=REFUSALS,
    rules={FAMILY: N_("Game"), **{word: OUTCOMES[word.upper()] for word in CHOICES if word != FAMILY}},
    choices={
        (FAMILY, "jacks"): N_("Jacks or Better"),
        (FAMILY, "bonus"): N_("Bonus Poker"),
        (FAMILY, "double-bonus"): N_("Double Bonus"),
        (FAMILY, "double-double"): N_("Double Double Bonus"),
        (FAMILY, "deuces"): N_("Deuces Wild"),
    },
    returns=RETURNS,
)
