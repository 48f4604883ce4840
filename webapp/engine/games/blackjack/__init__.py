"""Blackjack: one player against the dealer, from the beginner's table to a shoe with a cut card."""

from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.games.blackjack.words import WORDS

GAME = BlackjackGame("blackjack", PRESETS, WORDS)
