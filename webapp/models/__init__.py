"""Tables, columns and constraints of the database. All times are unix milliseconds; rules of games are not here."""

from webapp.models.circle import Circle, CircleMember
from webapp.models.daily_deal import DailyDeal
from webapp.models.hand import (
    AGAIN,
    DAILY,
    FIRST,
    IS_DAILY,
    IS_OPEN_PRACTICE,
    IS_PLAY,
    IS_PUBLIC,
    OPEN,
    PLAY,
    Hand,
    PrunedCount,
)
from webapp.models.lab_job import UNFINISHED, LabJob
from webapp.models.player import LedgerEntry, NameReport, OutcomeStatistics, Player, Purse, SignInLink
from webapp.models.review import DecisionStatistics, DrillAnswer, Recall, Review
from webapp.models.shared_table import RoundSeat, SharedTable, TableRound, TableSeat
from webapp.models.shoe import Shoe

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
    "Circle",
    "CircleMember",
    "DailyDeal",
    "DecisionStatistics",
    "DrillAnswer",
    "Hand",
    "LabJob",
    "LedgerEntry",
    "NameReport",
    "OutcomeStatistics",
    "Player",
    "PrunedCount",
    "Purse",
    "Recall",
    "Review",
    "RoundSeat",
    "SharedTable",
    "Shoe",
    "SignInLink",
    "TableRound",
    "TableSeat",
]
