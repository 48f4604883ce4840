"""Table 21: two to five people at one table, one of them the bank."""

from webapp.engine.games.table21.game import Table21Game
from webapp.engine.games.table21.rules import PRESETS

GAME = Table21Game("table21", PRESETS)
