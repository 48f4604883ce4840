"""The registry: every game that can be played, by its code."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from webapp.engine.game import AnyGame
from webapp.engine.games import blackjack, joker, poker, table21

GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType(
    {game.spec.code: game for game in (poker.GAME, joker.GAME, blackjack.GAME, table21.GAME)}
)

SOLO: Final[Mapping[str, AnyGame]] = MappingProxyType(
    {code: game for code, game in GAMES.items() if game.spec.seats == 1}
)
"""Those that one player sits down to alone."""

COMPANY: Final = table21.GAME
"""The one that people play with each other, at a table they share."""
