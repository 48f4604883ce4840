"""Tables, columns and constraints. No rules: the engine has those."""

from webapp.models.hand import OPEN, Hand
from webapp.models.player import Player
from webapp.models.purse import LedgerEntry, Purse

__all__ = ["OPEN", "Hand", "LedgerEntry", "Player", "Purse"]
