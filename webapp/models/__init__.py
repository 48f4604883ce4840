"""Tables, columns and constraints. No rules: the engine has those."""

from webapp.models.hand import IS_PUBLIC, OPEN, Hand
from webapp.models.lab_run import UNFINISHED, LabRun
from webapp.models.player import Player
from webapp.models.purse import LedgerEntry, Purse
from webapp.models.shoe import Shoe

__all__ = ["IS_PUBLIC", "OPEN", "UNFINISHED", "Hand", "LabRun", "LedgerEntry", "Player", "Purse", "Shoe"]
