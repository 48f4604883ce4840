"""Tables, columns and constraints. No rules: the engine has those."""

from webapp.models.card_table import CardTable, TableSeat
from webapp.models.hand import IS_PUBLIC, OPEN, Hand
from webapp.models.lab_run import UNFINISHED, LabRun
from webapp.models.player import Player
from webapp.models.purse import LedgerEntry, Purse
from webapp.models.shoe import Shoe
from webapp.models.table_round import RoundSeat, TableRound

__all__ = [
    "IS_PUBLIC",
    "OPEN",
    "UNFINISHED",
    "CardTable",
    "Hand",
    "LabRun",
    "LedgerEntry",
    "Player",
    "Purse",
    "RoundSeat",
    "Shoe",
    "TableRound",
    "TableSeat",
]
