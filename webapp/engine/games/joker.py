"""Joker poker: 53 cards, one of them wild, bets, up to three exchanges."""

from dataclasses import replace
from typing import Final

from webapp.engine.families.double_up import DoubleUp
from webapp.engine.families.draw import DrawGame, Rules
from webapp.engine.game import Bets
from webapp.engine.pay_tables import ARCADE, KINGS_OR_BETTER

_PRESETS: Final = {
    "arcade": Rules(pay_table=ARCADE, exchanges=3, jokers=1, may_stop=True, bets=Bets()),
    "arcade-1": Rules(pay_table=ARCADE, exchanges=1, jokers=1, may_stop=True, bets=Bets()),
    "kings-or-better": Rules(pay_table=KINGS_OR_BETTER, exchanges=1, jokers=1, may_stop=True, bets=Bets()),
}

GAME = DrawGame(
    "joker",
    _PRESETS | {f"{name}-double": replace(rules, double_up=DoubleUp()) for name, rules in _PRESETS.items()},
)
