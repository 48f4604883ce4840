"""Games with a daily deal."""

from collections.abc import Mapping
from typing import Final

from webapp.engine.games import SOLO
from webapp.engine.spec import Daily

TABLES: Final[Mapping[str, Daily]] = {code: game.spec.daily for code, game in SOLO.items() if game.spec.daily}
"""The daily deal of each game that has one, by its code."""
