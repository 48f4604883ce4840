"""The games of this site, by code.

``register`` adds a game that is not in this package, and ``unregister`` removes it; all pages follow at once.
"""

from typing import Final

from webapp.engine.games import blackjack, joker, poker, table21
from webapp.engine.registry import Registry

_REGISTRY: Final = Registry((poker.GAME, joker.GAME, blackjack.GAME, table21.GAME))

GAMES: Final = _REGISTRY.games
"""All games."""
SOLO: Final = _REGISTRY.solo
"""Games that one player sits down to alone."""
WORDS: Final = _REGISTRY.words
"""The words of all games, by code."""
COMPANY: Final = table21.GAME
"""The game that people play with each other, at a table they share."""

register: Final = _REGISTRY.register
unregister: Final = _REGISTRY.unregister
