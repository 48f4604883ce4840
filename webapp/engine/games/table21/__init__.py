"""Table 21: two to five people at one table, one of whom banks."""

from webapp.engine.games.table21.game import Table21Game
from webapp.engine.games.table21.rules import PRESETS
from webapp.engine.games.table21.words import WORDS

GAME = Table21Game("table21", PRESETS, WORDS)
