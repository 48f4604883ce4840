"""Video poker: draw poker with one exchange against the pay tables of casinos, some with wild deuces."""

from collections.abc import Mapping
from typing import Final

from webapp.engine.bets import Bets
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.games.video.own_tables import OwnPayTables
from webapp.engine.games.video.tables import FAMILIES, PRESETS, paying
from webapp.engine.games.video.words import WORDS
from webapp.engine.spec import Daily

_BETS: Final = Bets(start=100, least=1, chips=(1, 5, 25, 100), lines=(1, 3, 5, 10))


def _rules(family: str, changes: Mapping[str, int]) -> DrawRules:
    return DrawRules(pay_table=paying(FAMILIES[family], changes), bets=_BETS)


GAME = DrawGame(
    "video",
    {name: _rules(*table) for name, table in PRESETS.items()},
    WORDS,
    Daily("jacks-9-6", (10,)),
    OwnPayTables(_rules("jacks", {})),
)
