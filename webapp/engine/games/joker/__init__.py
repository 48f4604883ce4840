"""Joker poker: 53 cards, one of them wild, bets, up to three exchanges."""

from dataclasses import replace
from typing import Final

from webapp.engine.draw_poker.double_up import DoubleUp
from webapp.engine.draw_poker.game import DrawGame, DrawRules
from webapp.engine.game import Bets
from webapp.engine.poker.pay_tables import ARCADE, KINGS_OR_BETTER

_PRESETS: Final = {
    "arcade": DrawRules(pay_table=ARCADE, exchanges=3, jokers=1, may_stop=True, bets=Bets()),
    "arcade-1": DrawRules(pay_table=ARCADE, exchanges=1, jokers=1, may_stop=True, bets=Bets()),
    "kings-or-better": DrawRules(pay_table=KINGS_OR_BETTER, exchanges=1, jokers=1, may_stop=True, bets=Bets()),
}

GAME = DrawGame(
    "joker",
    _PRESETS | {f"{name}-double": replace(rules, double_up=DoubleUp()) for name, rules in _PRESETS.items()},
)
