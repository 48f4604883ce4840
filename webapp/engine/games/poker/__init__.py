"""Quest poker: one exchange, a score by the table, then double or collect. No stake, no opponent."""

from webapp.engine.draw_poker.double_up import DoubleUp
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.games.poker.words import WORDS
from webapp.engine.poker.pay_tables import QUEST
from webapp.engine.spec import Daily

GAME = DrawGame(
    "poker",
    {
        "quest": DrawRules(pay_table=QUEST, double_up=DoubleUp()),
        "quest-ties-win": DrawRules(pay_table=QUEST, double_up=DoubleUp(tie="win")),
    },
    WORDS,
    Daily("quest"),
)
