"""The rules of every game, and nothing else.

Pure: no clock, no randomness, no files, no web. Cards, stakes and actions are handed in, values come back.
"""

from webapp.engine.game import replay

__all__ = ["replay"]
