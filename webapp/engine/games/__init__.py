"""The games of this site: a package each, and the registry, by which a game is found by its code."""

from webapp.engine.games.registry import COMPANY, GAMES, SOLO, WORDS, register, unregister

__all__ = ["COMPANY", "GAMES", "SOLO", "WORDS", "register", "unregister"]
