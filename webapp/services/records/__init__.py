"""Finished hands and rounds, lists of them, and statistics."""
