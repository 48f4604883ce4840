"""Blackjack: one player against the dealer, from the beginner's table to a shoe with a cut card."""

from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.games.blackjack.words import WORDS
from webapp.engine.spec import Daily

GAME = BlackjackGame("blackjack", PRESETS, WORDS, Daily("vegas", (10,), rounds=5))
