"""Poker hands: ranking, pay tables, frequencies."""

from webapp.engine.poker.ranking import Category, Ranked, rank

__all__ = ["Category", "Ranked", "rank"]
