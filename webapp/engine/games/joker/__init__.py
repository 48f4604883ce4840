"""Joker poker: 53 cards, one of them wild, bets, up to three exchanges."""

from dataclasses import replace
from typing import Final

from webapp.engine.bets import Bets
from webapp.engine.draw_poker.double_up import DoubleUp
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.games.joker.words import WORDS
from webapp.engine.poker.pay_tables import ARCADE, KINGS_OR_BETTER
from webapp.engine.spec import Daily

_BETS: Final = Bets(start=100, least=1, chips=(1, 5, 25, 100))

_PRESETS: Final = {
    "arcade": DrawRules(pay_table=ARCADE, exchanges=3, jokers=1, may_stop=True, bets=_BETS),
    "arcade-1": DrawRules(pay_table=ARCADE, exchanges=1, jokers=1, may_stop=True, bets=_BETS),
    "kings-or-better": DrawRules(pay_table=KINGS_OR_BETTER, exchanges=1, jokers=1, may_stop=True, bets=_BETS),
}

GAME = DrawGame(
    "joker",
    _PRESETS | {f"{name}-double": replace(rules, double_up=DoubleUp()) for name, rules in _PRESETS.items()},
    WORDS,
    Daily("kings-or-better", (10,)),
)
