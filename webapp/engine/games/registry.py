"""The registry: the games of this site by code, and the words they bring.

``register`` adds a game that is not in this package, and ``unregister`` removes it; all pages follow at once.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from webapp.engine.game import AnyGame
from webapp.engine.games import blackjack, joker, poker, table21, video
from webapp.engine.words import SharedWords


class Registry:
    """Games in the order in which they are shown.

    ``games`` and ``solo`` (those that one player sits down to alone) are views that follow what is registered later,
    and so is ``words``.
    """

    def __init__(self, games: Iterable[AnyGame] = ()) -> None:
        self._games: dict[str, AnyGame] = {}
        self._solo: dict[str, AnyGame] = {}
        self.games: Mapping[str, AnyGame] = MappingProxyType(self._games)
        self.solo: Mapping[str, AnyGame] = MappingProxyType(self._solo)
        self.words = SharedWords()
        for game in games:
            self.register(game)

    def register(self, game: AnyGame) -> None:
        """Add a game.

        Raises:
            ValueError: The code is taken, or another game has another text for one of the codes of its words.
        """
        code = game.spec.code
        if code in self._games:
            raise ValueError(f"there is a game {code!r} already")
        self.words.require_agreement(game.words)
        self._games[code] = game
        if game.spec.seats == 1:
            self._solo[code] = game
        self.words.add(game.words)

    def unregister(self, code: str) -> None:
        """Remove a game and its words. KeyError if no game has this code."""
        del self._games[code]
        self._solo.pop(code, None)
        self.words.clear()
        for game in self._games.values():
            self.words.add(game.words)


_REGISTRY: Final = Registry((poker.GAME, joker.GAME, video.GAME, blackjack.GAME, table21.GAME))

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
