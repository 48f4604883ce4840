"""Quest poker: one exchange, a score by the table, then double or collect. No stake, no opponent."""

from webapp.engine.families.double_up import DoubleUp
from webapp.engine.families.draw import DrawGame, Rules
from webapp.engine.pay_tables import QUEST

GAME = DrawGame(
    "poker",
    {
        "quest": Rules(pay_table=QUEST, double_up=DoubleUp()),
        "quest-ties-win": Rules(pay_table=QUEST, double_up=DoubleUp(tie="win")),
    },
)
