"""Tables, columns and constraints of the database. All times are unix milliseconds; rules of games are not here."""

from webapp.models.daily_deal import DailyDeal
from webapp.models.hand import AGAIN, DAILY, FIRST, IS_DAILY, IS_OPEN_PRACTICE, IS_PLAY, IS_PUBLIC, OPEN, PLAY, Hand
from webapp.models.lab_job import UNFINISHED, LabJob
from webapp.models.name_report import NameReport
from webapp.models.player import Player
from webapp.models.pruned_count import PrunedCount
from webapp.models.purse import LedgerEntry, OutcomeStatistics, Purse
from webapp.models.review import DecisionStatistics, Review
from webapp.models.shared_table import SharedTable, TableSeat
from webapp.models.shoe import Shoe
from webapp.models.sign_in_link import SignInLink
from webapp.models.table_round import RoundSeat, TableRound

__all__ = [
    "AGAIN",
    "DAILY",
    "FIRST",
    "IS_DAILY",
    "IS_OPEN_PRACTICE",
    "IS_PLAY",
    "IS_PUBLIC",
    "OPEN",
    "PLAY",
    "UNFINISHED",
    "DailyDeal",
    "DecisionStatistics",
    "Hand",
    "LabJob",
    "LedgerEntry",
    "NameReport",
    "OutcomeStatistics",
    "Player",
    "PrunedCount",
    "Purse",
    "Review",
    "RoundSeat",
    "SharedTable",
    "Shoe",
    "SignInLink",
    "TableRound",
    "TableSeat",
]
