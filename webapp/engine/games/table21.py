"""Table 21: two to five people at one table, one of them the bank."""

from webapp.engine.families.table import TableGame
from webapp.engine.families.table_rules import PRESETS

GAME = TableGame("table21", PRESETS)
