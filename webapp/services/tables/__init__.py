"""Shared tables: opening, seats, rounds, deadlines, and the view of each viewer."""
