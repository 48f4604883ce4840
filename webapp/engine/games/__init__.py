"""The registry: every game that can be played, by its code."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from webapp.engine.game import AnyGame
from webapp.engine.games import blackjack, joker, poker

GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType(
    {game.spec.code: game for game in (poker.GAME, joker.GAME, blackjack.GAME)}
)
