"""Blackjack: one player against the house, from the beginner's table to a shoe with a cut card."""

from webapp.engine.families.bank import BankGame
from webapp.engine.families.bank_rules import PRESETS

GAME = BankGame("blackjack", PRESETS)
