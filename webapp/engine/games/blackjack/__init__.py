"""Blackjack: one player against the house, from the beginner's table to a shoe with a cut card."""

from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.rules import PRESETS

GAME = BlackjackGame("blackjack", PRESETS)
